"""Problems about spaces that users write in Python."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from beeline.engine import (
    Action,
    Ending,
    Found,
    NativeSpace,
    Outcome,
    SpaceStep,
    Statistics,
    core,
    python_space,
    user_path,
    user_reason,
)
from beeline.heuristics import Context
from beeline.model.property import NoDeadlock, Property
from beeline.problems.problem import Problem, Ready
from beeline.problems.settings import Reduced, Result, Settings, not_folded
from beeline.problems.user_questions import Asking, UserInvariant
from beeline.records import replace
from beeline.searches import FAIRNESS, SearchError
from beeline.symmetry import Symmetry
from beeline.trace import Trace
from beeline.trace.pieces import changes, pieces
from beeline.trace.replay import Watch, unwatched
from beeline.trace.trace import TraceStep

if TYPE_CHECKING:
    from beeline.problems.user_linear import Watched


class UserProblem(Problem):
    """A space of a user's own."""

    kind: ClassVar[str] = "python"

    def __init__(self, model: Any, asked: Property) -> None:
        self.model = model
        self.asked = asked
        self.watched = _watched(model, asked) if asked.seeks_cycle else None
        searched = self.watched or (Asking(model, asked) if isinstance(asked, UserInvariant) else model)
        self.native = python_space(searched, deadlocks=isinstance(asked, NoDeadlock))

    @property
    def stop(self) -> Found:
        return Found.DEADLOCK if isinstance(self.asked, NoDeadlock) else super().stop

    def ready(self, settings: Settings) -> ReadyUserSpace:
        return ReadyUserSpace(self)

    def counted_space(self, symmetry: Symmetry | None = None) -> NativeSpace:
        self.counted = not_folded(symmetry)
        return python_space(self.model, deadlocks=True)

    def confirm(self, outcome: Ending, trace: Trace) -> tuple[str, str]:
        if Found.DEADLOCK in outcome.found:
            return "violated", "deadlock"
        if isinstance(self.asked, UserInvariant):
            return "violated", "invariant violated"
        assert isinstance(outcome, Outcome)
        return "violated", user_reason(self.native, outcome) or "violating state reached"

    def raised(self, error: Exception, settings: Settings) -> Result | None:
        space = self.native
        way = [SpaceStep(space.label(action), space.state(number)) for action, number in space.way_to_asked()]
        return self.failed_behind(way, error, settings)

    def failed_behind(self, way: list[SpaceStep], error: Exception, settings: Settings) -> Result | None:
        """An exception of the user's code as a violation, if asking the last state of a way raises it again."""
        from beeline.problems.user_failures import failure_of

        model = Asking(self.model, self.asked) if isinstance(self.asked, UserInvariant) else self.model
        failure = failure_of(model, error, way)
        if failure is None or self.watched is not None:
            return None
        trace = self.trace_along(way)
        last = TraceStep(len(trace) + 1, "", failure.line, {}, failure.source, error=failure.message)
        trace = replace(trace, steps=(*trace.steps, last))
        return Result("violated", failure.message, self.asked, str(settings.search), Statistics(), trace)

    def trace_along(self, way: list[SpaceStep]) -> Trace:
        """The trace that labelled states are."""
        return _trace_of(way)


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
        from beeline.problems.user_linear import UserLinear, begun_early, without_rest
        from beeline.trace.promises import Promises

        asked, watched, steps = self.problem.asked, self.problem.watched, user_path(self.problem.native, outcome)
        assert outcome.cycle is not None and watched is not None and isinstance(asked, UserLinear)
        if fairness != FAIRNESS[0]:
            raise SearchError("a space written in Python has no processes to be fair to")
        reason = watched.judge(asked, steps, outcome.cycle)
        path = without_rest(steps)
        path, cycle = begun_early(path, min(outcome.cycle, len(path) - 1))
        trace = replace(_trace_of(path), cycle=cycle)
        promises = Promises.along(asked.formula, trace, watched.true_in)
        return trace if promises is None else replace(trace, promise=promises.broken()), reason

    def trace(self, outcome: Outcome, show_zones: bool = False, watch: Watch = unwatched) -> tuple[Trace, int | None]:
        return _trace_of(user_path(self.problem.native, outcome)), None

    def fits(self, words: tuple[int, ...], state: Any) -> bool:
        return bool(self.problem.native.state(words[0]) == state)


def _watched(model: Any, asked: Property) -> Watched:
    from beeline.problems.user_linear import UserLinear, Watched

    assert isinstance(asked, UserLinear)
    return Watched(model, asked)


def _trace_of(path: list[SpaceStep]) -> Trace:
    told = pieces([step.state for step in path])
    steps = []
    for number, (before, after) in enumerate(pairwise(told), start=1):
        label = path[number].label
        process, action = (label.process, label.what) if isinstance(label, Action) else ("", str(label or ""))
        steps.append(TraceStep(number, process, action, changes(before, after)))
    return Trace(told[0], tuple(steps), tuple(step.state for step in path))
