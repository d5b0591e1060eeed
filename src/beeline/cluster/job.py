"""What all ranks are to search, in a form that can be sent to them."""

from __future__ import annotations

from typing import Any

from beeline.cluster.directions import Directions
from beeline.cluster.keeping import Keeper
from beeline.cluster.member import Member, Pace
from beeline.cluster.root import Bounds, Root, Watch
from beeline.cluster.transport import Transport
from beeline.engine import core
from beeline.records import Record

LINE = 4096
"""States."""


class Job(Record, frozen=True):
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
    directions: Directions | None = None
    """What an A* goes by; None: the search is breadth-first."""

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

    def _native(self, transport: Transport, space: core.ReducedProgramSpace) -> core.LayerRank | core.DirectedRank:
        request = core.Request(stop=self.stop, memory=self.memory, states=None)
        place = space, transport.rank, transport.ranks, self.line, request
        if self.directions is None:
            return core.LayerRank(*place)
        return core.DirectedRank(*place, self.directions.estimator(), self.directions.prune)
