"""How a limit ends a search with sets."""

from __future__ import annotations

from beeline.engine import Status


class Ended(Exception):
    """A limit was reached."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.value)
        self.status = status
