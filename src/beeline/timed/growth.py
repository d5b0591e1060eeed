"""Proof that a clock grows without limit: a run that comes back to where it was, only later.

Where a run is twice in the same discrete state, with clocks that no guard can tell apart, what happens between can be
repeated for ever. If time passes there and a clock is not set, it outgrows every bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, combinations

from beeline.engine import Found, Limits, Outcome
from beeline.model.expressions import Expression, Literal
from beeline.model.network import Network
from beeline.model.state import State
from beeline.records import Record, replace
from beeline.searches.runner import run
from beeline.timed.clocks import Constraint
from beeline.timed.discrete import TimedNetwork, largest_reset, take_apart
from beeline.timed.goals import Case
from beeline.timed.limits import Limits as Constants
from beeline.timed.limits import analyse, note
from beeline.timed.options import ZoneOptions
from beeline.timed.search import ZoneGraph, search_zones
from beeline.timed.semantics import TimedState


class _Constants(Record, frozen=True):
    """What clocks are compared with or set to: beyond that, their values make no difference."""

    greatest: dict[int, int]
    reset: int


def grows_for_ever(
    network: Network,
    goal: list[Case],
    clock: Expression,
    beyond: int,
    options: ZoneOptions,
    limits: Limits | None,
) -> bool:
    """Whether a run to the goal with `clock` above `beyond` proves that there is one for every bound."""
    timed = take_apart(network)
    term = timed.clocks.term(clock, None)
    constants = _constants(timed, goal)
    if term.steps or constants is None or timed.rates:
        return False
    above = Constraint(">", clock, None, Literal(beyond))
    wanted = [replace(case, constraints=(*case.constraints, above)) for case in goal]

    def attempt(graph: ZoneGraph) -> Outcome:
        return run(graph.space, "bfs", stop=Found.GOAL, limits=limits)

    _, trace = search_zones(network, wanted, options, attempt)
    if trace is None:
        return False
    moments = [Fraction(0), *accumulate(trace.delays)]
    return _comes_back(trace.states, moments, term.base, constants)


def _constants(timed: TimedNetwork, goal: list[Case]) -> _Constants | None:
    """None if differences of clocks are compared: then values beyond all constants are not alike."""
    analysis, everywhere = analyse(timed), Constants()
    for case in goal:
        for constraint in case.constraints:
            note(timed, constraint, None, everywhere, analysis, timed.network.source)
    for limits in analysis.locations.values():
        everywhere.include(limits)
    if analysis.diagonals:
        return None
    greatest = {clock: max(lower, upper) for clock, lower, upper in everywhere.rows()}
    return _Constants(greatest, largest_reset(timed.clocks))


def _comes_back(states: Sequence[TimedState], moments: Sequence[Fraction], clock: int, constants: _Constants) -> bool:
    known: dict[State, list[int]] = {}
    for number, state in enumerate(states):
        known.setdefault(state.discrete, []).append(number)
    highest = max(constants.greatest.get(clock, 0), constants.reset)
    for same in known.values():
        for earlier, later in combinations(same, 2):
            before, after = states[earlier].clocks, states[later].clocks
            passed = moments[later] - moments[earlier]
            grown = before[clock] > highest and passed > 0 and after[clock] - before[clock] == passed
            if grown and all(
                before[other] == after[other] or min(before[other], after[other]) > constants.greatest.get(other, -1)
                for other in range(1, len(before))
            ):
                return True
    return False
