"""Compiles with room for as many processes as a run turns out to need, for measurements below the level of a check."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from beeline import _native
from beeline.analysis.configuration import processes_to_come
from beeline.model.network import Network

T = TypeVar("T")


def with_room(network: Network, attempt: Callable[[int | None], T], room: int | None = None) -> T:
    """What `attempt` gives with room for `room` processes, or for as many as a look at the beginning of a run shows."""
    room = processes_to_come(network) if room is None else room
    while True:
        try:
            return attempt(room)
        except _native.TooManyProcesses:
            room = 4 * (room or len(network.initial) + 4)
