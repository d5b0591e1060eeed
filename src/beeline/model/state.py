"""States of a network as the reference interpreter sees them: plain, immutable, hashable."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, count
from operator import is_not
from typing import Any

from beeline.records import Record

Message = tuple[int, ...]


class ProcessState(Record, frozen=True):
    """One live process: its kind (position in the network), location, the scalars of its locals, and its priority."""

    kind: int
    location: int
    locals: tuple[int, ...]
    priority: int = 0


class State(Record, frozen=True):
    """Everything that decides what can happen next.

    `channels` holds the contents of channel ``n`` at position ``n - 1``. `control` is the number of the process that
    goes on alone, or -1. `monitor` is the monitor's location, or -1 without one."""

    variables: tuple[int, ...]
    channels: tuple[tuple[Message, ...], ...]
    processes: tuple[ProcessState, ...]
    control: int = -1
    last: int = 0
    monitor: int = -1


class OpenProcess(Record):
    """A process that a step may change."""

    kind: int
    location: int
    locals: list[int]
    priority: int = 0


class Draft:
    """A state being changed by a step. Only what is opened is copied: a step takes as long as what it changes, however
    large the network is. What was opened and is as before stays the same object in the new state."""

    def __init__(self, state: State) -> None:
        self.variables: Sequence[int] = state.variables
        self.channels: Sequence[Sequence[Message]] = state.channels
        self.processes: Sequence[ProcessState | OpenProcess] = state.processes
        self.control = state.control
        self.last = state.last
        self.monitor = state.monitor
        self._before = state
        self._open_processes: set[int] = set()
        self._open_channels: set[int] = set()  # positions

    # What can be changed

    def open_variables(self) -> list[int]:
        """The network's scalars."""
        if not isinstance(self.variables, list):
            self.variables = list(self.variables)
        return self.variables

    def open_process(self, pid: int) -> OpenProcess:
        """A live process."""
        found = self.processes[pid]
        if not isinstance(found, OpenProcess):
            found = OpenProcess(found.kind, found.location, list(found.locals), found.priority)
            self._process_list()[pid] = found
            self._open_processes.add(pid)
        return found

    def open_channel(self, number: int) -> list[Message]:
        """The messages of a channel."""
        found = self.channels[number - 1]
        if not isinstance(found, list):
            found = list(found)
            self._channel_list()[number - 1] = found
            self._open_channels.add(number - 1)
        return found

    def add_process(self, process: OpenProcess) -> int:
        """A new process; returns its number."""
        self._process_list().append(process)
        self._open_processes.add(len(self.processes) - 1)
        return len(self.processes) - 1

    def add_channel(self) -> int:
        """A new channel; returns its number."""
        self._channel_list().append([])
        self._open_channels.add(len(self.channels) - 1)
        return len(self.channels)

    def remove_process(self, channels: int) -> None:
        """Takes the last process away, with as many channels as it made."""
        self._process_list().pop()
        del self._channel_list()[len(self.channels) - channels :]

    def _process_list(self) -> list[ProcessState | OpenProcess]:
        if not isinstance(self.processes, list):
            self.processes = list(self.processes)
        return self.processes

    def _channel_list(self) -> list[Sequence[Message]]:
        if not isinstance(self.channels, list):
            self.channels = list(self.channels)
        return self.channels

    def freeze(self) -> State:
        """The state as it is now."""
        return State(
            tuple(self.variables),
            self._frozen_channels(),
            self._frozen_processes(),
            self.control,
            self.last,
            self.monitor,
        )

    def _frozen_processes(self) -> tuple[ProcessState, ...]:
        before = self._before.processes
        if self.processes is before:
            return before
        made: dict[int, ProcessState] = {}
        for pid in self._open_processes:
            if pid < len(self.processes) and isinstance(one := self.processes[pid], OpenProcess):
                found = ProcessState(one.kind, one.location, tuple(one.locals), one.priority)
                made[pid] = before[pid] if pid < len(before) and before[pid] == found else found
        if len(self.processes) == len(before) and all(before[pid] is process for pid, process in made.items()):
            return before
        frozen: list[Any] = list(self.processes)
        for pid, process in made.items():
            frozen[pid] = process
        return tuple(frozen)

    def _frozen_channels(self) -> tuple[tuple[Message, ...], ...]:
        before = self._before.channels
        if self.channels is before:
            return before
        frozen: list[Any] = list(self.channels)
        for position in self._open_channels:
            if position < len(frozen):
                frozen[position] = tuple(frozen[position])
        return tuple(frozen)


Parts = tuple[object, ...]
_compared: tuple[Parts, Parts, tuple[int, ...]] = ((), (), ())  # the last two, of whom several ask one after the other


def changed(before: Parts, after: Parts) -> tuple[int, ...]:
    """The positions at which `after` holds another object than `before`, those that only one of them has included.
    Steps leave what they do not change the same object."""
    global _compared
    if before is after:
        return ()
    one, other, found = _compared
    if not ((before is one and after is other) or (before is other and after is one)):
        both = min(len(before), len(after))
        rest = range(both, max(len(before), len(after)))
        found = (*compress(count(), map(is_not, before, after)), *rest)
        _compared = before, after, found
    return found
