"""Steps of a network as values, and how one of them is asked for."""

from __future__ import annotations

from collections.abc import Container, Mapping, Set
from types import MappingProxyType

from beeline.model.evaluate import StepError
from beeline.model.state import Message, State
from beeline.records import Record


class Move(Record, frozen=True):
    """One edge taken by one process (-1: the monitor) as part of a step."""

    pid: int
    kind: int
    edge: int


class Step(Record, frozen=True, eq=False):
    """A labelled arc: the moves in the order they happen, and where it leads, or the error that it ends in."""

    moves: tuple[Move, ...]
    target: State | None
    error: StepError | None = None
    output: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        """What is printed on the way makes no difference."""
        return isinstance(other, Step) and self._arc == other._arc

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._arc)

    @property
    def _arc(self) -> tuple[tuple[Move, ...], State | None, StepError | None]:
        return self.moves, self.target, self.error


class Candidate(Record, frozen=True):
    """Edges that could be taken together: the one who begins first, then the partners. `message` goes between them."""

    moves: tuple[Move, ...]
    message: Message = ()
    channel: int = 0
    position: int = 0  # of a send to a buffer: where the message is put
    error: StepError | None = None  # raised while deciding whether it is enabled


class Sought(Record, frozen=True):
    """Which steps are asked for. Others are looked at only as far as they decide whether these are possible."""

    pids: Set[int] | None = None  # one of these begins; none: the monitor moves alone
    first: Move | None = None  # it begins with this move
    partners: Mapping[int, Container[Move]] = MappingProxyType({})  # processes that take part move in one of these ways
    moves: tuple[Move, ...] | None = None  # it consists of these

    @classmethod
    def exactly(cls, moves: tuple[Move, ...]) -> Sought:
        """The step that consists of these moves of processes."""
        if not moves:
            return cls(frozenset())
        partners: dict[int, set[Move]] = {}
        for move in moves[1:]:
            partners.setdefault(move.pid, set()).add(move)
        return cls(frozenset([moves[0].pid]), moves[0], partners, moves)

    def fits(self, candidate: Candidate) -> bool:
        """Whether a candidate may be a step that is asked for."""
        begins = candidate.moves[0]
        if self.moves is not None:
            return candidate.moves == self.moves[: len(candidate.moves)]
        if self.first is not None:
            return begins == self.first
        return self.pids is None or begins.pid in self.pids

    def ways(self, pid: int, ways: list[Move]) -> list[Move]:
        """Those of the ways in which a process must take part that are asked for."""
        if pid in self.partners:
            return [move for move in ways if move in self.partners[pid]]
        return [] if self.moves is not None and self.partners else ways


ANY = Sought()
