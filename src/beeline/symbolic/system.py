"""A compiled network as a relation between sets of states: who may move when, and where that leads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from beeline.compile.program import Program
from beeline.engine import core
from beeline.symbolic.diagrams import Diagram, difference, union
from beeline.symbolic.encoding import Cells, Encoding
from beeline.symbolic.joint import JointMover
from beeline.symbolic.learning import Predicate
from beeline.symbolic.order import order_of
from beeline.symbolic.relation import Group, Mover, ProcessMover, Rank
from beeline.symbolic.survey import Survey
from beeline.symbolic.watching import Watching

COMMITTED, END = 1, 4  # flags of locations
PRIORITIES = 2 | 4  # flags of programs: of processes, of channels


class System:
    """The states of a program, and what can happen in them. Sets must be known (see `learn`) before anything else is
    asked about them."""

    def __init__(
        self, program: Program, survey: Survey, memory: int, threads: int = 1, alone: Program | None = None
    ) -> None:
        """`alone` is the program of processes that wait for nobody, where all steps are taken together."""
        self.program = program
        self.space = core.ProgramSpace(program.native)
        order = order_of(len(program.layout.cells), survey.nets)
        self.encoding = Encoding(program, survey.values, order, memory, threads)
        self.diagrams = self.encoding.diagrams
        self._prefers = bool(program.tables["flags"] & PRIORITIES)
        self.at_rest = self._without_control()
        """The states in which no process is in the middle of an uninterrupted run. Who is goes first, whatever rank."""
        self.committed = self._places(COMMITTED) & self.at_rest
        self.times_out = program.network.times_out
        numbers = range(len(program.layout.processes))
        self._joint = None if alone is None else JointMover(self.encoding, program, alone)
        self.movers = [self._mover(number, False) for number in numbers] if self._joint is None else [self._joint]
        self.late_movers = [self._mover(number, True) for number in numbers] if self.times_out else []
        self.watching = Watching(self) if program.layout.monitor >= 0 else None
        self.initial = self._opened() if program.network.rules.opened else self.encoding.state(self.encoding.start)

    def _opened(self) -> Diagram:
        """The states that the network is opened with."""
        if self._joint is not None:
            return self._joint.opened(self.encoding.state(self.encoding.start))
        unpack = self.program.native.unpack
        found = [unpack(words) for _, _, _, words in self.space.initial_arcs() if words is not None]
        return union([self.encoding.state(cells) for cells in found], self.diagrams.false)

    def _mover(self, number: int, timeout: bool) -> ProcessMover:
        return ProcessMover(self.encoding, self.space, number, timeout, self._prefers, self.committed.satisfiable())

    def predicate(self, block: int) -> Predicate:
        """The states in which a value of the program is not zero."""
        return Predicate(self.encoding, self.space, block)

    @property
    def is_local(self) -> bool:
        """Whether what a process can do depends on nothing but the cells that it reads, and there are several kinds of
        steps."""
        ranked = self._prefers or self.committed.satisfiable()
        return not ranked and self.is_unwatched and (self._joint is None or len(self._joint.labels) > 1)

    @property
    def is_joint(self) -> bool:
        """Whether all processes step together."""
        return self._joint is not None

    @property
    def is_unwatched(self) -> bool:
        """Whether a step is one move of one process, and perhaps of those that take part in it."""
        return not self.times_out and self.watching is None

    # Places

    @property
    def places(self) -> Cells:
        """The cells that say where everyone is."""
        layout = self.program.layout
        cells = {cell for place in layout.processes for cell in (place.tag, place.location)}
        return self.encoding.all_cells & (cells | {layout.control, layout.monitor})

    def _places(self, flag: int) -> Diagram:
        """The states in which some process stands at a location with a flag."""
        layout, tables = self.program.layout, self.program.tables
        found = []
        for body in tables["bodies"]:
            number, kind, first, count = body[0], body[1], body[12], body[13]
            place = layout.processes[number]
            for location in range(count):
                if tables["locations"][first + location][0] & flag:
                    found.append(self.encoding.cube([(place.tag, kind + 1), (place.location, location)]))
        return union(found, self.diagrams.false)

    @property
    def ended(self) -> Diagram:
        """The states in which every process is at a valid end, or has ended."""
        layout, tables = self.program.layout, self.program.tables
        found = self.diagrams.true
        for number, place in enumerate(layout.processes):
            able = [self.encoding.cube([(place.tag, 0)])] if layout.cells[place.tag].low <= 0 else []
            for body in tables["bodies"]:
                if body[0] == number:
                    ends = [i for i in range(body[13]) if tables["locations"][body[12] + i][0] & END]
                    able += [self.encoding.cube([(place.tag, body[1] + 1), (place.location, i)]) for i in ends]
            found = found & union(able, self.diagrams.false)
        return found

    def _without_control(self) -> Diagram:
        control = self.program.layout.control
        return self.diagrams.true if control < 0 else self.encoding.cube([(control, -1)])

    def may_begin(self, mover: ProcessMover) -> Diagram:
        """The states in which nobody else is in control."""
        control = self.program.layout.control
        return self.at_rest if control < 0 else self.at_rest | self.encoding.cube([(control, mover.number)])

    def count(self, states: Diagram) -> int:
        """How many of the states are at rest: those that other engines store."""
        return self.encoding.count(states & self.at_rest)

    # Learning

    @property
    def everyone(self) -> list[Mover]:
        """All who move, with and without a timeout, the monitor among them."""
        watchers = [] if self.watching is None else self.watching.movers
        return [*self.processes(), *watchers]

    def processes(self) -> list[ProcessMover]:
        """All processes, with and without a timeout."""
        return [*self.movers, *self.late_movers]

    def all_groups(self) -> list[Group]:
        """All steps that are known."""
        watching = [] if self.watching is None else self.watching.all_groups()
        return [*(group for mover in self.processes() for group in mover.steps), *watching]

    def may_ask(self, mover: Mover) -> Diagram:
        """The states in which it matters what somebody can do."""
        return self.may_begin(mover) if isinstance(mover, ProcessMover) else self.at_rest

    def learn(self, states: Diagram) -> None:
        """Finds out all that can happen in these states."""
        for mover in self.movers:
            mover.learn(states & self.may_begin(mover))
        if self.watching is not None:
            self.watching.learn(self, states)
        elif self.times_out:
            self.learn_late(self.idle(states))

    def learn_late(self, states: Diagram) -> None:
        """Finds out what can happen when nothing else can."""
        for mover in self.late_movers:
            mover.learn(states & self.may_begin(mover))

    # Who moves

    def able(self, movers: Sequence[Mover]) -> Diagram:
        """The states in which one of these can move."""
        anywhere = [where for mover in movers for rank, where in mover.able.items() if rank.passes]
        elsewhere = [where for mover in movers for rank, where in mover.able.items() if not rank.passes]
        found = union(anywhere, self.diagrams.false)
        return found | difference(union(elsewhere, self.diagrams.false), self.committed) if elsewhere else found

    def idle(self, states: Diagram) -> Diagram:
        """Those of the states in which nobody can move without a timeout."""
        return difference(states, self.able(self.movers))

    def allowed(self, states: Diagram, rank: Rank, movers: Sequence[Mover]) -> Diagram:
        """Those of the states in which steps of a rank are possible beside what else these can do."""
        if not rank.passes:
            states = difference(states, self.committed)
        if self._prefers:
            for other in {other for mover in movers for other in mover.able}:
                if other.priority > rank.priority:
                    better = union([m.able[other] for m in movers if other in m.able], self.diagrams.false)
                    better = better if other.passes else difference(better, self.committed)
                    states = difference(states, better & self.at_rest)
        return states

    def groups(self, movers: Sequence[Mover]) -> Iterator[Group]:
        """All groups of steps of these."""
        for mover in movers:
            yield from mover.listed

    # Steps

    def successors(self, states: Diagram) -> Diagram:
        """Where one step leads from known states."""
        if self.watching is not None:
            return self.watching.successors(self, states)
        found = self.moved(states, self.movers)
        return found | self.moved(self.idle(states), self.late_movers) if self.times_out else found

    def predecessors(self, states: Diagram) -> Diagram:
        """The known states from which one step leads to these."""
        if self.watching is not None:
            return self.watching.predecessors(self, states)
        found = self.unmoved(states, self.movers)
        return found | self.idle(self.unmoved(states, self.late_movers)) if self.times_out else found

    def moved(self, states: Diagram, movers: Sequence[Mover]) -> Diagram:
        """Where the steps of these lead."""
        if not states.satisfiable():
            return states
        images = [group.image(self.allowed(states, group.rank, movers)) for group in self.groups(movers)]
        return union(images, self.diagrams.false)

    def unmoved(self, states: Diagram, movers: Sequence[Mover]) -> Diagram:
        """From where the steps of these lead to states."""
        found = [self.allowed(group.preimage(states), group.rank, movers) for group in self.groups(movers)]
        return union(found, self.diagrams.false)

    # What is sought

    def deadlocked(self, states: Diagram) -> Diagram:
        """Those of the known states in which nothing can happen and somebody is not at an end."""
        stuck = self.idle(states)
        if self.times_out:
            stuck = difference(stuck, self.able(self.late_movers))
        return difference(stuck, self.ended) if stuck.satisfiable() else stuck

    def failing(self, states: Diagram) -> Diagram:
        """Those of the known states in which a step that is possible ends in an error."""
        if self.watching is not None:
            return self.watching.failing(self, states)
        found = self.failing_by(states, self.movers)
        return found | self.failing_by(self.idle(states), self.late_movers) if self.times_out else found

    def failing_by(self, states: Diagram, movers: Sequence[Mover]) -> Diagram:
        """Those in which a step of one of these fails."""
        found = self.diagrams.false
        for mover in movers:
            for rank, where in mover.failing.items():
                found = found | (self.allowed(states, rank, movers) & where)
        return found
