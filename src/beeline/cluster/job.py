"""What all ranks are to search, in a form that can be sent to them."""

from __future__ import annotations

from typing import Any

from beeline.cluster.directions import Directions
from beeline.cluster.keeping import Keeper
from beeline.cluster.member import Member, NativeRank, Pace
from beeline.cluster.root import Bounds, Root, Watch
from beeline.cluster.transport import Transport
from beeline.engine import core
from beeline.records import Record

LINE = 4096
"""States."""
LINE_BYTES = 2**18
FEWEST_IN_LINE = 64
SHARE_OF_LINES = 8
"""The part of the memory that lines to all other ranks may take."""
WORD, BESIDE = 4, 3
"""Bytes of a word; words that go with each state."""


def line_for(words: int, ranks: int, memory: int) -> int:
    """How many states of so many words are sent at once: a line is to be large enough that its cost is shared by many,
    and one for each rank must fit into the memory.

    >>> line_for(4, 8, 2**30), line_for(100, 8, 2**30), line_for(100, 1024, 2**30)
    (4096, 636, 318)
    """
    each = WORD * (words + BESIDE)
    room = memory // SHARE_OF_LINES // max(ranks - 1, 1)
    return max(FEWEST_IN_LINE, min(LINE, LINE_BYTES // each, room // each))


class Job(Record, frozen=True, tag=True):
    """A program, what is sought in it, and how."""

    tables: dict[str, Any]
    """Of the program."""
    stop: int = 0
    merged: bool = False
    """Whether uninterrupted runs are one step."""
    symmetry: dict[str, Any] | None = None
    orders: int = 0
    """How many orders of what is alike are tried for a representative; 0: all."""
    memory: int | None = None
    """Bytes of each process."""
    states: int | None = None
    depth: int | None = None
    line: int = LINE
    pace: Pace = Pace()
    tier: str = "bytecode"
    pairs: bool = False
    """Whether pairs of states are searched, for accepting cycles."""
    directions: Directions | None = None
    """What an A* goes by; None: the search is breadth-first."""

    threads: int = 1
    """Of each process; several share a store, in a breadth-first search in memory for states."""
    folder: str = ""
    """For files, where states are kept on disk."""
    disk: int | None = None
    """Bytes of the files of each process."""
    buffer: int | None = None
    """States that each process gathers in memory, where they are kept on disk; None: all that there is room for."""
    keeper: Keeper | None = None
    """Where checkpoints are left."""

    def space(self) -> core.ReducedProgramSpace:
        """What is searched."""
        program = core.Program(self.tables)
        same = None if self.symmetry is None else core.fold(program, self.symmetry, self.orders)
        return core.ReducedProgramSpace(core.ProgramSpace(program, merged=self.merged), symmetry=same)

    def member(self, transport: Transport, space: core.ReducedProgramSpace | None = None) -> Member:
        """A rank other than the first."""
        return Member(transport, self._native(transport, space or self.space()), self.pace, self.keeper)

    def root(
        self,
        transport: Transport,
        space: core.ReducedProgramSpace | None = None,
        seconds: float | None = None,
        watch: Watch | None = None,
    ) -> Root:
        """The first rank."""
        bounds = Bounds(seconds, self.states, self.depth)
        return Root(transport, self._native(transport, space or self.space()), self.pace, bounds, watch, self.keeper)

    def _native(self, transport: Transport, space: core.ReducedProgramSpace) -> NativeRank:
        place = transport.rank, transport.ranks, self.line
        request = core.Request(stop=self.stop, memory=self.memory, states=None)
        if self.folder:
            bounded = core.Request(
                stop=self.stop, memory=self.memory, states=self.buffer, depth=self.depth, disk=self.disk
            )
            way = self._way()
            if self.pairs:
                return core.PairedDiskRank(paired(space), *place, bounded, self.folder, *way)
            return core.DiskRank(space, *place, bounded, self.folder, *way)
        if self.directions is None:
            if self.pairs:
                return core.PairedLayerRank(paired(space), *place, request)
            if self.threads > 1:
                return core.TeamRank(space, *place, request, self.threads)
            return core.LayerRank(space, *place, request)
        estimator, prune = self._way()
        assert estimator is not None
        if self.pairs:
            return core.PairedDirectedRank(paired(space), *place, request, estimator, prune)
        return core.DirectedRank(space, *place, request, estimator, prune)

    def _way(self) -> tuple[core.Estimator | None, bool]:
        """What goes first, and whether dead ends are dropped."""
        return (None, False) if self.directions is None else (self.directions.estimator(), self.directions.prune)


def paired(space: core.ReducedProgramSpace) -> core.PairedReducedProgramSpace:
    """The space in which a search for a state finds an accepting cycle."""
    return core.PairedReducedProgramSpace(space)
