"""Readable names for the parts of a state: variables, array cells, channel contents, locations."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from beeline.model.network import Network
from beeline.model.scope import Scope, Slot
from beeline.model.state import State
from beeline.model.types import ArrayType, EnumType, IntType, RecordType, Type, width


class Naming:
    """Names the parts of a network's states."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.scope = Scope(network)
        self._last: tuple[State, dict[str, str]] | None = None  # most steps begin where the one before ended

    def process(self, state: State, pid: int) -> str:
        """The name of a live process: its instance's, or its kind with its number."""
        if pid < 0:
            return "monitor"
        initial = self.network.initial
        kind = self.network.processes[state.processes[pid].kind].name
        if pid < len(initial) and initial[pid].process == kind:
            return initial[pid].name
        return f"{kind}({pid})"

    def describe(self, state: State) -> dict[str, str]:
        """Every part of a state as text, in the order of declaration."""
        parts: dict[str, str] = {}
        for name, kind, offset in self._globals:
            parts[name] = self._value(kind, state.variables[offset])
        for (name, fields), messages in zip(self._channels(state), state.channels, strict=True):
            shown = ", ".join(self._message(fields, message) for message in messages) if messages else ""
            parts[name] = f"[{shown}]"
        for pid, process in enumerate(state.processes):
            owner = self.process(state, pid)
            locations = self.network.processes[process.kind].locations
            parts[owner] = locations[process.location].name
            for name, kind, offset in self._locals[process.kind]:
                parts[f"{owner}.{name}"] = self._value(kind, process.locals[offset])
        if state.monitor >= 0 and self.network.monitor is not None:
            parts["monitor"] = self.network.monitor.locations[state.monitor].name
        return parts

    def changes(self, before: State, after: State) -> dict[str, tuple[str | None, str | None]]:
        """What a step changed: old and new text, None for what was not there."""
        last = self._last
        old = last[1] if last is not None and last[0] is before else self.describe(before)
        new = self.describe(after)
        self._last = (after, new)
        names = [*old, *(name for name in new if name not in old)]
        return {name: (old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)}

    @cached_property
    def _globals(self) -> list[tuple[str, Type, int]]:
        return [cell for slot in self.scope.slots.values() if not _is_hidden(slot) for cell in _cells(slot)]

    @cached_property
    def _locals(self) -> list[list[tuple[str, Type, int]]]:
        return [[cell for slot in scope.slots.values() for cell in _cells(slot)] for scope in self.scope.processes]

    def _channel_names(self, state: State) -> list[str]:
        return [name for name, _ in self._channels(state)]

    def _channels(self, state: State) -> list[tuple[str, tuple[Type, ...]]]:
        """The name of each channel, and the types of its messages' fields."""
        found = self._global_channels
        if not any(process.channels for process in self.network.processes):
            return found
        found = [*found]
        for pid, process in enumerate(state.processes):
            owner = self.process(state, pid)
            for channel in self.network.processes[process.kind].channels:
                # The local of that name holds the number; the contents get a mark of their own.
                found += [(f"{owner}.{channel.name}#{i}", channel.fields) for i in range(channel.size or 1)]
        return found

    @cached_property
    def _global_channels(self) -> list[tuple[str, tuple[Type, ...]]]:
        return [
            (channel.name if channel.size is None else f"{channel.name}[{i}]", channel.fields)
            for channel in self.network.channels
            for i in range(channel.size or 1)
        ]

    @cached_property
    def _symbols(self) -> dict[int, str]:
        """The members of Promela's mtype by value, those left out whose value several have."""
        if self.network.language != "promela":
            return {}
        counted = Counter(self.network.constants.values())
        return {value: name for name, value in self.network.constants.items() if counted[value] == 1}

    def _value(self, kind: Type, value: int) -> str:
        if isinstance(kind, IntType) and kind.name == "mtype":
            return self._symbols.get(value, str(value))
        return show_value(kind, value)

    def _message(self, fields: tuple[Type, ...], message: tuple[int, ...]) -> str:
        shown = [self._value(kind, value) for kind, value in zip(fields, message, strict=True)]
        return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"


def _is_hidden(slot: Slot) -> bool:
    return slot.variable is not None and slot.variable.hidden


def _cells(slot: Slot) -> list[tuple[str, Type, int]]:
    return _flatten(slot.name, slot.type, slot.offset)


def _flatten(name: str, kind: Type, offset: int) -> list[tuple[str, Type, int]]:
    cells: list[tuple[str, Type, int]] = []
    match kind:
        case ArrayType(element, size):
            for i in range(size):
                cells += _flatten(f"{name}[{i}]", element, offset + i * width(element))
        case RecordType(_, fields):
            for label, part in fields:
                cells += _flatten(f"{name}.{label}", part, offset)
                offset += width(part)
        case _ if width(kind) == 1:
            cells.append((name, kind, offset))
        case _:
            pass
    return cells


def show_value(kind: Type, value: int) -> str:
    """A value as the model's author would write it."""
    if isinstance(kind, EnumType) and 0 <= value - kind.first < len(kind.members):
        return kind.members[value - kind.first]
    return str(value)
