"""Searches of problems that were made smaller before."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import monotonic

from beeline.engine import Limits
from beeline.preprocessing import AUTO, CONE
from beeline.problems.again import begin_again
from beeline.problems.problem import Problem
from beeline.problems.settings import Result, Settings
from beeline.records import replace

SHARE_OF_TIME = 0.25  # that may go by before the search
SECOND_LOOK = 10_000  # states of the whole network that are always looked at for a shorter trace

Attempt = Callable[[Problem, Settings], Result]


def shrink_and_search(problem: Problem, settings: Settings, attempt: Attempt) -> Result:
    """What an attempt to search the smaller problem says."""

    def search(one: Problem, rest: Settings) -> Result:
        return begin_again(one, lambda other: attempt(other, rest))

    settings.tell("preparing")
    choice, note = settings.shrinks_by(problem.wants_everything)
    match, note = settings.matches_by(problem.wants_everything, note)
    began, limits = monotonic(), settings.limits
    seconds = inf if limits is None or limits.time is None else limits.time * SHARE_OF_TIME
    smaller = problem.smaller(choice, note, began + seconds, match)
    settings = settings.after(monotonic() - began)
    result = search(smaller, settings)
    if (
        settings.shrink == AUTO
        and settings.search.promises.shortest
        and result.shrinking.added
        and not result.truncated
    ):
        return _search_shorter(problem, settings, result, search)
    return result


def _search_shorter(problem: Problem, settings: Settings, result: Result, search: Attempt) -> Result:
    """The better of a trace that steps were put into and one of the whole network, which is searched only a little
    further than the smaller one was."""
    assert result.trace is not None
    limits, used = settings.limits or Limits(), result.statistics
    if limits.time is not None and limits.time <= used.seconds:
        return result
    states = 2 * used.stored + SECOND_LOOK
    bounded = replace(
        limits,
        states=states if limits.states is None else min(states, limits.states),
        time=None if limits.time is None else limits.time - used.seconds,
    )
    second = search(problem.smaller(CONE, "", inf), replace(settings, limits=bounded))
    better = second if second.trace is not None and len(second.trace) <= len(result.trace) else result
    return replace(better, statistics=used.joined(second.statistics))
