"""LTL formulas about spaces that users write in Python: propositions are methods of the space that take a state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar

from beeline.automata import Automaton, Formula, degeneralise, evaluate, parse_ltl, propositions, translate
from beeline.automata.strength import is_weak_by_states
from beeline.engine import SpaceStep, split_successor
from beeline.model.property import Property
from beeline.model.source import ModelError, Source
from beeline.spelling import closest
from beeline.trace.replay import ReplayError

AT_REST = "at rest"


class UserLinear(Property, frozen=True, kw_only=True):
    """Every run satisfies `formula`; `violations` is the automaton of those that do not."""

    formula: Formula
    violations: Automaton
    kind: ClassVar[str] = "ltl"

    @property
    def seeks_cycle(self) -> bool:
        return True

    @property
    def is_weak(self) -> bool:
        return is_weak_by_states(self.violations)


def read_user_linear(text: str) -> UserLinear:
    """The question that ``ltl: [] (waiting -> <> served)`` is."""
    start = text.index(":") + 1
    try:
        formula = parse_ltl(" " * start + text[start:])
    except ModelError as error:
        raise error.within(Source("--property", 1), text) from None
    return UserLinear(
        text.strip(),
        text.strip(),
        Source("--property", 1),
        formula=formula,
        violations=degeneralise(translate(~formula)),
    )


class Watched:
    """A user's space, watched by the automaton of a formula: a state is one of the user's and one of the automaton's. A
    run that comes to rest goes on for ever in its last state."""

    labelled = True

    def __init__(self, model: Any, asked: UserLinear) -> None:
        self._model, self._automaton = model, asked.violations
        self._predicates = {name: _predicate(model, name, asked) for name in propositions(asked.formula)}

    def initial(self) -> Iterator[tuple[Any, int]]:
        first = self._model.initial()
        for state in first if isinstance(first, Iterator) else [first]:
            yield state, self._automaton.initial

    def successors(self, watched: tuple[Any, int]) -> Iterator[tuple[Any, tuple[Any, int]]]:
        state, place = watched
        letter = self._automaton.letter(self.true_in(state))
        moves = [edge.target for edge in self._automaton.edges[place] if edge.reads(letter)]
        if not moves:
            return
        items = self._model.successors(state) or ()
        found = [split_successor(self._model, item) for item in items] or [(AT_REST, state)]
        for target in moves:
            for label, after in found:
                yield label, (after, target)

    def accepting(self, watched: tuple[Any, int]) -> bool:
        return self._automaton.is_accepting(watched[1])

    def true_in(self, state: Any) -> set[str]:
        """The propositions that hold in a state of the user's."""
        return {name for name, holds in self._predicates.items() if holds(state)}

    def judge(self, asked: UserLinear, steps: list[SpaceStep], cycle: int) -> str:
        """Why a run is a violation, by an evaluator that knows no automata; raises `ReplayError` if it is none."""
        states = [step.state[0] for step in steps]
        if steps[cycle].state != steps[-1].state:
            raise ReplayError("the cycle does not come back to the state in which it begins")
        letters = [self.true_in(state) for state in states[:-1]]
        if evaluate(asked.formula, letters[:cycle], letters[cycle:]):
            raise ReplayError("the formula holds on the run that is said to violate it")
        resting = all(step.label == AT_REST for step in steps[cycle + 1 :])
        return "violated by a run that comes to rest" if resting else "violated by a run that goes on for ever"


def proposition(model: Any, name: str) -> Callable[[Any], Any]:
    """The method of a space with this name."""
    found: Callable[[Any], Any] | None = getattr(model, name, None)
    if callable(found):
        return found
    known = [each for each in dir(model) if not each.startswith("_") and callable(getattr(model, each))]
    close = closest(name, known)
    remedy = f"did you mean '{close}'?" if close else f"add a method {name}(self, state)"
    raise ModelError(f"the space has no method '{name}' for this proposition", remedy=remedy, word=name)


def _predicate(model: Any, name: str, asked: UserLinear) -> Callable[[Any], Any]:
    try:
        return proposition(model, name)
    except ModelError as error:
        raise error.within(asked.source, asked.text) from None


def without_rest(steps: Iterable[SpaceStep]) -> list[SpaceStep]:
    """The user's own steps, in the user's own states."""
    return [SpaceStep(step.label, step.state[0]) for step in steps if step.label != AT_REST]


def begun_early(steps: list[SpaceStep], cycle: int) -> tuple[list[SpaceStep], int]:
    """The same run with its cycle begun as early as it can be: the user's states may come back before those of the
    automaton do."""

    def arrival(position: int) -> tuple[Any, Any]:
        return steps[position - 1].state, steps[position].label

    while 0 < cycle < len(steps) - 1 and arrival(cycle) == arrival(len(steps) - 1):
        steps, cycle = steps[:-1], cycle - 1
    return steps, cycle
