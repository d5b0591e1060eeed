"""The least time that a trace can take, where the search looked for what comes soonest."""

from __future__ import annotations

from beeline.engine import Outcome
from beeline.records import Record
from beeline.timed.bound_limit import largest_constant
from beeline.timed.search import ZoneGraph
from beeline.trace.replay import ReplayError
from beeline.trace.timed import TimedTrace


class LeastTime(Record, frozen=True):
    """No trace takes less than `moment`. Unless that is `attained`, each takes more, and some as little more as one
    likes.

    >>> str(LeastTime(5, True)), str(LeastTime(5, False))
    ('5, the least possible', 'more than 5, by as little as one likes')
    """

    moment: int
    attained: bool

    def __str__(self) -> str:
        return (
            f"{self.moment}, the least possible"
            if self.attained
            else (f"more than {self.moment}, by as little as one likes")
        )


def least_time(graph: ZoneGraph, outcome: Outcome, trace: TimedTrace) -> LeastTime | None:
    """What the zones say of a trace that was found; None if that is not proven. Raises ReplayError where the moments of
    the trace, which are found without zones, say otherwise."""
    if not outcome.proven or outcome.failed_step is not None:
        return None
    state = outcome.native.state(len(outcome.native.actions) - 1)
    least = graph.space.soonest_goal(state)
    found = LeastTime(least >> 1, not least & 1)
    if found.moment >= largest_constant(graph.program.dimension):
        return None  # zones tell no later moments apart
    if trace.duration < found.moment or (trace.duration == found.moment) is not found.attained:
        raise ReplayError(f"the trace takes {trace.duration}, and by its zones the least is {found}")
    return found
