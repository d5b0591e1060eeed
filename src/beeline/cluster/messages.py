"""The messages between ranks, other than lines of states."""

from __future__ import annotations

from typing import TypeVar

from msgspec import msgpack

from beeline.records import Record, field

T = TypeVar("T", bound=Record)


class Found(Record, frozen=True, order=True):
    """What ends the search, at its owner: a state, or a step from there to `target`. The least is the best."""

    steps: int
    rank: int
    marks: int
    source: int | None
    action: int
    detail: int
    target: tuple[int, ...]


class Order(Record, frozen=True):
    """From the first rank down the tree. Whoever has no work left answers wave `wave` with its `Sums`."""

    wave: int
    round: int
    bucket: tuple[int, int] = (0, 0)
    """Which states are expanded in the round, where they are in files: their depth and its sum with their estimate, the
    sum first."""
    probe: bool = False
    """Whether states beyond this round's layer are only asked whether they are known."""
    ends: bool = False
    """Nothing more is expanded or stored; what is under way is received and dropped."""
    over: bool = False
    """Nothing is under way any more: the search is over."""
    answered: bool = False
    """It is, and there is no checkpoint any more."""
    pause: bool = False
    """Nothing is expanded until the next order."""
    save: int = 0
    """The number of the last checkpoint of which each rank is to leave its part when it hears of it, and before a round
    that begins with the order; 0: none."""
    complete: int = 0
    """That of the last one that is complete."""
    bound: int | None = None
    """The length of the best trace so far: states that cannot lead to a shorter one need not be expanded."""
    closes: int = 0
    """The block of equations that all ranks close before the round begins, where they solve equations."""


class Sums(Record, frozen=True):
    """Up the tree: what a rank and those below it have counted when they had no work."""

    wave: int
    sent: int
    """Lines."""
    received: int
    figures: dict[str, int] = field(default_factory=dict)
    most: int = 0
    """States of the rank that has most."""
    best: Found | None = None
    cut: bool = False
    limit: str = ""
    """A limit that one of them has reached: what it counted is incomplete."""
    failure: str = ""
    """What the space of one of them raised."""
    deepest: int = 0
    """The most steps after which a state was met, where layers do not tell."""
    saved: int = 0
    """The last checkpoint of which all of them have left their parts."""
    next: tuple[int, int] | None = None
    """The bucket that comes next, where states are in files."""

    def joined(self, other: Sums) -> Sums:
        """Of two parts of the tree together."""
        return Sums(
            self.wave,
            self.sent + other.sent,
            self.received + other.received,
            {name: count + other.figures[name] for name, count in self.figures.items()},
            max(self.most, other.most),
            min((found for found in (self.best, other.best) if found is not None), default=None),
            self.cut or other.cut,
            self.limit or other.limit,
            self.failure or other.failure,
            max(self.deepest, other.deepest),
            min(self.saved, other.saved),
            min((one for one in (self.next, other.next) if one is not None), default=None),
        )


class News(Record, frozen=True):
    """From any rank to the first, several times a second: it is there, and how far it is."""

    figures: dict[str, int]
    limit: str = ""
    """A limit that it has reached."""
    failure: str = ""
    """What its space raised."""
    best: int | None = None
    """The length of the best trace that it has found."""


class Query(Record, frozen=True):
    """To the owner of a state: how it was reached. `position` counts from the end of the path."""

    index: int
    position: int


class Piece(Record, frozen=True):
    """To the first rank: a part of the path, the last state first. Where states are in files, that is one state of some
    depth."""

    position: int
    steps: list[tuple[int, tuple[int, ...]]]
    first: bool
    """Whether it ends with an initial state."""
    depth: int = 0


class Seek(Record, frozen=True):
    """To all ranks that keep states in files: which state of this depth leads to another one?"""

    depth: int
    target: tuple[int, ...]


class Sought(Record, frozen=True):
    """To the first rank: such a state, with the action of the step, or none."""

    depth: int
    action: int = 0
    state: tuple[int, ...] = ()


def packed(message: Record) -> bytes:
    """A message as it is sent."""
    return msgpack.encode(message)


def unpacked(data: bytes | bytearray, kind: type[T]) -> T:
    """A message as it was meant."""
    return msgpack.decode(data, type=kind)
