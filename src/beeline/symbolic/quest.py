"""What a search with sets looks for, and the way to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from beeline.engine import Found
from beeline.records import Record
from beeline.symbolic.diagrams import Diagram
from beeline.symbolic.distances import Distances
from beeline.symbolic.encoding import Cells
from beeline.symbolic.learning import Predicate
from beeline.symbolic.meter import Meter
from beeline.symbolic.system import System

State = tuple[int, ...]


class Way(Record, frozen=True):
    """States from the start to what was found; with an error, one more step fails."""

    states: tuple[State, ...]
    found: Found
    shortest: bool = True


class Findings(Record, frozen=True):
    """What became of a search that reached no limit: the states that it reached, and the way to what was sought."""

    reached: Diagram
    way: Way | None = None
    note: str = ""


class Targets(Record, frozen=True):
    """What is sought among states that are all known, and the cells that say so."""

    everything: Diagram
    near: Diagram
    """The states that are sought themselves."""
    failing: Diagram
    """Those in which a step fails that is sought: one step further away."""
    near_cells: Cells
    failing_cells: Cells


class Quest:
    """A system and what is sought in it."""

    def __init__(
        self,
        system: System,
        stop: Found,
        sought: Predicate | None,
        meter: Meter,
        guides: Sequence[Guide] = (),
    ) -> None:
        self.system, self.stop, self.sought, self.meter = system, stop, sought, meter
        self.guides = guides
        """What makes the estimates that the search goes by."""

    @property
    def kinds(self) -> Mapping[Found, Callable[[Diagram], Diagram]]:
        """What is sought, and how it is found in known states: states first, since steps that fail are one step
        further."""
        found = {Found.GOAL: self.goals, Found.DEADLOCK: self.system.deadlocked, Found.ERROR: self.system.failing}
        return {kind: where for kind, where in found.items() if kind in self.stop}

    def found_in(self, states: Diagram) -> tuple[Found, Diagram] | None:
        """What there is of what is sought in known states."""
        for kind, where in self.kinds.items():
            hit = where(states)
            if hit.satisfiable():
                return kind, hit
        return None

    def targets(self, everything: Diagram) -> Targets:
        """What is sought in a set of known states, as far as the cells say it that matter."""
        system, none = self.system, self.system.diagrams.false
        found = {kind: where(everything) for kind, where in self.kinds.items()}
        moving: Cells = frozenset().union(system.places, *(mover.cells for mover in system.everyone))
        near: Cells = frozenset()
        if self.sought is not None and Found.GOAL in found:
            near |= self.sought.cells
        if system.watching is not None and Found.GOAL in found:
            near |= {system.watching.cell}
        if Found.DEADLOCK in found:
            near |= moving
        sought = found.get(Found.GOAL, none) | found.get(Found.DEADLOCK, none)
        failing = found.get(Found.ERROR, none)
        onto = system.encoding.onto
        return Targets(everything, onto(sought, near), onto(failing, moving), near, moving)

    def goals(self, states: Diagram) -> Diagram:
        """Those of the states that are sought by an expression or a monitor. An expression without a value counts: the
        replay tells why it has none."""
        found = self.system.diagrams.false
        if self.sought is not None:
            found = self.sought.holding(states) | (states & self.sought.without_value)
        if self.system.watching is not None:
            found = found | (states & self.system.watching.complete)
        return found

    def back_through(self, layers: Sequence[Diagram], last: Diagram) -> tuple[State, ...]:
        """A way to one of the states `last`, one state out of each layer; each state of a layer is one step away from
        the layer before."""
        encoding = self.system.encoding
        way = [encoding.pick(last)]
        for layer in reversed(layers):
            self.meter.tick(layer, phase="tracing")
            way.append(encoding.pick(self.system.predecessors(encoding.state(way[-1])) & layer))
        return tuple(reversed(way))


Guide = Callable[[Quest, Targets], Distances]
"""What makes an estimate."""
