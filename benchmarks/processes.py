"""Compiles with room for as many processes as a run turns out to need, for measurements below the level of a check."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from beeline import _native
from beeline.analysis.configuration import processes_to_come
from beeline.model.network import Network

T = TypeVar("T")


def with_processes(network: Network, attempt: Callable[[int | None], T], max_processes: int | None = None) -> T:
    """What `attempt` gives with `max_processes`, or for as many as a look at the beginning of a run shows."""
    max_processes = processes_to_come(network) if max_processes is None else max_processes
    while True:
        try:
            return attempt(max_processes)
        except _native.TooManyProcesses:
            max_processes = 4 * (max_processes or len(network.initial) + 4)
