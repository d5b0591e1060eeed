"""A heuristic from the steps themselves: what is sought is made of values of cells, each of which needs a step that
writes it, which needs values to be read, and so on down to a depth.

A value that a cell has costs nothing. Else it costs one step and as much as the dearest value that the cheapest step
needs to read; at the depth's end just one step. It is the estimate of Reffel and Edelkamp (Error detection with
directed symbolic model checking, 1999) with cells in the place of gates, computed without arithmetic: `within` gives
the states from which some state of a set is at most so many steps away. It never says too much and drops by at most one
with a step, however many cells a step writes, because each of them is written by steps whose reads hold before.

Where several values are needed at once, the costs of some can be added up instead of taking the dearest: cells stand in
different blocks if no kind of step writes both of them, or anything that both depend on down to the depth. A step makes
one block cheaper at most. It is not enough that the cells themselves belong to different processes, as the paper has
it.
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


def distances(quest: Quest, targets: Targets, depth: int, adds: int = 0) -> Distances:
    """How far states are from what is sought, looked into so deep."""
    refinement = Refinement(quest, bool(adds))
    none = quest.system.diagrams.false
    cells = targets.near_cells | targets.failing_cells
    sets: list[Diagram] = []
    most = max(refinement.most(targets.near_cells, depth), 1 + refinement.most(targets.failing_cells, depth))
    for value in range(most + 1):
        near = refinement.within(targets.near, targets.near_cells, value, depth)
        if value:
            near = near | refinement.within(targets.failing, targets.failing_cells, value - 1, depth)
        sets.append(near)
        if near == quest.system.diagrams.true:
            break
        if not adds and 1 < value < depth and near == sets[-2] and refinement.is_settled(cells, value - 1):
            break
    return from_growing(sets, none)


class Refinement:
    """The values that cells can take within so many steps, looked into down to a depth."""

    def __init__(self, quest: Quest, adds: bool = False) -> None:
        self._meter, self._system = quest.meter, quest.system
        self._adds = adds and quest.system.is_unwatched  # else a step is a move of the monitor, too
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
        self._kinds: dict[tuple[int, int], frozenset[object]] = {}
        self._blocks: dict[tuple[Cells, int], list[list[int]]] = {}
        self._most: dict[tuple[int, int], int] = {}

    def most(self, cells: Cells, depth: int) -> int:
        """States from which more steps are needed are out of reach."""
        return sum(max(self._most_for(cell, depth) for cell in block) for block in self._apart(cells, depth))

    def _most_for(self, cell: int, depth: int) -> int:
        key = cell, depth
        if key not in self._most:
            self._most[key] = 1 + (self.most(self._read_for(cell), depth - 1) if depth else 0)
        return self._most[key]

    def _read_for(self, cell: int) -> Cells:
        """What steps read that write a cell."""
        return self._reads.get(cell, frozenset())

    # What can be added up

    def _apart(self, cells: Cells, depth: int) -> list[list[int]]:
        """Blocks of cells: no step makes two of them cheaper. All cells are one where nothing is added up. Those on low
        variables come first."""
        key = cells, depth
        if key not in self._blocks:
            bits = self._system.encoding.bits
            blocks: list[tuple[frozenset[object], list[int]]] = []
            for cell in sorted(cells, key=lambda cell: -bits[cell][0] if bits[cell] else 0):
                kinds, block = self._kinds_for(cell, depth), [cell]
                for other in [one for one in blocks if not self._adds or one[0] & kinds]:
                    blocks.remove(other)
                    kinds, block = kinds | other[0], other[1] + block
                blocks.append((kinds, block))
            self._blocks[key] = [block for _, block in blocks]
        return self._blocks[key]

    def _kinds_for(self, cell: int, depth: int) -> frozenset[object]:
        """The kinds of steps on which it depends how near a cell is to a value. Each step is of one kind."""
        key = cell, depth
        if key not in self._kinds:
            own = {group.rank.label if self._system.is_joint else id(group) for group in self._writers.get(cell, [])}
            deeper = [self._kinds_for(read, depth - 1) for read in self._read_for(cell)] if depth else []
            self._kinds[key] = frozenset(own).union(*deeper)
        return self._kinds[key]

    # How near states are

    def within(self, wanted: Diagram, cells: Cells, steps: int, depth: int) -> Diagram:
        """The states from which a wanted one is at most so many steps away; what is wanted is said by these cells."""
        if steps == 0 or not wanted.satisfiable():
            return wanted
        if depth == 0 and not self._adds:
            return self._system.diagrams.true
        near = [wanted.substitute(self._system.encoding.to_next(cells))] * (steps + 1)  # by steps that are spent so far
        for number, block in enumerate(blocks := self._apart(cells, depth)):
            spent = range(steps + 1) if number < len(blocks) - 1 else [steps]
            near = [self._spent(near, block, total, depth, first=number == 0) for total in spent]
        return near[-1]

    def _spent(self, near: list[Diagram], block: list[int], steps: int, depth: int, first: bool) -> Diagram:
        """What is left when so many steps are spent on this block and on those before it, if it is not the first."""
        here = [steps] if first else range(steps + 1)
        return union([self._without(near[steps - own], block, own, depth) for own in here], self._system.diagrams.false)

    def _without(self, left: Diagram, block: list[int], steps: int, depth: int) -> Diagram:
        """Takes the next values of cells out: each must be so near."""
        for cell in block:
            self._meter.tick(left, phase="building heuristics")
            left = joined(left, self._values(cell, steps, depth), self._system.encoding.next(frozenset([cell])))
        return left

    def is_settled(self, cells: Cells, steps: int) -> bool:
        """Whether more steps change nothing for cells and whatever they depend on: what is left is out of reach."""
        waiting = list(cells)
        seen = set(cells)
        for cell in waiting:
            if self._values(cell, steps, steps) != self._values(cell, steps - 1, steps - 1):
                return False
            fresh = self._read_for(cell) - seen
            seen |= fresh
            waiting += fresh
        return True

    def _values(self, cell: int, steps: int, depth: int) -> Diagram:
        """The states, with the values that a cell can have after at most so many steps as its next one."""
        if depth == 0 < steps:
            return self._system.diagrams.true
        if not self._adds:
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
            & self.within(needed, self._read_for(cell), steps - 1, depth - 1)
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
