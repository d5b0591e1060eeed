"""Answers questions about the range of values, by exploring all states."""

from __future__ import annotations

from beeline.engine import Statistics
from beeline.model.property import Range
from beeline.problems.problem import Problem
from beeline.problems.settings import NO_SUCH_STATE, Result, Settings, open_reason
from beeline.problems.zones import ZoneProblem
from beeline.searches import find
from beeline.timed.bounds import STOPPED, Interval, bounds_of
from beeline.timed.options import ZoneOptions
from beeline.trace.replay import Spurious

SEARCH = "bfs"


def check_range(problem: Problem, asked: Range, settings: Settings) -> Result:
    """The ranges of what is asked for. Without a failing step and without a limit, the question holds."""
    search = find(SEARCH)
    try:
        found = bounds_of(
            problem.model,
            asked.condition,
            asked.values,
            search=search,
            limits=settings.limits,
            progress=settings.progress,
            options=problem.zones if isinstance(problem, ZoneProblem) else ZoneOptions(),
        )
    except Spurious as doubt:
        return Result("unknown", f"possibly spurious: {doubt}", asked, str(search), Statistics())
    ranges = tuple(zip(asked.names, found.intervals, strict=True))
    shown = ", ".join(_show(asked.which, name, interval) for name, interval in ranges)
    if found.failure is not None:
        last = found.failure.steps[-1]
        verdict, reason = "violated", last.error or "a step fails"
    elif found.exact:
        verdict, reason = "holds", shown if any(found.intervals) else NO_SUCH_STATE
    else:
        verdict, reason = "unknown", found.doubt or open_reason(found.outcome, search)
        if found.doubt == STOPPED:
            reason += f"; within {shown}"
        elif not any(interval is None or interval.high is None for interval in found.intervals):
            reason += f"; so far {shown}"
    statistics, trace = found.outcome.statistics, found.failure
    return Result(verdict, reason, asked, str(search), statistics, trace, history=found.outcome.history, ranges=ranges)


def _show(which: str, name: str, interval: Interval | None) -> str:
    if interval is None:
        return f"{name}: no value"
    if which == "bounds":
        return f"{name} in {interval}"
    if which == "inf":
        return f"{name} {'>' if interval.low_open else '>='} {interval.low}"
    if interval.high is None:
        return f"{name} without bound"
    return f"{name} {'<' if interval.high_open else '<='} {interval.high}"
