"""A heuristic from the steps themselves: what is sought is made of values of cells, each of which needs a step that
writes it, which needs values to be read, and so on down to a depth.

A value that a cell has costs nothing. Else it costs one step and as much as the dearest value that the cheapest step
needs to read; at the depth's end just one step. It is the estimate of Reffel and Edelkamp (Error detection with
directed symbolic model checking, 1999) with cells in the place of gates, computed without arithmetic: `within` gives
the states from which some state of a set is at most so many steps away. It never says too much and drops by at most one
with a step, however many cells a step writes, because each of them is written by steps whose reads hold before.
"""

from __future__ import annotations

from collections.abc import Iterator

from beeline.symbolic.diagrams import Diagram, joined, union
from beeline.symbolic.distances import Distances, from_growing
from beeline.symbolic.encoding import Cells
from beeline.symbolic.quest import Quest, Targets
from beeline.symbolic.relation import Group

MOST_VALUES = 256  # of a cell that is looked into; others count as written by some step
MOST_NODES = 100_000  # of a set; then what it stands for is said to be near


def distances(quest: Quest, targets: Targets, depth: int) -> Distances:
    """How far states are from what is sought, looked into so deep."""
    refinement = Refinement(quest)
    none = quest.system.diagrams.false
    cells = targets.near_cells | targets.failing_cells
    sets: list[Diagram] = []
    for value in range(depth + 3):
        near = refinement.within(targets.near, targets.near_cells, value, depth)
        if value:
            near = near | refinement.within(targets.failing, targets.failing_cells, value - 1, depth)
        sets.append(near)
        if near == quest.system.diagrams.true:
            break
        if 1 < value < depth and near == sets[-2] and refinement.is_settled(cells, value - 1):
            break
    return from_growing(sets, none)


class Refinement:
    """The values that cells can take within so many steps, looked into down to a depth."""

    def __init__(self, quest: Quest) -> None:
        self._meter, self._system = quest.meter, quest.system
        self._writers: dict[int, list[Group]] = {}
        for group in quest.system.all_groups():
            for cell in group.written:
                self._writers.setdefault(cell, []).append(group)
        self._reads: dict[int, Cells] = {
            cell: frozenset().union(*(group.reads for group in groups)) for cell, groups in self._writers.items()
        }
        self._needs: dict[int, list[tuple[int, Diagram]] | None] = {}
        self._reached: dict[tuple[int, int, int], Diagram] = {}
        self._near_from: dict[tuple[int, int], int] = {}

    def within(self, wanted: Diagram, cells: Cells, steps: int, depth: int) -> Diagram:
        """The states from which a wanted one is at most so many steps away; what is wanted is said by these cells."""
        if steps == 0 or not wanted.satisfiable():
            return wanted
        if depth == 0:
            return self._system.diagrams.true
        encoding = self._system.encoding
        left = wanted.substitute(encoding.to_next(cells))
        for cell in sorted(cells, key=lambda cell: -encoding.bits[cell][0] if encoding.bits[cell] else 0):
            self._meter.tick(wanted, phase="building heuristics")
            left = joined(left, self._values(cell, steps, depth), encoding.next(frozenset([cell])))
        return left

    def is_settled(self, cells: Cells, steps: int) -> bool:
        """Whether more steps change nothing for cells and whatever they depend on: what is left is out of reach."""
        waiting = list(cells)
        seen = set(cells)
        for cell in waiting:
            if self._values(cell, steps, steps) != self._values(cell, steps - 1, steps - 1):
                return False
            fresh = self._reads.get(cell, frozenset()) - seen
            seen |= fresh
            waiting += fresh
        return True

    def _values(self, cell: int, steps: int, depth: int) -> Diagram:
        """The states, with the values that a cell can have after at most so many steps as its next one."""
        depth = min(depth, steps)  # looking deeper does not matter
        if steps >= self._near_from.get((cell, depth), steps + 1):
            return self._system.diagrams.true
        key = cell, steps, depth
        if key not in self._reached:
            found = self._found(cell, steps, depth)
            if found.node_count() > MOST_NODES:
                self._near_from[cell, depth] = steps
                found = self._system.diagrams.true
            self._reached[key] = found
        return self._reached[key]

    def _found(self, cell: int, steps: int, depth: int) -> Diagram:
        encoding = self._system.encoding
        stays = encoding.stays(frozenset([cell]))
        if steps == 0:
            return stays
        needs = self._all_needs(cell)
        if needs is None:
            return encoding.diagrams.true
        changed = [
            encoding.cube([(cell, value)], next_state=True)
            & self.within(needed, self._reads[cell], steps - 1, depth - 1)
            for value, needed in needs
        ]
        return stays | union(changed, encoding.diagrams.false)

    def _all_needs(self, cell: int) -> list[tuple[int, Diagram]] | None:
        """For each value that steps write, the states in which one does; None if there are too many."""
        if cell not in self._needs:
            self._needs[cell] = None
            values = list(self._system.encoding.values_of(cell))
            if len(values) <= MOST_VALUES:
                self._needs[cell] = [(value, needed) for value, needed in self._each_need(cell, values)]
        return self._needs[cell]

    def _each_need(self, cell: int, values: list[int]) -> Iterator[tuple[int, Diagram]]:
        encoding = self._system.encoding
        for value in values:
            writing = encoding.cube([(cell, value)], next_state=True)
            found = [
                joined(group.relation, writing, encoding.next(group.written)) for group in self._writers.get(cell, [])
            ]
            needed = union(found, encoding.diagrams.false)
            if needed.satisfiable():
                yield value, needed
