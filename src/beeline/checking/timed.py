"""Checks networks with clocks."""

from __future__ import annotations

from beeline.checking.settings import Result, Settings, open_verdict
from beeline.checking.shrunk import shrink_and_search
from beeline.engine import Outcome
from beeline.heuristics import Estimate
from beeline.model.network import Network, Property
from beeline.properties import DEADLOCK, SAFETY
from beeline.searches import Search, SearchError
from beeline.shrinking import Shrinking, Shrunk
from beeline.timed.options import ZoneOptions
from beeline.timed.search import STOP, ZoneGraph, goal_of, make_concrete, moves_along, search_zones, timed_trace
from beeline.trace.timed import TimedTrace


def check_timed(network: Network, asked: Property, settings: Settings, zones: ZoneOptions | None) -> Result:
    """Searches the zone graph; the trace comes with its moments, replayed with exact clock values."""
    check_store(settings.search)
    zones = zones or ZoneOptions()
    if asked == SAFETY:
        asked = DEADLOCK  # failing steps are violations whatever is asked

    def search(how: Settings, shrunk: Shrunk, note: str) -> Result:
        return _search_timed(network, asked, how, zones, shrunk, note)

    # How an exact deadlock is reached is told by the zones of the whole network.
    whole = zones.show or asked.kind == DEADLOCK.kind
    return shrink_and_search(network, asked, settings, settings.shrinks_by(whole), search)


def _search_timed(
    network: Network, asked: Property, settings: Settings, zones: ZoneOptions, shrunk: Shrunk, note_on_size: str
) -> Result:
    estimates: list[Estimate] = []
    lengths: list[int] = []  # of the path in the smaller network

    def attempt(graph: ZoneGraph) -> Outcome:
        estimates[:], rest = settings.choose(graph.context(shrunk.asked, STOP))
        outcome = rest.run(graph.space, STOP, estimates)
        settings.tell("replaying", outcome.statistics)
        return outcome

    def finish(graph: ZoneGraph, outcome: Outcome) -> TimedTrace:
        if not shrunk.layers:
            return timed_trace(graph, outcome, show_zones=zones.show)
        moves, failed = moves_along(graph, outcome), outcome.failed_step is not None
        lengths[:] = [len(moves)]
        return make_concrete(network, goal_of(network, asked), shrunk.concrete(moves, failed, timed=True), failed)

    goal = goal_of(shrunk.network, shrunk.asked)
    outcome, trace = search_zones(shrunk.network, goal, zones, attempt, finish)
    if trace is None:
        answer = open_verdict(outcome, settings.search)
        told = Shrinking.of(shrunk, note=note_on_size)
        return settings.result(asked, outcome, estimates, answer, shrinking=told)
    last = trace.steps[-1] if trace.steps else None
    reason = {"deadlock": "deadlock", "goal": "goal reached"}.get(asked.kind, "invariant violated")
    if last is not None and last.error:
        reason = last.error
    told = Shrinking.of(shrunk, len(trace) - sum(lengths), note_on_size)
    return settings.result(asked, outcome, estimates, ("violated", reason), trace, shrinking=told)


def check_store(search: Search) -> None:
    """Raises `SearchError` for a store that a zone graph cannot use."""
    if search.store != "plain":
        raise SearchError(f"zones cover one another, which takes a store of their own: leave out {search.store}")
