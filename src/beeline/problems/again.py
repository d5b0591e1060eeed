"""Work on a problem that is begun again where the problem was not made ready in the right way for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from beeline.engine import Outcome, core
from beeline.problems.problem import Problem
from beeline.trace import ReplayError

P = TypeVar("P", bound=Problem)
T = TypeVar("T")


def begin_again(problem: P, work: Callable[[P], T]) -> T:
    """What `work` on a problem gives. It is begun again with more processes where they run out, and without what makes
    paths that do not replay."""
    while True:
        try:
            return work(problem)
        except core.TooManyProcesses:
            problem = cast("P", problem.with_more_processes())
        except ReplayError:
            exact = problem.exact()
            if exact is None:
                raise
            problem = cast("P", exact)


def count_again(given: P, count: Callable[[P], Outcome]) -> Outcome:
    """What `count` says of all states. Where steps fail, they are counted without what makes paths that do not replay.
    The problem that is `given` tells what became of the wish to fold its space."""

    def counted(problem: P) -> Outcome:
        outcome = count(problem)
        if outcome.statistics.errors and problem.exact() is not None:
            raise ReplayError("steps may fail here that do not in the model")
        given.counted = problem.counted
        return outcome

    return begin_again(given, counted)
