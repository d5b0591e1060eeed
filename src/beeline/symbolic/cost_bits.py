"""BDDA*: one diagram holds all states that wait, with the bits of their costs before those of the states.

Reffel and Edelkamp, Error detection with directed symbolic model checking, 1999. The cost of a state is its distance
plus its estimate; the distance itself is kept nowhere. Other than printed there, what is sought is looked for in the
states of least cost, not in all that wait: where an estimate is 0 elsewhere, the first hit could be too long."""

from __future__ import annotations

from beeline.engine import Found
from beeline.model.source import BeelineError
from beeline.symbolic.diagrams import Diagram, Renaming, difference, joined, union
from beeline.symbolic.distances import Distances
from beeline.symbolic.guidance import guidance
from beeline.symbolic.quest import Findings, Quest, Way

BITS = 16  # of a cost: none is that large before the search ends for other reasons


def search(quest: Quest) -> Findings:
    """Takes the states of least cost, again and again."""
    costs = Costs(quest)  # before there are diagrams that would have to be reordered
    return _Search(quest, costs, guidance(quest)).run()


class Costs:
    """Numbers as bits of diagrams: the cost, the cost before, the estimate, and the estimate before, bit by bit. They
    stand before all variables of states, the highest bits first."""

    def __init__(self, quest: Quest) -> None:
        diagrams = quest.system.diagrams
        states = list(range(2 * quest.system.encoding.width))
        first = diagrams.add_variables(4 * BITS)
        self._first, self.diagrams = first, diagrams
        diagrams.reorder([*range(first, first + 4 * BITS), *states])
        self.cost, self.before, self.estimate, self.estimate_before = (
            [first + 4 * bit + field for bit in range(BITS)] for field in range(4)
        )
        self.drop_old = diagrams.variables([*self.before, *self.estimate, *self.estimate_before])
        self.drop_cost = diagrams.variables(self.cost)
        self.to_before: Renaming = diagrams.renaming(zip(self.cost, self.before, strict=True))
        self.sums = self._sums()

    def number(self, field: list[int], value: int) -> Diagram:
        """The assignments that give a field a value."""
        return self.diagrams.cube((bit, bool(value >> place & 1)) for place, bit in enumerate(reversed(field)))

    def _sums(self) -> Diagram:
        """cost + estimate before = cost before + 1 + estimate, without overflow."""
        one, zero = self.diagrams.true, self.diagrams.false
        # By the difference of what both sides carry into a place: the right side has one more at the lowest.
        carried = {0: zero, 1: one, -1: zero}
        for place in reversed(range(BITS)):
            carried = self._place(place, carried)
        return carried[0]

    def _place(self, place: int, carried: dict[int, Diagram]) -> dict[int, Diagram]:
        """What holds if the lower places are right, and this one is: by the difference that goes to the next."""
        found: dict[int, list[Diagram]] = {0: [], 1: [], -1: []}
        fields = (self.cost, self.estimate_before, self.before, self.estimate)
        for values in range(16):
            bits = [bool(values >> number & 1) for number in range(4)]
            here = self.diagrams.cube((field[place], bit) for field, bit in zip(fields, bits, strict=True))
            for carry, lower in carried.items():
                rest = carry + bits[2] + bits[3] - bits[0] - bits[1]
                if rest % 2 == 0:
                    found[rest // 2].append(here & lower)
        return {carry: union(parts, self.diagrams.false) for carry, parts in found.items()}


class _Search:
    def __init__(self, quest: Quest, costs: Costs, distances: Distances) -> None:
        self._quest, self._system, self._distances, self._costs = quest, quest.system, distances, costs
        self._estimated = union(
            [layer & costs.number(costs.estimate, value) for value, layer in enumerate(distances.layers)],
            quest.system.diagrams.false,
        )
        self._estimated_before = self._estimated.substitute(
            quest.system.diagrams.renaming(zip(costs.estimate, costs.estimate_before, strict=True))
        )
        self.reached = quest.system.diagrams.false
        self.layers: list[Diagram] = []

    def run(self) -> Findings:
        costs, system = self._costs, self._system
        waiting = system.diagrams.false
        for estimate, part in self._distances.split(system.initial):
            waiting = waiting | (part & costs.number(costs.cost, estimate))
        while waiting.satisfiable():
            least = self._least(waiting)
            taken = waiting & costs.number(costs.cost, least)
            states = taken.exists(costs.drop_cost)
            self._take(least, states)
            found = self._quest.found_in(states)
            if found is not None:
                return self._found(*found)
            successors = self._successors(taken)
            waiting = difference(difference(waiting, taken) | successors, self.reached)
        return Findings(self.reached)

    def _least(self, waiting: Diagram) -> int:
        """Bit by bit from the highest: 0 if there is such a state."""
        value = 0
        for bit in self._costs.cost:
            lower = waiting & self._system.diagrams.literal(bit, False)
            value <<= 1
            if lower.satisfiable():
                waiting = lower
            else:
                value |= 1
        if value + 2 * len(self._distances.layers) >= 1 << BITS:
            raise BeelineError(f"bdda keeps costs in {BITS} bits, too few for this way: use --search astar")
        return value

    def _successors(self, taken: Diagram) -> Diagram:
        """What follows, with its costs."""
        costs = self._costs
        before = taken.substitute(costs.to_before) & self._estimated_before
        after = self._system.successors(before) & self._estimated
        return joined(after, costs.sums, costs.drop_old)

    def _take(self, cost: int, states: Diagram) -> None:
        self._quest.meter.tick(self.reached, states)
        self.reached = self.reached | states
        for estimate, part in self._distances.split(states):
            distance = cost - estimate
            while len(self.layers) <= distance:
                self.layers.append(self._system.diagrams.false)
            self.layers[distance] = self.layers[distance] | part
        self._quest.meter.level(len(self.layers) - 1, self.reached)

    def _found(self, kind: Found, hit: Diagram) -> Findings:
        """The nearest of the states that were hit: those of one cost may be at several distances."""
        distance = next(number for number, layer in enumerate(self.layers) if (layer & hit).satisfiable())
        way = self._quest.back_through(self.layers[:distance], hit & self.layers[distance])
        return Findings(self.reached, Way(way, kind))
