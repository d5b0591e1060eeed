"""The steps of processes as relations between few cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from beeline.engine import core
from beeline.records import Record
from beeline.symbolic.diagrams import Diagram, joined, union
from beeline.symbolic.encoding import Cells, Encoding
from beeline.symbolic.learning import Learner

LocalSteps = list[core.LocalStep]


class Rank(Record, frozen=True):
    """Who goes first: steps of higher priority, and beside a committed location those that pass it. Of edges that are
    taken with others, the label."""

    passes: bool = True
    priority: int = 0
    label: str = ""


class Group:
    """Steps of one process that write the same cells."""

    UNRANKED: ClassVar[Rank] = Rank()

    def __init__(self, encoding: Encoding, written: Cells, rank: Rank) -> None:
        self.encoding = encoding
        self.written = written
        self.rank = rank
        self.reads: Cells = frozenset()
        self._relation = encoding.diagrams.false
        self._new: list[Diagram] = []
        self._now = encoding.now(written)
        self._next = encoding.next(written)

    def add(self, where: Diagram, reads: Cells, writes: Sequence[tuple[int, int]]) -> None:
        """Adds the steps from the states `where` that write these values."""
        self._new.append(where & self.encoding.cube(writes, next_state=True))
        self.reads |= reads

    @property
    def relation(self) -> Diagram:
        """The pairs of a state and what it becomes, as far as cells are read or written."""
        if self._new:
            self._relation = self._relation | union(self._new, self.encoding.diagrams.false)
            self._new = []
        return self._relation

    @classmethod
    def of(cls, encoding: Encoding, written: Cells, reads: Cells, pairs: Diagram) -> Group:
        """Steps with a known relation."""
        made = cls(encoding, written, cls.UNRANKED)
        made.reads, made._relation = reads, pairs
        return made

    def onto(self, cells: Cells) -> Group:
        """The same steps as far as these cells show them."""
        shown = Group(self.encoding, self.written & cells, self.rank)
        shown._relation = self.encoding.pairs_onto(self.relation, cells)
        shown.reads = self.reads & cells
        return shown

    def with_relation(self, pairs: Diagram) -> Group:
        """A part of the steps."""
        part = Group(self.encoding, self.written, self.rank)
        part._relation = pairs
        return part

    @property
    def touched(self) -> Cells:
        return self.reads | self.written

    @property
    def top(self) -> int:
        """The level of the first variable that matters."""
        levels, bits = self.encoding.diagrams.levels, self.encoding.bits
        return min((levels[bit] for cell in self.touched for bit in bits[cell]), default=0)

    def image(self, states: Diagram) -> Diagram:
        """Where the steps lead from these states."""
        return joined(states, self.relation, self._now).substitute(self.encoding.to_now(self.written))

    def preimage(self, states: Diagram) -> Diagram:
        """From where the steps lead to these states."""
        arrived = states.substitute(self.encoding.to_next(self.written))
        return joined(arrived, self.relation, self._next)


class Mover(Learner[LocalSteps]):
    """What somebody can do: a process, or the monitor. `able` are the states in which there is a step of a rank,
    `failing` those in which a step ends in an error; both say something about known states only."""

    def __init__(self, encoding: Encoding) -> None:
        super().__init__(encoding)
        self.groups: dict[tuple[Cells, Rank], Group] = {}
        self.listed: list[Group] = []
        """The groups in the order in which they came up."""
        self.steps = self.listed
        """The same, or what they are joined from."""
        self.able: dict[Rank, Diagram] = {}
        self.failing: dict[Rank, Diagram] = {}
        self.written: set[tuple[int, int]] = set()
        """The values that steps write, by cell."""

    def note(self, where: Diagram, read: dict[int, int], told: LocalSteps) -> None:
        for step in told:
            rank = self.rank_of(step)
            self.able[rank] = self.able.get(rank, self.encoding.diagrams.false) | where
            if step.marks & core.ERROR:
                self.failing[rank] = self.failing.get(rank, self.encoding.diagrams.false) | where
                continue
            # A cell that was read and keeps its value is not written: then steps of others do not depend on it.
            writes = [(cell, value) for cell, value in step.writes if read.get(cell) != value]
            self.written.update(writes)
            written = self.encoding.all_cells.intersection(cell for cell, _ in writes)
            self._group(written, rank).add(where, frozenset(read), writes)

    def rank_of(self, step: core.LocalStep) -> Rank:
        """Which steps go before this one."""
        return Group.UNRANKED

    def _group(self, written: Cells, rank: Rank) -> Group:
        key = written, rank
        if key not in self.groups:
            self.groups[key] = Group(self.encoding, written, rank)
            self.listed.append(self.groups[key])
        return self.groups[key]

    @property
    def can_move(self) -> Diagram:
        """The states in which there is a step of any rank."""
        return union(list(self.able.values()), self.encoding.diagrams.false)

    def images(self, states: Diagram) -> Iterator[Diagram]:
        """Where the steps lead, group by group."""
        for group in self.listed:
            yield group.image(states)


class ProcessMover(Mover):
    """What a process can begin."""

    def __init__(
        self,
        encoding: Encoding,
        space: core.ProgramSpace,
        number: int,
        timeout: bool = False,
        prefers: bool = False,
        commits: bool = False,
    ) -> None:
        super().__init__(encoding)
        self._space, self.number, self._timeout = space, number, timeout
        self._prefers, self._commits = prefers, commits

    def rank_of(self, step: core.LocalStep) -> Rank:
        return Rank(step.passes_committed or not self._commits, step.priority if self._prefers else 0)

    def ask(self, words: Sequence[int]) -> tuple[Sequence[int], LocalSteps]:
        return self._space.local_steps(words, self.number, self._timeout)


class MonitorMover(Mover):
    """What the monitor can do before the network moves."""

    def __init__(self, encoding: Encoding, space: core.ProgramSpace, timeout: bool = False) -> None:
        super().__init__(encoding)
        self._space, self._timeout = space, timeout

    def ask(self, words: Sequence[int]) -> tuple[Sequence[int], LocalSteps]:
        return self._space.local_monitor_moves(words, self._timeout)
