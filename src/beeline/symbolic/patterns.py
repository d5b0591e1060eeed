"""Exact distances in a pattern: a few cells, as if all others could have any value. The layers are found backward,
set by set, so that a pattern may have far more states than a table could hold.

Edelkamp, Symbolic pattern databases in heuristic search planning, 2002."""

from __future__ import annotations

from beeline.symbolic.diagrams import Diagram, difference, union
from beeline.symbolic.distances import Distances
from beeline.symbolic.encoding import Cells
from beeline.symbolic.meter import Meter
from beeline.symbolic.quest import Quest, Targets
from beeline.symbolic.relation import Group

MOST_NODES = 200_000  # of one layer's search; then a smaller pattern is taken


def distances(quest: Quest, targets: Targets, bits: int) -> Distances:
    """Distances in the largest pattern of so many bits around what is sought that does not take too many nodes."""
    while True:
        cells = chosen(quest, targets, bits)
        found = Pattern(quest, cells).distances(targets, quest.meter)
        if found is not None:
            return found
        bits = max(1, bits // 2)


def chosen(quest: Quest, targets: Targets, bits: int) -> Cells:
    """The cells that say what is sought, then those that steps read which write them, and so on."""
    encoding = quest.system.encoding
    groups = list(quest.system.all_groups())
    found: dict[int, None] = {}
    waiting = sorted(targets.near_cells | targets.failing_cells)
    width = 0
    for cell in waiting:
        if cell in found or not encoding.bits[cell]:
            continue
        width += len(encoding.bits[cell])
        if width > bits and found:
            break
        found[cell] = None
        waiting += sorted({read for group in groups if cell in group.written for read in group.touched} - found.keys())
    return frozenset(found)


class Pattern:
    """The steps as far as these cells show them."""

    def __init__(self, quest: Quest, cells: Cells) -> None:
        self._system = quest.system
        self.cells = cells
        watching = quest.system.watching
        self._steps = self._shown([group for mover in quest.system.processes() for group in mover.listed])
        self._watch = [] if watching is None else self._shown(watching.all_groups())

    def _shown(self, groups: list[Group]) -> list[Group]:
        return [group.onto(self.cells) for group in groups if group.written & self.cells]

    def distances(self, targets: Targets, meter: Meter) -> Distances | None:
        """Layer by layer from what is sought; None if that takes too many nodes."""
        encoding = self._system.encoding
        layers = [encoding.onto(targets.near, self.cells)]
        reached = layers[0]
        fresh = layers[0]
        while True:
            meter.tick(reached, fresh, phase="building heuristics")
            before = self._before(fresh)
            if len(layers) == 1:
                before = before | encoding.onto(targets.failing, self.cells)
            fresh = difference(before, reached)
            if not fresh.satisfiable():
                return Distances(layers)
            if fresh.node_count() > MOST_NODES:
                return None
            reached = reached | fresh
            layers.append(fresh)

    def _before(self, states: Diagram) -> Diagram:
        """From where one step leads to states: a move of the monitor, one of the network, or both."""
        moved = self._undone(states, self._steps)
        return moved | self._undone(states | moved, self._watch) if self._watch else moved

    def _undone(self, states: Diagram, groups: list[Group]) -> Diagram:
        return union([group.preimage(states) for group in groups], self._system.diagrams.false)
