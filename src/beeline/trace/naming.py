"""Readable names for the parts of a state: variables, array cells, channel contents, locations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import compress, count
from operator import ne

from beeline.model.network import Channel, Network
from beeline.model.scope import Scope, Slot
from beeline.model.state import Message, State, changed
from beeline.model.types import ArrayType, EnumType, IntType, RecordType, Type, bounds, values, width


class Naming:
    """Names the parts of a network's states."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.scope = Scope(network)

    def process(self, state: State, pid: int) -> str:
        """The name of a live process: its instance's, or its kind with its number."""
        if pid < 0:
            return "monitor"
        initial = self.network.initial
        kind = self.network.processes[state.processes[pid].kind].name
        if pid < len(initial) and initial[pid].process == kind:
            return initial[pid].name
        return f"{kind}({pid})"

    def number(self, state: State, name: str) -> int | None:
        """The process with a name; None if there is none."""
        pid = self.network.instance_numbers.get(name)
        _, _, numbered = name.rpartition("(")
        if pid is None and numbered[:-1].isdecimal():
            pid = int(numbered[:-1])
        found = pid is not None and pid < len(state.processes) and self.process(state, pid) == name
        return pid if found else None

    def describe(self, state: State) -> dict[str, str]:
        """Every part of a state as text, in the order of declaration."""
        parts: dict[str, str] = {}
        for name, kind, offset in self._globals:
            parts[name] = self.value(kind, state.variables[offset])
        for (name, channel), messages in zip(self._channels(state), state.channels, strict=True):
            if channel.capacity:  # a handshake leaves nothing behind
                parts[name] = self._messages(channel.fields, messages)
        for pid in range(len(state.processes)):
            parts.update(self._process(state, pid))
        parts.update(self._monitor(state))
        return parts

    def _process(self, state: State, pid: int) -> Iterator[tuple[str, str]]:
        """A process's location and its locals; of one that stands for a rule, both are always the same."""
        if self.network.rules.opened:
            return
        process, owner = state.processes[pid], self.process(state, pid)
        yield owner, self.network.processes[process.kind].locations[process.location].name
        for name, kind, offset in self._locals[process.kind]:
            yield f"{owner}.{name}", self.value(kind, process.locals[offset])

    def _monitor(self, state: State) -> Iterator[tuple[str, str]]:
        if state.monitor >= 0 and self.network.monitor is not None:
            yield "monitor", self.network.monitor.locations[state.monitor].name

    def changes(self, before: State, after: State) -> dict[str, tuple[str | None, str | None]]:
        """What a step changed: old and new text, None for what was not there. Only what is another object in the two
        states is looked at: steps leave the rest alone."""
        if not _same_kinds(before, after):
            return _differences(self.describe(before), self.describe(after))
        old, new = self._parts_that_differ(before, after), self._parts_that_differ(after, before)
        return _differences(dict(old), dict(new))

    def _parts_that_differ(self, state: State, other: State) -> Iterator[tuple[str, str]]:
        """Parts of a state as text, at least those that are another in a state with the same processes."""
        if state.variables is not other.variables:
            for offset in compress(count(), map(ne, state.variables, other.variables)):
                if offset in self._globals_by_offset:
                    name, kind = self._globals_by_offset[offset]
                    yield name, self.value(kind, state.variables[offset])
        channels = changed(state.channels, other.channels)
        if channels:
            named = self._channels(state)
            yield from ((named[at][0], self._messages(named[at][1].fields, state.channels[at])) for at in channels)
        for pid in changed(state.processes, other.processes):
            yield from self._process(state, pid)
        yield from self._monitor(state)

    @cached_property
    def _globals(self) -> list[tuple[str, Type, int]]:
        return [cell for slot in self.scope.slots.values() if not _is_hidden(slot) for cell in _cells(slot)]

    @cached_property
    def _locals(self) -> list[list[tuple[str, Type, int]]]:
        return [[cell for slot in scope.slots.values() for cell in _cells(slot)] for scope in self.scope.processes]

    @cached_property
    def _globals_by_offset(self) -> dict[int, tuple[str, Type]]:
        return {offset: (name, kind) for name, kind, offset in self._globals}

    def _channel_names(self, state: State) -> list[str]:
        return [name for name, _ in self._channels(state)]

    def _channels(self, state: State) -> list[tuple[str, Channel]]:
        """The name of each channel, and what it is."""
        found = self._global_channels
        if not any(process.channels for process in self.network.processes):
            return found
        found = [*found]
        for pid, process in enumerate(state.processes):
            owner = self.process(state, pid)
            for channel in self.network.processes[process.kind].channels:
                # The local of that name holds the number; the contents get a mark of their own.
                found += [(f"{owner}.{channel.name}#{i}", channel) for i in range(channel.size or 1)]
        return found

    @cached_property
    def _global_channels(self) -> list[tuple[str, Channel]]:
        return [
            (channel.name if channel.size is None else f"{channel.name}[{i}]", channel)
            for channel in self.network.channels
            for i in range(channel.size or 1)
        ]

    @cached_property
    def _symbols(self) -> dict[tuple[str, int], str]:
        """The members of Promela's mtype by their set and value, those left out whose value several of a set have."""
        if self.network.language != "promela":
            return {}
        sets = self.network.constant_sets
        members = [(sets.get(name, ""), value, name) for name, value in self.network.constants.items()]
        counted = Counter((which, value) for which, value, _ in members)
        return {(which, value): name for which, value, name in members if counted[which, value] == 1}

    def value(self, kind: Type, value: int) -> str:
        """A value as the model's author would write it."""
        if is_mtype(kind):
            which = kind.name.partition(":")[2] if isinstance(kind, IntType) else ""
            return self._symbols.get((which, value), str(value))
        return show_value(kind, value)

    def handed_over(self, state: State, channel: int, values: tuple[int, ...]) -> str:
        """A message on its way: the channel by its name, and the values."""
        named = self._channels(state)
        if not 1 <= channel <= len(named):
            return ""
        name, kind = named[channel - 1]
        if len(values) != len(kind.fields) or not values:
            return name
        told = (self.value(kind, value) for kind, value in zip(kind.fields, values, strict=True))
        return f"{name}: {', '.join(told)}"

    def _messages(self, fields: tuple[Type, ...], messages: tuple[Message, ...]) -> str:
        return f"[{', '.join(self._message(fields, message) for message in messages)}]"

    def _message(self, fields: tuple[Type, ...], message: tuple[int, ...]) -> str:
        shown = [self.value(kind, value) for kind, value in zip(fields, message, strict=True)]
        return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"


def _same_kinds(before: State, after: State) -> bool:
    """Whether the same processes live in two states."""
    one, other = before.processes, after.processes
    return len(one) == len(other) and all(one[pid].kind == other[pid].kind for pid in changed(one, other))


def _differences(old: dict[str, str], new: dict[str, str]) -> dict[str, tuple[str | None, str | None]]:
    names = [*old, *(name for name in new if name not in old)]
    return {name: (old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)}


def _is_hidden(slot: Slot) -> bool:
    return slot.variable is not None and slot.variable.hidden


def _cells(slot: Slot) -> list[tuple[str, Type, int]]:
    return _flatten(slot.name, slot.type, slot.offset)


def _flatten(name: str, kind: Type, offset: int) -> list[tuple[str, Type, int]]:
    cells: list[tuple[str, Type, int]] = []
    match kind:
        case ArrayType(element, size, index):
            for i in range(size):
                shown = str(i) if index is None else show_value(index, values(index)[0] + i)
                cells += _flatten(f"{name}[{shown}]", element, offset + i * width(element))
        case RecordType(_, fields):
            for label, part in fields:
                cells += _flatten(f"{name}.{label}", part, offset)
                offset += width(part)
        case _ if width(kind) == 1:
            cells.append((name, kind, offset))
        case _:
            pass
    return cells


def is_mtype(kind: Type) -> bool:
    """Whether values of a type are members of Promela's mtype, or of a named set of them."""
    return isinstance(kind, IntType) and kind.name.partition(":")[0] == "mtype"


def show_value(kind: Type, value: int) -> str:
    """A value as the model's author would write it."""
    if isinstance(kind, (IntType, EnumType)) and kind.absent and value == bounds(kind)[0]:
        return "undefined"
    if isinstance(kind, EnumType) and 0 <= value - kind.first < len(kind.members):
        return kind.members[value - kind.first]
    return str(value)
