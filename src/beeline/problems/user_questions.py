"""What can be asked of a space that a user wrote in Python: its invariants, `violates`, deadlock, formulas."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from beeline.model.property import Assertions, NoDeadlock, Property, Safety
from beeline.model.source import ModelError, Source
from beeline.spelling import closest

F = TypeVar("F", bound=Callable[..., Any])
MARK = "beeline_invariant"
QUESTIONS: dict[str, Property] = {
    "safety": Safety("safety", "violates(state) is never true; with deadlock_is_violation, no deadlock"),
    "violates": Assertions("violates", "violates(state) is never true"),
    "deadlock": NoDeadlock("deadlock", "every state has a successor"),
}


class UserInvariant(Property, frozen=True, kw_only=True):
    """A method of the space is true of every state."""

    holds: Callable[[Any], Any]
    kind: ClassVar[str] = "invariant"


def invariant(method: F) -> F:
    """Marks a method of a space as an invariant: `check` asks whether it is true of every reachable state.

    >>> from beeline import check, invariant
    >>> class Count:
    ...     def initial(self): return 0
    ...     def successors(self, state): return [(state + 1) % 5]
    ...     @invariant
    ...     def stays_small(self, state): return state < 3
    >>> result = check(Count())
    >>> result.property.name, result.verdict, len(result.trace)
    ('stays_small', 'violated', 3)
    """
    setattr(method, MARK, True)
    return method


def questions_of(model: Any) -> list[Property]:
    """All that a space asks: each of its invariants, `violates`, and deadlock if that is a violation; without
    invariants the last two at once."""
    named: list[Property] = [*_invariants(model).values()]
    if not named:
        return [QUESTIONS["safety"]]
    if callable(getattr(model, "violates", None)):
        named.append(QUESTIONS["violates"])
    if getattr(model, "deadlock_is_violation", False):
        named.append(QUESTIONS["deadlock"])
    return named


def find_question(model: Any, asked: str | Property) -> Property:
    """The question with a name, or the formula that a text spells out."""
    name = asked if isinstance(asked, str) else asked.name
    if name.lstrip().startswith("ltl:"):
        from beeline.problems.user_linear import read_user_linear

        return read_user_linear(name)
    if re.match(r"\s*ctl\s*[\[:]", name):
        from beeline.problems.user_branching import read_user_branching

        return read_user_branching(model, name)
    known = {**_invariants(model), **QUESTIONS}
    if name not in known:
        close = closest(name, known)
        remedy = f"did you mean '{close}'?" if close else "state the condition in a method marked @invariant"
        raise ModelError(f"this space knows {', '.join(known)}, not '{name}'", Source("--property", 1), remedy)
    return known[name]


def _invariants(model: Any) -> dict[str, Property]:
    """The marked methods by name, in the order in which they are written."""
    found: dict[str, Property] = {}
    for kind in reversed(type(model).__mro__):
        for name, function in vars(kind).items():
            if getattr(function, MARK, False):
                said = (inspect.getdoc(function) or "").partition("\n")[0].rstrip(".")
                found[name] = UserInvariant(name, said, _place(function), holds=getattr(model, name))
    return found


def _place(function: Any) -> Source:
    code = getattr(function, "__code__", None)
    return Source() if code is None else Source(code.co_filename, code.co_firstlineno)


class Asking:
    """A user's space, asked about one invariant."""

    deadlock_is_violation = False

    def __init__(self, model: Any, asked: UserInvariant) -> None:
        self._model = model
        self.initial, self.successors = model.initial, model.successors
        self.violates = lambda state: not asked.holds(state)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)
