"""Makes a run that goes on for ever shorter: a lasso through one of the accepting states that the given one passes
again and again, or through any other, if that is shorter still."""

from __future__ import annotations

from beeline.automata.graph import components
from beeline.engine import Limits
from beeline.engines.cycles import check_through
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.model.semantics import ANY, Semantics, Sought
from beeline.model.state import State
from beeline.problems import Result, Settings, problem_of
from beeline.searches import FAIRNESS, find
from beeline.trace.lasso import STRONG, WEAK, is_fair, trail_of_trace, unwatched_state, unwatched_trail
from beeline.trace.trail import Trail, TrailError

MOST_ROUNDS = 10  # of a cycle, until it is seen to come back


def shorter_lasso(
    network: Network, asked: Property, trail: Trail, limits: Limits | None = None, fairness: str = FAIRNESS[0]
) -> tuple[Trail, str]:
    """The better of a lasso, given without its monitor, and what a search finds, and how that was found. Raises
    `TrailError` if the lasso does not violate what is asked, or is not as fair as wanted."""
    if fairness != FAIRNESS[0] and not is_fair(trail, fairness):
        raise TrailError(f"the run is not fair ({fairness}): leave out --fairness")
    seeds = repeated_states(network, asked, trail)
    if not seeds:
        raise TrailError(f"{asked.name} is not violated by this run: no accepting state is passed again and again")
    result: Result | None = check_through(problem_of(network, asked), Settings(find("bfs"), limits=limits), seeds)
    if result is None or result.trace is None:
        return trail, "the search found no other lasso"
    found = unwatched_trail(trail_of_trace(network, asked, result.trace))
    if len(found) >= len(trail):
        return trail, "the search found no shorter lasso"
    lost = next((kind for kind in (STRONG, WEAK) if is_fair(trail, kind) and not is_fair(found, kind)), None)
    if lost is not None and fairness != FAIRNESS[0] and not is_fair(found, fairness):
        return trail, "the search found a shorter lasso, but that is not fair"
    return found, "found by a search of pairs" + (f"; not fair ({lost}), as the given one was" if lost else "")


def closed(trail: Trail) -> Trail:
    """The lasso whose last state is the one at which its cycle begins. SPIN's cycles may begin a few steps before that:
    their steps are repeated until a state comes again."""
    assert trail.cycle is not None
    if trail.cycle == len(trail):
        return trail
    semantics, steps, state = Semantics(trail.network), list(trail.steps), trail.states[-1]
    period = len(steps) - trail.cycle
    met = {(0, trail.states[trail.cycle]): trail.cycle}
    for position in range(trail.cycle + 1, len(steps)):
        met[(position - trail.cycle) % period, trail.states[position]] = position
    for _ in range(MOST_ROUNDS * period):
        place = (len(steps) - trail.cycle) % period, state
        if place in met:
            return Trail(trail.network, trail.start, tuple(steps), met[place])
        met[place] = len(steps)
        again = semantics.step(state, steps[len(steps) - period].moves)
        if again is None or again.target is None:
            break
        steps.append(again)
        state = again.target
    raise TrailError("the last state of the run is not the one at which its cycle begins")


def repeated_states(network: Network, asked: Property, trail: Trail) -> list[State]:
    """The states that the watched network can pass again and again along a lasso. What the monitor does is not told by
    the lasso: it may be any of several things."""
    assert trail.cycle is not None
    _check_closed(trail, trail.cycle)
    along = _Along(asked.watched(network), trail)
    return [
        along.states[number][1]
        for part in components(along.starts, along.successors)
        if len(part) > 1 or part[0] in along.successors(part[0])
        for number in part
        if along.is_accepting(along.states[number][1])
    ]


def _check_closed(trail: Trail, cycle: int) -> None:
    if trail.states[cycle] != trail.states[-1]:
        raise TrailError("the last state of the run is not the one at which its cycle begins")
    if cycle == len(trail) and Semantics(trail.network).steps(trail.states[-1]):
        raise TrailError("the run does not come to rest where it ends")


class _Along:
    """The watched network along a lasso: pairs of a position and a state, numbered as they are met."""

    def __init__(self, network: Network, trail: Trail) -> None:
        self.network, self.trail = network, trail
        self.semantics = Semantics(network)
        self.states: list[tuple[int, State]] = []
        self._numbers: dict[tuple[int, State], int] = {}
        self._following: dict[int, list[int]] = {}
        self.starts = [self._number(0, state) for state in self.semantics.initial_states()]

    def _number(self, position: int, state: State) -> int:
        if (position, state) not in self._numbers:
            self._numbers[position, state] = len(self.states)
            self.states.append((position, state))
        return self._numbers[position, state]

    def successors(self, number: int) -> list[int]:
        if number not in self._following:
            self._following[number] = self._steps(*self.states[number])
        return self._following[number]

    def _steps(self, position: int, state: State) -> list[int]:
        trail = self.trail
        if position == len(trail):  # at rest: only a monitor moves
            return [self._number(position, step.target) for step in self.semantics.steps(state, ANY) if step.target]
        wanted = trail.steps[position]
        after = trail.cycle if position + 1 == len(trail) else position + 1
        assert after is not None
        return [
            self._number(after, step.target)
            for step in self.semantics.steps(state, Sought.exactly(wanted.moves))
            if step.target is not None and tuple(move for move in step.moves if move.pid >= 0) == wanted.moves
            if unwatched_state(step.target) == wanted.target
        ]

    def is_accepting(self, state: State) -> bool:
        if self.network.monitor is not None:
            return self.network.monitor.locations[state.monitor].accept
        places = (self.network.processes[process.kind].locations[process.location] for process in state.processes)
        return any(place.accept for place in places)
