"""Ranks that are threads of one process."""

from __future__ import annotations

import threading
from collections import deque
from time import monotonic

from beeline.cluster.transport import Message


class Mailboxes:
    """What lies between the threads."""

    def __init__(self, ranks: int) -> None:
        self.boxes: list[deque[Message]] = [deque() for _ in range(ranks)]
        self.bells = [threading.Event() for _ in range(ranks)]
        self.threads: dict[int, threading.Thread] = {}
        """Those that run ranks, where it is of interest whether they still do."""


class ThreadTransport:
    """One thread's side of it."""

    patience = 60.0
    failure = ""

    def __init__(self, mailboxes: Mailboxes, rank: int) -> None:
        self.rank, self.ranks = rank, len(mailboxes.boxes)
        self._all, self._own, self._bell = mailboxes, mailboxes.boxes[rank], mailboxes.bells[rank]

    def send(self, to: int, tag: int, data: bytes) -> None:
        self._all.boxes[to].append((self.rank, tag, data))
        self._all.bells[to].set()

    def poll(self) -> Message | None:
        return self._own.popleft() if self._own else None

    def in_flight(self) -> int:
        """What others have not yet taken: the longest queue, as far as it goes over this rank's fair share."""
        return max(len(box) for box in self._all.boxes) // self.ranks

    def wait(self, seconds: float) -> None:
        if not self._own:
            self._bell.wait(seconds)
        self._bell.clear()

    def now(self) -> float:
        return monotonic()

    def is_alive(self, rank: int) -> bool | None:
        thread = self._all.threads.get(rank)
        return None if thread is None else thread.is_alive() or thread.ident is None
