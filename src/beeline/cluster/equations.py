"""Ranks that solve a boolean equation system together (Joubert and Mateescu, Distributed on-the-fly model checking and
test case generation, SPIN 2006), and then tell why it has its solution.

Lines have questions and answers in them, not states. A round ends when nobody has work and nothing is under way; then
all ranks close the highest block with open variables, and the next round begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from beeline.cluster.member import Member, Pace
from beeline.cluster.messages import Order, Sums, packed, unpacked
from beeline.cluster.root import Bounds, Root, Watch
from beeline.cluster.transport import PIECE, QUERY, Transport
from beeline.engine import Status, core
from beeline.records import Record, replace

Reason = tuple[int, bytes, int]
"""Who knows a variable, its key, and the position of the arc by which it is met (-1: none)."""


class Share(Protocol):
    """A rank's part of the system, where all that is for single variables is done."""

    def accept(self, line: bytes | bytearray) -> None: ...
    def flush(self) -> None: ...
    def take_line(self) -> tuple[int, bytes] | None: ...
    def expand(self, most: int) -> bool: ...
    def close(self, block: int) -> None: ...
    def explain(self, key: bytes) -> tuple[bool, list[Reason]]: ...
    @property
    def waiting(self) -> int: ...
    @property
    def open_blocks(self) -> int: ...
    @property
    def verdict(self) -> tuple[bool, int, bytes] | None: ...
    @property
    def limit(self) -> str: ...
    @property
    def statistics(self) -> core.Statistics: ...
    @property
    def traffic(self) -> dict[str, int]: ...


class Why(Record, frozen=True):
    """To whoever knows these variables: why they have their values."""

    keys: list[bytes]


class Because(Record, frozen=True):
    """The answer, to the first rank: by key, the value and its reasons."""

    told: dict[bytes, tuple[bool, list[Reason]]]


class EquationMember(Member):
    """A rank that has a share of the equations."""

    def __init__(self, transport: Transport, share: Share, pace: Pace) -> None:
        super().__init__(transport, _AsNative(share), pace)
        self.share = share

    def take(self, sender: int, tag: int, data: bytes | bytearray) -> None:
        if tag == QUERY:
            self.transport.send(0, PIECE, packed(self._because(unpacked(data, Why).keys)))
        else:
            super().take(sender, tag, data)

    def _take_line(self, data: bytes | bytearray) -> None:
        super()._take_line(data)
        self._flushed = False  # what is known already is answered at once

    def _because(self, keys: Sequence[bytes]) -> Because:
        return Because({key: self.share.explain(key) for key in keys})

    def _begin_round(self, order: Order) -> None:
        self._flushed = False
        self._guarded(lambda: self.share.close(order.closes))

    def _own_sums(self) -> Sums:
        return replace(super()._own_sums(), deepest=self.share.open_blocks)


class EquationRoot(EquationMember, Root):
    """The first rank, whose share was asked. When it is `done` with a `verdict`, `reasons` has the diagnostic."""

    def __init__(
        self, transport: Transport, share: Share, pace: Pace, bounds: Bounds, most: int, watch: Watch | None = None
    ) -> None:
        Root.__init__(self, transport, _AsNative(share), pace, bounds, watch)
        self.share = share
        self.verdict: tuple[bool, int, bytes] | None = None
        """The value, and who knows the variable of which key that decided it."""
        self.reasons: dict[bytes, tuple[bool, list[Reason]]] = {}
        """By key, the first one being that of the verdict."""
        self.is_whole = True
        """Whether there are no more reasons than wanted."""
        self._most = most
        self._awaited = 0

    def step(self) -> bool:
        busy = super().step()
        if self.verdict is None and self.status is None and (found := self.share.verdict) is not None:
            self.verdict = found
            self.stop(Status.FOUND)
        return busy

    def take(self, sender: int, tag: int, data: bytes | bytearray) -> None:
        if tag == PIECE:
            self._awaited -= 1
            self._note(unpacked(data, Because))
            self._finish()
        else:
            super().take(sender, tag, data)

    def _decide(self, sums: Sums) -> None:
        """A round is over, and nothing but closing a block leads on."""
        self._next_wave(round=self._order.round + 1, closes=sums.deepest - 1)

    def _finish(self) -> None:
        if self._awaited:
            return
        wanted = self._unexplained()
        if wanted and self.is_whole:
            self._ask(wanted)
        else:
            Root._finish(self)

    def _unexplained(self) -> dict[int, list[bytes]]:
        """By rank, the keys of reasons of which the reasons are not known."""
        if self.verdict is None:
            return {}
        if not self.reasons:
            return {self.verdict[1]: [self.verdict[2]]}
        wanted: dict[bytes, int] = {}
        for _, reasons in self.reasons.values():
            wanted.update((key, rank) for rank, key, _ in reasons if key not in self.reasons)
        self.is_whole = len(self.reasons) + len(wanted) <= self._most
        by_rank: dict[int, list[bytes]] = {}
        for key, rank in wanted.items():
            by_rank.setdefault(rank, []).append(key)
        return by_rank

    def _ask(self, wanted: dict[int, list[bytes]]) -> None:
        own = wanted.pop(self.transport.rank, [])
        for rank, keys in wanted.items():
            self._awaited += 1
            self.transport.send(rank, QUERY, packed(Why(keys)))
        if own:
            self._note(self._because(own))
            self._finish()

    def _note(self, because: Because) -> None:
        self.reasons.update(because.told)


class _AsNative:
    """A share in the place of a rank of a search."""

    violation = None

    def __init__(self, share: Share) -> None:
        self._share = share
        self.accept, self.flush, self.take_line = share.accept, share.flush, share.take_line
        self.expand = share.expand

    def begin(self) -> None:
        """The question was asked when the share was made."""

    def ancestry(self, index: int) -> tuple[list[tuple[int, tuple[int, ...]]], tuple[int, int] | None]:
        raise NotImplementedError

    @property
    def limit(self) -> str:
        return self._share.limit

    @property
    def waiting(self) -> int:
        return self._share.waiting

    @property
    def statistics(self) -> core.Statistics:
        return self._share.statistics

    @property
    def traffic(self) -> dict[str, int]:
        return self._share.traffic
