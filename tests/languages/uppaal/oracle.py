"""An independent judge of timed networks: explores regions (Alur and Dill, 1994), not zones.

A region gives every clock its whole part, says which clocks have a fraction and in which order the fractions are, and
no more than "above" for a clock beyond all constants. It shares no code with what it judges. Differences of clocks
can be compared that do not go beyond the constants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from tests.languages.uppaal.timed_models import Bound, Edge, Model

ABOVE = -1


@dataclass(frozen=True)
class Region:
    """Whole parts by clock (`ABOVE` beyond the constants), and ranks of fractions: 0 for none, greater for larger."""

    whole: tuple[int, ...]
    rank: tuple[int, ...]

    def holds(self, bound: Bound) -> bool:
        whole, rank = self.whole[bound.clock], self.rank[bound.clock]
        if bound.other is not None:
            other, other_rank = self.whole[bound.other], self.rank[bound.other]
            assert ABOVE not in (whole, other)
            value = 2 * (whole - other) + (rank > other_rank) - (rank < other_rank)
        elif whole == ABOVE:
            return bound.operator in (">", ">=")
        else:
            value = 2 * whole + (rank > 0)
        constant = 2 * bound.constant
        return {
            "<": value < constant,
            "<=": value <= constant,
            "==": value == constant,
            ">=": value >= constant,
            ">": value > constant,
        }[bound.operator]

    def reset(self, resets: tuple[tuple[int, int], ...]) -> Region:
        whole, rank = list(self.whole), list(self.rank)
        for clock, value in resets:
            whole[clock], rank[clock] = value, 0
        return normal(whole, rank)

    def later(self, largest: int) -> Region | None:
        """The next region as time passes; None if that is this one for ever."""
        whole, rank = list(self.whole), list(self.rank)
        inside = [clock for clock, value in enumerate(whole) if value != ABOVE]
        if not inside:
            return None
        still = [clock for clock in inside if rank[clock] == 0]
        if still:  # those without a fraction get the smallest one
            for clock in inside:
                rank[clock] += 1
            for clock in still:
                if whole[clock] == largest:
                    whole[clock], rank[clock] = ABOVE, 0
            return normal(whole, rank)
        top = max(rank[clock] for clock in inside)  # those with the greatest fraction become whole
        for clock in inside:
            if rank[clock] == top:
                whole[clock] += 1
                rank[clock] = 0
        return normal(whole, rank)


def normal(whole: list[int], rank: list[int]) -> Region:
    """Ranks without gaps, so that equal regions are equal."""
    used = sorted({rank[clock] for clock, value in enumerate(whole) if value != ABOVE and rank[clock] > 0})
    place = {old: new for new, old in enumerate(used, 1)}
    ranks = [0 if value == ABOVE else place.get(rank[clock], 0) for clock, value in enumerate(whole)]
    return Region(tuple(whole), tuple(ranks))


@dataclass(frozen=True)
class State:
    locations: tuple[int, ...]
    variable: int
    region: Region


class Oracle:
    """Reachable states of a model, and which of them are deadlocks."""

    def __init__(self, model: Model, constant: int = 0) -> None:
        self.model = model
        self.largest = max(model.largest, constant)
        self.reached: set[State] = set()
        self._explore()

    def _explore(self) -> None:
        start = State((0,) * len(self.model.automata), 0, self.first_region())
        if not self.invariant(start):
            return
        waiting = [start]
        self.reached.add(start)
        while waiting:
            state = waiting.pop()
            following = [target for target, _ in self.actions(state)]
            delayed = self.delay(state)
            if delayed is not None:
                following.append(delayed)
            for target in following:
                if target not in self.reached:
                    self.reached.add(target)
                    waiting.append(target)

    def first_region(self) -> Region:
        return Region((0,) * self.model.clocks, (0,) * self.model.clocks)

    # What holds in a state

    def places(self, state: State) -> list[str]:
        return [self.model.automata[number].locations[at].kind for number, at in enumerate(state.locations)]

    def invariant(self, state: State) -> bool:
        return all(
            state.region.holds(bound.at(state.variable))
            for number, at in enumerate(state.locations)
            for bound in self.model.automata[number].locations[at].invariant
        )

    def enabled(self, state: State, number: int, edge: Edge) -> bool:
        return (
            edge.source == state.locations[number]
            and (edge.variable_guard is None or edge.variable_guard == state.variable)
            and all(state.region.holds(bound.at(state.variable)) for bound in edge.guard)
        )

    # Steps

    def delay(self, state: State) -> State | None:
        if any(kind for kind in self.places(state)) or self.urgent(state):
            return None
        region = state.region.later(self.largest)
        if region is None:
            return None
        later = State(state.locations, state.variable, region)
        return later if self.invariant(later) else None

    def urgent(self, state: State) -> bool:
        """Whether a step on an urgent channel is possible."""
        return any(
            "urgent" in self.model.channels[channel]
            for moves in self.joint(state)
            for channel in (moves[0][1].channel,)
            if channel is not None
        )

    def joint(self, state: State) -> Iterator[list[tuple[int, Edge]]]:
        """Edges that can be taken together, the sender first."""
        for number, automaton in enumerate(self.model.automata):
            for edge in automaton.edges:
                if not self.enabled(state, number, edge) or edge.direction == "?":
                    continue
                if edge.channel is None:
                    yield [(number, edge)]
                    continue
                listeners = [
                    [
                        (other, answer)
                        for answer in self.model.automata[other].edges
                        if self.hears(state, other, answer, edge)
                    ]
                    for other in range(len(self.model.automata))
                    if other != number
                ]
                if "broadcast" in self.model.channels[edge.channel]:
                    for answers in product(*(choice for choice in listeners if choice)):
                        yield [(number, edge), *answers]
                else:
                    for choice in listeners:
                        for answer in choice:
                            yield [(number, edge), answer]

    def hears(self, state: State, number: int, answer: Edge, edge: Edge) -> bool:
        return answer.channel == edge.channel and answer.direction == "?" and self.enabled(state, number, answer)

    def actions(self, state: State) -> list[tuple[State, int]]:
        """Targets of the steps that are possible now, each with its priority."""
        committed = {number for number, kind in enumerate(self.places(state)) if kind == "commit"}
        found: list[tuple[State, int]] = []
        for moves in self.joint(state):
            if committed and not any(number in committed for number, _ in moves):
                continue
            locations, variable, region = list(state.locations), state.variable, state.region
            for number, edge in moves:
                locations[number] = edge.target
                region = region.reset(edge.resets_at(variable))
                variable = variable if edge.variable_update is None else edge.variable_update
            target = State(tuple(locations), variable, region)
            if self.invariant(target):
                levels = self.model.priorities
                found.append((target, max((levels[number] for number, _ in moves), default=0) if levels else 0))
        top = max((priority for _, priority in found), default=0)
        return [(target, priority) for target, priority in found if priority == top]

    def is_deadlock(self, state: State) -> bool:
        """No step is possible, now or after any delay."""
        later: State | None = state
        seen: set[State] = set()
        while later is not None and later not in seen:
            seen.add(later)
            if self.actions(later):
                return False
            later = self.delay(later)
        return True

    # Runs

    def some_run_avoids(self, starts: list[State], avoided: Callable[[State], bool]) -> bool:
        """Whether a run from one of these states never meets what is avoided: it takes steps for ever, or waits for as
        long as it may, without end or until no step is possible any more."""
        follow: dict[State, list[State]] = {}
        waiting = [state for state in starts if not avoided(state)]
        while waiting:
            state = waiting.pop()
            if state in follow:
                continue
            delayed = self.delay(state)
            targets = [target for target, _ in self.actions(state)]
            if delayed is None and (not targets or self.waits_for_ever(state)):
                return True
            follow[state] = [s for s in [*targets, *([delayed] if delayed else [])] if not avoided(s)]
            waiting += follow[state]
        return _has_cycle(follow)

    def waits_for_ever(self, state: State) -> bool:
        """Whether time passes without end, and nothing can tell one moment from another."""
        hurries = any(kind for kind in self.places(state)) or self.urgent(state)
        return not hurries and state.region.later(self.largest) is None

    # Questions

    def discrete(self) -> set[tuple[tuple[int, ...], int]]:
        return {(state.locations, state.variable) for state in self.reached}

    def has_deadlock(self) -> bool:
        return any(self.is_deadlock(state) for state in self.reached)


def _has_cycle(follow: dict[State, list[State]]) -> bool:
    """Takes states away that nothing leads to; a cycle is left over. Time alone makes none."""
    incoming = Counter(target for targets in follow.values() for target in targets)
    free = [state for state in follow if not incoming[state]]
    taken = 0
    while free:
        taken += 1
        for target in follow[free.pop()]:
            incoming[target] -= 1
            if not incoming[target]:
                free.append(target)
    return taken < len(follow)
