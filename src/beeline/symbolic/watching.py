"""Steps beside a monitor, which moves on the present state before the network does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beeline.symbolic.diagrams import Diagram, difference, union
from beeline.symbolic.relation import Group, MonitorMover, Mover

if TYPE_CHECKING:
    from beeline.symbolic.system import System


class Watching:
    """The monitor of a system. Where it or the network has no move without a timeout, both have another try with one.
    Once its move ends the run, the network moves no more; where the network cannot move, it moves alone."""

    def __init__(self, system: System) -> None:
        self._encoding = system.encoding
        self.cell = system.program.layout.monitor
        rows = system.program.tables["monitor"]
        self.complete = union([self._at(i) for i, row in enumerate(rows) if row[0]], system.diagrams.false)
        """The states in which what it watches for has happened."""
        self.accepting = union([self._at(i) for i, row in enumerate(rows) if row[1]], system.diagrams.false)
        self._halting = Group(system.encoding, frozenset([self.cell]), Group.UNRANKED)
        for place, row in enumerate(rows):
            self._halting.add(self._at(place), frozenset([self.cell]), [(self.cell, row[2])])
        self.mover = MonitorMover(system.encoding, system.space)
        self.late_mover = MonitorMover(system.encoding, system.space, timeout=True)
        self.movers = [self.mover, self.late_mover] if system.times_out else [self.mover]

    def all_groups(self) -> list[Group]:
        """All that it can do."""
        return [self._halting, *(group for mover in self.movers for group in mover.listed)]

    def _at(self, place: int) -> Diagram:
        return self._encoding.cube([(self.cell, place)])

    def learn(self, system: System, states: Diagram) -> None:
        """Finds out what it can do in these states, and the network with a timeout."""
        watched = states & system.at_rest
        self.mover.learn(watched)
        if system.times_out:
            late = self._late(system, watched)
            self.late_mover.learn(late)
            system.learn_late(late)

    def _late(self, system: System, watched: Diagram) -> Diagram:
        """The states in which there is another try with a timeout."""
        if not system.times_out:
            return system.diagrams.false
        both = self.mover.can_move & system.able(system.movers)
        return difference(watched, both)

    def successors(self, system: System, states: Diagram) -> Diagram:
        """Where one step leads from known states."""
        watched = difference(states & system.at_rest, self.complete)
        between = difference(states, system.at_rest)
        late = self._late(system, watched)
        found = system.moved(between, system.movers)
        found = found | self._beside(system, difference(watched, late), self.mover, False)
        return found | self._beside(system, late, self.late_mover, True) if system.times_out else found

    def _beside(self, system: System, states: Diagram, mover: Mover, late: bool) -> Diagram:
        """Where steps lead that begin with a move of the monitor."""
        moved = union(list(mover.images(states)), system.diagrams.false)
        ending = moved & self.complete
        going = difference(moved, self.complete)
        movers = system.late_movers if late else system.movers
        halted = difference(going, system.able(movers))
        return ending | system.moved(going, movers) | self._halting.image(halted)

    def predecessors(self, system: System, states: Diagram) -> Diagram:
        """The known states from which one step leads to these."""
        between = difference(system.unmoved(states, system.movers), system.at_rest)
        found = between | self._before(system, states, self.mover, False)
        return found | self._before(system, states, self.late_mover, True) if system.times_out else found

    def _before(self, system: System, states: Diagram, mover: Mover, late: bool) -> Diagram:
        movers = system.late_movers if late else system.movers
        halted = difference(self._halting.preimage(states), system.able(movers))
        going = difference(system.unmoved(states, movers) | halted, self.complete)
        aims = going | (states & self.complete)
        found = union([group.preimage(aims) for group in mover.listed], system.diagrams.false)
        found = difference(found & system.at_rest, self.complete)
        again = self._late(system, found)
        return again if late else difference(found, again)

    def failing(self, system: System, states: Diagram) -> Diagram:
        """Those of the known states in which a step that is possible ends in an error."""
        watched = difference(states & system.at_rest, self.complete)
        late = self._late(system, watched)
        found = system.failing_by(difference(states, system.at_rest), system.movers)
        for where, mover, movers in (
            (difference(watched, late), self.mover, system.movers),
            (late, self.late_mover, system.late_movers),
        ):
            own = union(list(mover.failing.values()), system.diagrams.false)
            # Beside a move that ends the run the network does not move.
            going = union([group.preimage(~self.complete) for group in mover.listed], system.diagrams.false)
            found = found | (where & own) | system.failing_by(where & going, movers)
        return found
