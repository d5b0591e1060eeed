"""Proves that a lasso is the shortest, or finds the shortest: of all runs that violate the question, told as steps to a
cycle and one round of it, none has fewer steps.

Breadth first, over all ways to begin a cycle anywhere. Formulas and labels are asked about the model's own cycles,
however many rounds the automaton needs to accept them; the moves of a never claim are steps of the trace themselves.
"""

from __future__ import annotations

from beeline.engine import Found, Limits, Outcome, Statistics, Status
from beeline.problems.problem import Problem, Ready
from beeline.problems.replaying import ReplayUnfinished, replayed
from beeline.problems.settings import Result, Settings
from beeline.records import replace
from beeline.searches import FAIRNESS, SearchError, find


def prove_shortest(problem: Problem, ready: Ready, settings: Settings, first: Result) -> Result:
    """The result with the shortest lasso, or with the same one if no shorter one was found within the limits. Whether
    that is proven, `shortest` says."""
    if settings.fairness != FAIRNESS[0]:
        raise SearchError("the shortest lasso is not sought under fairness: leave out --shortest-lasso")
    if first.trace is None or first.trace.cycle is None:
        return first
    found = ready.lassos()
    if isinstance(found, str):
        raise SearchError(f"the shortest lasso cannot be told: {found}")
    length = len(first.trace)
    if length == 0:
        return replace(first, shortest=True)
    limits = settings.limits or Limits()
    shorter = replace(
        settings,
        search=find("bfs"),
        threads=1,
        heuristic=None,
        limits=replace(limits, depth=min(length - 1, length if limits.depth is None else limits.depth)),
    )
    outcome = shorter.run(found, problem.stop & ~Found.CYCLE | Found.DEADLOCK, [])
    used = first.statistics.joined(replace(outcome.statistics, depth=0))
    if outcome.status in (Status.DEPTH, Status.EXHAUSTED):
        return replace(first, shortest=True, statistics=used)
    if outcome.status is not Status.FOUND:
        return replace(first, truncated=True, statistics=used)
    return _told(problem, ready, settings, first, outcome, used)


def _told(
    problem: Problem, ready: Ready, settings: Settings, first: Result, outcome: Outcome, used: Statistics
) -> Result:
    try:
        if outcome.cycle is None:
            finite, _ = replayed(settings, used, lambda watch: ready.trace(outcome, watch=watch))
            verdict, reason = problem.confirm(outcome, finite)
            return replace(
                first, verdict=verdict, reason=reason, trace=finite, shortest=outcome.proven, statistics=used
            )
        trace, reason = replayed(settings, used, lambda watch: ready.own_lasso(outcome, watch))
    except ReplayUnfinished:
        return replace(first, truncated=True, statistics=used)
    return replace(first, reason=reason, trace=trace, shortest=outcome.proven, statistics=used)
