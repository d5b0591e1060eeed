"""How small and how large clocks and expressions become in the states that satisfy a condition.

The zones before widening tell the bounds of clocks. Widening forgets what is above a clock's constant, so that a bound
is exact only up to it: if one lies higher, the graph is explored again with a larger constant, until all are exact or
known to be missing.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from time import monotonic

from beeline.engine import Found, Limits, Outcome, Progress, Status
from beeline.model.expressions import FALSE, Expression
from beeline.model.network import Network
from beeline.model.scope import show
from beeline.model.source import ModelError
from beeline.records import Record, replace
from beeline.searches import Search
from beeline.searches.runner import run
from beeline.timed.bound_limit import largest_constant
from beeline.timed.clocks import Clocks
from beeline.timed.goals import Case, cases
from beeline.timed.growth import grows_for_ever
from beeline.timed.options import ZoneOptions
from beeline.timed.search import ZoneGraph, check_start, timed_trace, zone_graph
from beeline.timed.tables import Measure
from beeline.trace.timed import TimedTrace

_NO_BOUND = 2**31 - 1  # as in native/zone/bound.hpp
_GROWTH = 4
_FAR = 16  # a constant from which on it is asked whether a clock grows for ever
STOPPED = "where clocks are stopped, zones include more than is reachable"
TOO_LARGE = "the bounds are too large for zones"


class Interval(Record, frozen=True):
    """From `low` to `high` (None: without end); `low_open` and `high_open` leave the ends out.

    >>> str(Interval(2, 5, high_open=True)), str(Interval(0, None))
    ('[2, 5)', '[0, infinity)')
    """

    low: int
    high: int | None
    low_open: bool = False
    high_open: bool = False

    def __str__(self) -> str:
        end = "infinity)" if self.high is None else f"{self.high}{')' if self.high_open else ']'}"
        return f"{'(' if self.low_open else '['}{self.low}, {end}"


class Bounds(Record, frozen=True):
    """What was found: an interval for each expression, None where no state satisfies the condition.

    Unless `exact`, the intervals are not the answer. Where clocks are stopped, zones include more than is reachable:
    no value lies outside. Otherwise one may: a limit ended the exploration (`outcome` tells which), or a step failed;
    `failure` is then the trace to it, and `outcome` has found it.
    """

    intervals: tuple[Interval | None, ...]
    exact: bool
    outcome: Outcome
    failure: TimedTrace | None = None
    doubt: str = ""  # why they are not exact, though all was explored


def bounds_of(
    network: Network,
    condition: Expression,
    expressions: Sequence[Expression],
    *,
    search: str | Search = "bfs",
    limits: Limits | None = None,
    progress: Progress | None = None,
    options: ZoneOptions = ZoneOptions(),  # noqa: B008  # a frozen value
) -> Bounds:
    """The least and greatest values of clocks and of expressions without clocks where `condition` holds.

    >>> from beeline.languages.uppaal import load_text
    >>> from beeline.model.expressions import TRUE, Ref
    >>> network = load_text('''clock x; process P() { state a { x <= 3 }, b; init a; trans a -> b { guard x > 1; }; }
    ... system P; query { E<> P.a }''')
    >>> [str(found) for found in bounds_of(network, network.properties[0].expression, [Ref("x")]).intervals]
    ['[0, 3]']
    >>> [str(found) for found in bounds_of(network, TRUE, [Ref("x")]).intervals]
    ['[0, infinity)']
    """
    clocks = Clocks(network)
    measures = [_measure(expression, clocks) for expression in expressions]
    goal = cases(condition, clocks) or [Case((FALSE,))]
    most, started = largest_constant(clocks.dimension), monotonic()
    endless: set[int] = set()  # measures that are proven to grow for ever
    while True:
        graph = zone_graph(network, goal, options=options, measures=measures)
        outcome = run(graph.space, search, stop=Found.ERROR, limits=_left(limits, started), progress=progress)
        intervals, larger = _read(graph, measures, endless)
        if outcome.status is Status.FOUND:
            check_start(graph, outcome)
            return Bounds(intervals, False, outcome, timed_trace(graph, outcome))
        for at, measure in enumerate(measures):
            if outcome.complete and larger[at] != measure and measure.largest >= _FAR and at not in endless:
                left = _left(limits, started)
                if grows_for_ever(network, goal, measure.expression, measure.largest, options, left):
                    endless.add(at)
                    intervals, larger = _read(graph, measures, endless)
        if not outcome.complete or larger == measures:
            doubt = STOPPED if outcome.complete and graph.program.timed.rates else ""
            return Bounds(intervals, outcome.complete and not doubt, outcome, doubt=doubt)
        if any(measure.largest > most for measure in larger):
            return Bounds(intervals, False, outcome, doubt=TOO_LARGE)
        measures = larger


def _measure(expression: Expression, clocks: Clocks) -> Measure:
    if clocks.is_clock(expression, None):
        return Measure(expression, True, 1)
    if clocks.mentions(expression, None):
        message = f"'{show(expression)}' is neither a clock nor an expression without clocks"
        raise ModelError(message, clocks.network.source, "ask for the bounds of single clocks")
    return Measure(expression)


def _left(limits: Limits | None, started: float) -> Limits | None:
    """The limits that are left for the next exploration."""
    if limits is None or limits.time is None:
        return limits
    return replace(limits, time=max(limits.time - (monotonic() - started), 0.0))


def _read(
    graph: ZoneGraph, measures: Sequence[Measure], proven: Set[int]
) -> tuple[tuple[Interval | None, ...], list[Measure]]:
    """The intervals that were seen, and the measures to take next, the same if these are exact."""
    intervals: list[Interval | None] = []
    following: list[Measure] = []
    for at, measure in enumerate(measures):
        seen, endless, failed, least, greatest = graph.space.extents()[at]
        if failed:
            message = f"'{show(measure.expression)}' has no value in some state"
            raise ModelError(message, graph.network.source, "ask only where its indices and divisors are right")
        if not seen:
            intervals.append(None)
            following.append(measure)
        elif not measure.is_clock:
            intervals.append(Interval(least, greatest))
            following.append(measure)
        else:
            endless |= at in proven
            found = _clock_interval(least, _NO_BOUND if endless else greatest)
            intervals.append(found)
            following.append(measure if _is_exact(found, endless, measure) else _larger(measure, found))
    return tuple(intervals), following


def _clock_interval(least: int, greatest: int) -> Interval:
    """From bounds as zones have them: twice the constant, one more if that is included."""
    low, low_open = -(least >> 1), not least & 1
    if greatest == _NO_BOUND:
        return Interval(low, None, low_open)
    return Interval(low, greatest >> 1, low_open, not greatest & 1)


def _is_exact(found: Interval, endless: bool, measure: Measure) -> bool:
    """What lies above the constant has been widened: its upper bound is missing, its lower one is the constant."""
    high = endless if found.high is None else found.high <= measure.largest
    return high and (found.low, found.low_open) <= (measure.largest, False)


def _larger(measure: Measure, found: Interval) -> Measure:
    return replace(measure, largest=max(_GROWTH * measure.largest, found.low, found.high or 0))
