"""Problems about spaces that users write in Python."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from beeline.engine import Found, NativeSpace, Outcome, SpaceStep, core, python_space, user_path, user_reason
from beeline.heuristics import Context
from beeline.model.property import Assertions, NoDeadlock, Property, Safety
from beeline.model.source import ModelError, Source
from beeline.problems.problem import Problem, Ready
from beeline.problems.settings import Reduced, Settings
from beeline.records import replace
from beeline.searches import FAIRNESS, SearchError
from beeline.spelling import closest
from beeline.trace import Trace
from beeline.trace.replay import Watch, unwatched
from beeline.trace.trace import TraceStep

if TYPE_CHECKING:
    from beeline.problems.user_linear import Watched

QUESTIONS: dict[str, Property] = {
    "safety": Safety("safety", "violates(state) is never true; with deadlock_is_violation, no deadlock"),
    "violates": Assertions("violates", "violates(state) is never true"),
    "deadlock": NoDeadlock("deadlock", "every state has a successor"),
}


def find_question(asked: str | Property) -> Property:
    """What can be asked of a space whose states only its author understands."""
    name = asked if isinstance(asked, str) else asked.name
    if name.lstrip().startswith("ltl:"):
        from beeline.problems.user_linear import read_user_linear

        return read_user_linear(name)
    if name not in QUESTIONS:
        close = closest(name, QUESTIONS)
        remedy = f"did you mean '{close}'?" if close else "state the condition in the method violates(self, state)"
        known = ", ".join(QUESTIONS)
        raise ModelError(f"a space written in Python knows {known}, not '{name}'", Source("--property", 1), remedy)
    return QUESTIONS[name]


class UserProblem(Problem):
    """A space of a user's own."""

    kind: ClassVar[str] = "python"

    def __init__(self, model: Any, asked: Property) -> None:
        self.model = model
        self.asked = asked
        self.watched = _watched(model, asked) if asked.seeks_cycle else None
        self.native = python_space(self.watched or model, deadlocks=isinstance(asked, NoDeadlock))

    @property
    def stop(self) -> Found:
        return Found.DEADLOCK if isinstance(self.asked, NoDeadlock) else super().stop

    def ready(self, settings: Settings) -> ReadyUserSpace:
        return ReadyUserSpace(self)

    def counted_space(self) -> NativeSpace:
        return python_space(self.model, deadlocks=True)

    def confirm(self, outcome: Outcome, trace: Trace) -> tuple[str, str]:
        if Found.DEADLOCK in outcome.found:
            return "violated", "deadlock"
        return "violated", user_reason(self.native, outcome) or "violating state reached"


class ReadyUserSpace(Ready):
    """A user's space is ready as it is."""

    def __init__(self, problem: UserProblem) -> None:
        self.problem = problem
        self.context = Context(asked=problem.asked, space=problem.native)

    def space(self, merged: bool = False, reduced: Reduced | None = None) -> NativeSpace:
        return self.problem.native

    def pairs(self, space: NativeSpace, only: Sequence[int] = ()) -> NativeSpace:
        assert isinstance(space, core.PythonSpace)
        return core.PairedPythonSpace(space, only=only)

    def lasso(self, outcome: Outcome, fairness: str, watch: Watch = unwatched) -> tuple[Trace, str]:
        from beeline.problems.user_linear import UserLinear, without_rest

        asked, watched, steps = self.problem.asked, self.problem.watched, user_path(self.problem.native, outcome)
        assert outcome.cycle is not None and watched is not None and isinstance(asked, UserLinear)
        if fairness != FAIRNESS[0]:
            raise SearchError("a space written in Python has no processes to be fair to")
        reason = watched.judge(asked, steps, outcome.cycle)
        path = without_rest(steps)
        return replace(_trace_of(path), cycle=min(outcome.cycle, len(path) - 1)), reason

    def trace(self, outcome: Outcome, show_zones: bool = False, watch: Watch = unwatched) -> tuple[Trace, int | None]:
        return _trace_of(user_path(self.problem.native, outcome)), None

    def fits(self, words: tuple[int, ...], state: Any) -> bool:
        return bool(self.problem.native.state(words[0]) == state)


def _watched(model: Any, asked: Property) -> Watched:
    from beeline.problems.user_linear import UserLinear, Watched

    assert isinstance(asked, UserLinear)
    return Watched(model, asked)


def _trace_of(path: list[SpaceStep]) -> Trace:
    steps = tuple(
        TraceStep(i, "", str(after.label or ""), {"state": (repr(before.state), repr(after.state))})
        for i, (before, after) in enumerate(pairwise(path), start=1)
    )
    return Trace({"state": repr(path[0].state)}, steps, tuple(step.state for step in path))
