"""What ranks ask of whatever lies between them. There are three: threads of one process, MPI, and a simulation."""

from __future__ import annotations

from typing import Protocol

from beeline.model.source import BeelineError

LINE, ORDER, SUMS, NEWS, QUERY, PIECE, SEEK, SOUGHT, LEFT, JOB = range(1, 11)
"""What a message is: a line of states, or one of those that `member` and `follow` tell about."""

Message = tuple[int, int, bytes | bytearray]
"""Who sent it, what it is, and its contents."""


class ClusterError(BeelineError):
    """A search by several ranks that cannot be begun."""


class Transport(Protocol):
    """Between one rank and all others. What one rank sends to another arrives in the order in which it was sent."""

    @property
    def rank(self) -> int: ...

    @property
    def ranks(self) -> int: ...

    def send(self, to: int, tag: int, data: bytes) -> None:
        """Has a message sent. Never waits for anyone."""

    def poll(self) -> Message | None:
        """A message that has arrived, if there is one."""

    def in_flight(self) -> int:
        """How many messages of this rank may still have to be sent."""

    @property
    def failure(self) -> str:
        """Why nothing can be sent or received any more; empty as long as it can."""

    def wait(self, seconds: float) -> None:
        """Lets others work for a moment; may be cut short by a message."""

    def now(self) -> float:
        """Seconds, from any moment on."""

    def is_alive(self, rank: int) -> bool | None:
        """Whether another rank exists; None where only its silence can tell."""

    @property
    def patience(self) -> float:
        """Seconds of silence after which a rank is gone, where nothing else can tell."""
