"""One rank of a search: receives, expands, sends, and answers waves.

Ranks form a tree with the first one at its root. Orders go down, counts come up: a rank answers a wave when it has no
work and all below it have answered. If two waves in a row count as many lines received as sent, and the same numbers
both times, then nobody works and nothing is under way (Mattern, Algorithms for distributed termination detection,
1987). A single such wave proves nothing where lines give work to those who receive them: one that was sent after its
sender was asked may be received before its receiver is.
"""

from __future__ import annotations

import struct
from typing import Protocol, runtime_checkable

from beeline.cluster.keeping import Keeper, Kind
from beeline.cluster.messages import Found, News, Order, Piece, Query, Seek, Sought, Sums, packed, unpacked
from beeline.cluster.transport import LEFT, LINE, NEWS, ORDER, PIECE, QUERY, SEEK, SOUGHT, SUMS, Transport
from beeline.engine import core
from beeline.records import Record

ARITY = 4
"""Of the tree."""

BETWEEN_NEWS = 0.2
AT_ONCE = 64
"""Messages that are received before the rank looks for other work."""

FIRST_CHUNK, LAST_CHUNK = 64, 1 << 16
CHUNK_SECONDS = 0.005
"""What the states that are expanded in one call should take: then messages do not wait longer."""

COUNTED = (
    "stored", "expanded", "generated", "reopened", "evaluated", "dead_ends",
    "deadlocks", "errors", "goals", "transient", "memory", "disk", "disk_read", "disk_written",
)  # fmt: skip


class NativeRank(Protocol):
    """What does all that is done for single states."""

    def begin(self) -> None: ...
    def accept(self, line: bytes | bytearray) -> None: ...
    def flush(self) -> None: ...
    def take_line(self) -> tuple[int, bytes] | None: ...
    def ancestry(self, index: int) -> tuple[list[tuple[int, tuple[int, ...]]], tuple[int, int] | None]: ...
    def expand(self, most: int) -> bool: ...
    @property
    def violation(self) -> tuple[int, int, int | None, int, int, tuple[int, ...]] | None: ...
    @property
    def limit(self) -> str: ...
    @property
    def waiting(self) -> int: ...
    @property
    def statistics(self) -> core.Statistics: ...
    @property
    def traffic(self) -> dict[str, int]: ...


@runtime_checkable
class LayeredRank(NativeRank, Protocol):
    """One that expands layer after layer."""

    def advance(self) -> int: ...


DIRECTED = core.DirectedRank | core.PairedDirectedRank
ON_DISK = core.DiskRank | core.PairedDiskRank
"""Ranks of the engine, by what they can do."""


class Pace(Record, frozen=True):
    """How a rank divides its time."""

    window: int = 32
    """Lines on their way at which it stops to expand until some have left."""
    chunk: int | None = None
    """States that are expanded before it looks at messages; None: as many as take some milliseconds."""


class Member:
    """A rank. `step` is to be called until it is `done`."""

    def __init__(self, transport: Transport, native: NativeRank, pace: Pace, keeper: Keeper | None = None) -> None:
        self.keeper = keeper
        self.transport, self.native, self.pace = transport, native, pace
        rank, ranks = transport.rank, transport.ranks
        self._parent = (rank - 1) // ARITY
        self._children = range(min(ranks, ARITY * rank + 1), min(ranks, ARITY * rank + ARITY + 1))
        self._order = Order(0, 0 if keeper is None or keeper.kept is None else keeper.kept.round)
        self._answered = 0
        self._sums: dict[int, Sums] = {}
        """What the children answered to the present wave."""
        self.sent = self.received = 0
        self._early: list[bytes | bytearray] = []
        """Lines of a round that has begun elsewhere."""
        self._chunk = pace.chunk or FIRST_CHUNK
        self._next_news = 0.0
        self._flushed = False
        self._saved = 0
        self.failure = ""
        self.done = False
        self.directed = native if isinstance(native, DIRECTED) else None
        """The rank, if its states need not be in layers."""
        self.on_disk = native if isinstance(native, ON_DISK) else None
        """The rank, if it keeps its states in files."""
        self._seeks: Seek | None = None
        self._told_best: int | None = None
        if keeper is not None and keeper.kept is not None:
            self._guarded(lambda: keeper.restore(self._kept, rank, ranks))

    @property
    def _kept(self) -> Kind:
        """The rank, if it leaves checkpoints."""
        assert isinstance(self.native, Kind)
        return self.native

    def step(self) -> bool:
        """Does a part of the work; whether there was some to do."""
        busy = self._receive()
        if not self.done:
            busy = self._work() or busy
            busy = self._answer() or busy
            self._tell()
        return busy

    # Messages

    def _receive(self) -> bool:
        for count in range(AT_ONCE):
            message = self.transport.poll()
            if message is None:
                return count > 0
            self.take(*message)
            if self.done:
                break
        return True

    def take(self, sender: int, tag: int, data: bytes | bytearray) -> None:
        """Takes in a message."""
        if tag == LINE:
            self._take_line(data)
        elif tag == ORDER:
            self._obey(unpacked(data, Order))
        elif tag == SUMS:
            self._sums[sender] = unpacked(data, Sums)
        elif tag == QUERY:
            self._tell_way(unpacked(data, Query))
        elif tag == SEEK:
            self._begin_seeking(unpacked(data, Seek))

    def _take_line(self, data: bytes | bytearray) -> None:
        (round_,) = struct.unpack_from("=I", data)
        if round_ != self._order.round and not self._order.ends:
            self._early.append(data)
            return
        self.received += 1
        if not self._order.ends and not self.failure:
            self._guarded(lambda: self.native.accept(data))

    def _obey(self, order: Order) -> None:
        for child in self._children:
            self.transport.send(child, ORDER, packed(order))
        before, self._order = self._order, order
        keeper = self.keeper
        if order.save != before.save and order.save and keeper is not None:
            self._guarded(lambda: self._save(keeper, order))
        if order.pause and not before.pause:
            self._flushed = False  # states that wait in lines are to be sent
        if order.round != before.round:
            self._begin_round(order)
        if (order.round != before.round or order.ends) and self._early:
            early, self._early = self._early, []
            for line in early:
                self._take_line(line)
        if order.bound is not None and self.directed is not None:
            self.directed.set_bound(order.bound)
        if order.over:
            if order.answered and self.on_disk is not None:
                self.on_disk.keep_nothing()
            self._leave()

    def _begin_round(self, order: Order) -> None:
        self._flushed = False
        if (on_disk := self.on_disk) is not None:
            self._guarded(lambda: on_disk.advance(*order.bucket))
            return
        assert isinstance(self.native, LayeredRank)
        if order.probe:
            assert isinstance(self.native, core.LayerRank | core.PairedLayerRank | core.TeamRank)
            self.native.probe()
        self._guarded(self.native.advance)

    def _save(self, keeper: Keeper, order: Order) -> None:
        if keeper.save(self._kept, order.save, self.transport.rank, self.transport.ranks, order.complete):
            self._saved = order.save

    def _leave(self) -> None:
        self.done = True
        self.transport.send(0, LEFT, b"")

    def _tell_way(self, query: Query) -> None:
        """What this rank knows of the way to a state goes to the first, the question to the owner of what is before."""
        if self.on_disk is not None:  # where that came from, nobody knows
            source = Piece(query.position, [(0, self.on_disk.source)], False, self.on_disk.source_depth)
            self.transport.send(0, PIECE, packed(source))
            return
        steps, further = self.native.ancestry(query.index)
        self.transport.send(0, PIECE, packed(Piece(query.position, steps, further is None)))
        if further is not None:
            rank, index = further
            self.transport.send(rank, QUERY, packed(Query(index, query.position + len(steps))))

    def _begin_seeking(self, seek: Seek) -> None:
        assert self.on_disk is not None
        self._seeks = seek
        self.on_disk.begin_seeking(seek.depth, seek.target)

    def _go_on_seeking(self, seek: Seek) -> None:
        assert self.on_disk is not None
        if not self.on_disk.seek(self._chunk):
            self._seeks = None
            found = self.on_disk.sought
            self._tell_sought(Sought(seek.depth) if found is None else Sought(seek.depth, *found))

    def _tell_sought(self, sought: Sought) -> None:
        self.transport.send(0, SOUGHT, packed(sought))

    # Work

    @property
    def is_passive(self) -> bool:
        """Whether only a message can give it work."""
        return self._order.ends or bool(self.failure) or (self._flushed and not self._may_expand)

    @property
    def _may_expand(self) -> bool:
        return self.native.waiting > 0 and not self._order.pause

    def _work(self) -> bool:
        if (seek := self._seeks) is not None:
            self._guarded(lambda: self._go_on_seeking(seek))
            return True
        if self.is_passive:
            return False
        if self.transport.in_flight() >= self.pace.window:
            return False
        began = self.transport.now()
        if self._may_expand:
            self._flushed = False
            self._guarded(self._expand)
            self._fit_chunk(self.transport.now() - began)
        if not self._may_expand:
            self.native.flush()
            self._flushed = True
        self._send_lines()
        return True

    def _expand(self) -> None:
        self.native.expand(self._chunk)

    def _send_lines(self) -> None:
        while (line := self.native.take_line()) is not None:
            self.sent += 1
            self.transport.send(line[0], LINE, line[1])

    def _fit_chunk(self, seconds: float) -> None:
        if self.pace.chunk is None:
            if seconds < CHUNK_SECONDS / 2:
                self._chunk = min(2 * self._chunk, LAST_CHUNK)
            elif seconds > 2 * CHUNK_SECONDS:
                self._chunk = max(self._chunk // 2, 1)

    def _guarded(self, work: object) -> None:
        """What the space raises is told to the first rank, which raises it."""
        assert callable(work)
        try:
            work()
        except core.TooManyProcesses:
            self.failure = "TooManyProcesses"
        except Exception as error:
            self.failure = f"{type(error).__name__}: {error}"

    # Counts

    def figures(self) -> dict[str, int]:
        """What there is to count."""
        statistics = self.native.statistics
        counted = {name: getattr(statistics, name) for name in COUNTED}
        return {**counted, **self.native.traffic, "waiting": self.native.waiting, "lines": self.sent}

    def _own_sums(self) -> Sums:
        figures, found = self.figures(), self.native.violation
        best = None if found is None else Found(found[0], self.transport.rank, *found[1:])
        cut = bool(getattr(self.native, "cut", False))
        limits = self.native.limit, self.failure
        deepest = self.native.statistics.depth
        counted = figures, figures["stored"], best, cut, *limits, deepest, self._saved
        following = None if self.on_disk is None else self.on_disk.next
        return Sums(self._order.wave, self.sent, self.received, *counted, following)

    def _answer(self) -> bool:
        """Answers the present wave, if it is time."""
        wave = self._order.wave
        waits = any(child not in self._sums or self._sums[child].wave != wave for child in self._children)
        if self._answered == wave or waits or not self.is_passive:
            return False
        self._answered = wave
        sums = self._own_sums()
        for child in self._children:
            sums = sums.joined(self._sums[child])
        self._report(sums)
        return True

    def _report(self, sums: Sums) -> None:
        self.transport.send(self._parent, SUMS, packed(sums))

    def _tell(self) -> None:
        """Now and then, and at once when there is no way on, tells the first rank how it is."""
        now = self.transport.now()
        bad = self.failure or self.native.limit
        best = self._own_best()
        if now >= self._next_news or (bad and not self._order.ends) or best != self._told_best:
            self._next_news, self._told_best = now + BETWEEN_NEWS, best
            self._send_news(News(self.figures(), self.native.limit, self.failure, best))

    def interrupt(self) -> None:
        """Somebody wants this rank to end: the first one is to end the search."""
        self._send_news(News(self.figures(), "interrupted"))

    def _own_best(self) -> int | None:
        """The length of a trace that others need not try to reach, where they would."""
        found = None if self.directed is None else self.directed.violation
        return None if found is None else found[0]

    def _send_news(self, news: News) -> None:
        self.transport.send(0, NEWS, packed(news))
