"""States of a network as the reference interpreter sees them: plain, immutable, hashable."""

from __future__ import annotations

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


class Draft:
    """A state being changed by a step."""

    def __init__(self, state: State) -> None:
        self.variables = list(state.variables)
        self.channels = [list(messages) for messages in state.channels]
        self.kinds = [process.kind for process in state.processes]
        self.locations = [process.location for process in state.processes]
        self.locals = [list(process.locals) for process in state.processes]
        self.priorities = [process.priority for process in state.processes]
        self.control = state.control
        self.last = state.last
        self.monitor = state.monitor

    def freeze(self) -> State:
        processes = tuple(
            ProcessState(kind, location, tuple(values), priority)
            for kind, location, values, priority in zip(
                self.kinds, self.locations, self.locals, self.priorities, strict=True
            )
        )
        channels = tuple(tuple(messages) for messages in self.channels)
        return State(tuple(self.variables), channels, processes, self.control, self.last, self.monitor)
