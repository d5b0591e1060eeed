"""The labelled transition system of a network by several ranks: each knows the arcs of its own states, and tells them
the first one in the end."""

from __future__ import annotations

import pickle

from beeline.cluster.directions import pickled
from beeline.cluster.driving import run_in_threads
from beeline.cluster.equation_job import START_FAILS, watching
from beeline.cluster.equations import EquationMember, EquationRoot
from beeline.cluster.member import Pace
from beeline.cluster.messages import packed, unpacked
from beeline.cluster.root import Bounds, Root, Watch, raise_failure
from beeline.cluster.transport import PIECE, QUERY, Transport
from beeline.engine import Found, Limits, Progress, Status, core
from beeline.engine.budget import current
from beeline.engine.limits import default_memory
from beeline.lts.network_system import Explorer, Labelled, Part, unfinished
from beeline.records import Record


class SystemMember(EquationMember):
    """A rank that tells what it knows when it is asked."""

    def __init__(self, transport: Transport, labelled: Labelled, share: core.ModalRank, pace: Pace) -> None:
        super().__init__(transport, share, pace)
        self._labelled, self._known = labelled, share

    def take(self, sender: int, tag: int, data: bytes | bytearray) -> None:
        if tag == QUERY:
            self.transport.send(0, PIECE, packed(self._labelled.told(self._known)))
        else:
            super().take(sender, tag, data)


class SystemRoot(EquationRoot):
    """The first rank. When it is `done`, `parts` has what all know, unless a limit came before."""

    def __init__(
        self,
        transport: Transport,
        labelled: Labelled,
        share: core.ModalRank,
        pace: Pace,
        bounds: Bounds,
        watch: Watch | None,
    ) -> None:
        super().__init__(transport, share, pace, bounds, 0, watch)
        self._labelled, self._known = labelled, share
        self.parts: list[Part] = []

    def take(self, sender: int, tag: int, data: bytes | bytearray) -> None:
        if tag == PIECE:
            self.parts.append(unpacked(data, Part))
            self._finish()
        else:
            super().take(sender, tag, data)

    def _finish(self) -> None:
        if self.verdict is not None and not self.parts:
            self.parts.append(self._labelled.told(self._known))
            for rank in range(1, self.transport.ranks):
                self.transport.send(rank, QUERY, b"")
        if self.verdict is None or len(self.parts) == self.transport.ranks:
            Root._finish(self)


class SystemJob(Record, frozen=True, tag=True):
    """A network, in a form that can be sent to the ranks that explore it."""

    question: bytes
    """The network, whether labels are steps, and for how many processes there is room."""
    memory: int | None = None
    """Bytes of each rank."""
    states: int | None = None
    line: int = 1024
    """Questions or answers."""
    pace: Pace = Pace()

    @classmethod
    def about(cls, labelled: Labelled, memory: int | None = None, states: int | None = None) -> SystemJob:
        """The job of exploring a network."""
        return cls(pickled((labelled.network, labelled.by_step, labelled.processes)), memory, states)

    def member(self, transport: Transport) -> SystemMember:
        """A rank other than the first."""
        labelled = self._labelled()
        return SystemMember(transport, labelled, self._share(transport, labelled), self.pace)

    def root(self, transport: Transport, seconds: float | None = None, watch: Watch | None = None) -> SystemRoot:
        """The first rank."""
        labelled = self._labelled()
        share = self._share(transport, labelled)
        starts = share.ask()
        root = SystemRoot(transport, labelled, share, self.pace, Bounds(seconds, self.states), watch)
        if not starts:
            root.stop(Status.GAVE_UP, START_FAILS)
        return root

    def _labelled(self) -> Labelled:
        return Labelled(*pickle.loads(self.question))

    def _share(self, transport: Transport, labelled: Labelled) -> core.ModalRank:
        request = core.Request(stop=Found.NOTHING.value, memory=self.memory, states=self.states)
        space, place = core.ProgramSpace(labelled.program.native), (transport.rank, transport.ranks, self.line)
        return core.ModalRank(space, *labelled.parts(), *place, "nearest", request)


def explore_in(threads: int) -> Explorer:
    """Explorers that are threads of this process, which share the states."""

    def explore(labelled: Labelled, limits: Limits, progress: Progress | None) -> list[Part] | None:
        budget = current()
        seconds = limits.time if budget is None else budget.seconds(limits.time)
        memory = default_memory() if limits.memory is None else limits.memory
        job = SystemJob.about(labelled, memory // threads, limits.states)
        watch = watching(progress, threads)
        root = run_in_threads(threads, lambda transport: job.root(transport, seconds, watch), job.member)
        return parts_of(root, limits)

    return explore


def parts_of(root: Root, limits: Limits) -> list[Part] | None:
    """What the first rank says when it is done. Raises `Unfinished` at a limit, and what the space of a rank raised."""
    assert isinstance(root, SystemRoot) and root.status is not None
    if root.cause == START_FAILS:
        return None
    raise_failure("" if root.is_broken else root.cause)
    if root.verdict is None:
        raise unfinished(root.status.value, limits)
    return root.parts
