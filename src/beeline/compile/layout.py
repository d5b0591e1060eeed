"""Where every part of a state lives: one integer cell for each scalar, and the bits that its domain needs.

Cells hold plain values while a state is worked on; the store keeps them packed to the bit. A cell with one possible
value takes no bits at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from beeline.model.network import Channel, Network
from beeline.model.scope import ProcessScope, Scope, initial_values
from beeline.model.state import Message, ProcessState, State
from beeline.model.statements import Start, Statement, Terminate, nested
from beeline.model.types import CHANNEL, CHANNEL_MAX, ScalarType, bounds, scalars
from beeline.model.usage import globals_written, locals_written
from beeline.records import Record, field

GROWTH_START = 4  # free process numbers at first, where processes are started during the run


class Cell(Record):
    """One integer of the state: its bounds and a name for people."""

    name: str
    low: int
    high: int


class ChannelPlace(Record, frozen=True):
    """Where a channel's messages are: a length cell, then `capacity` messages of `fields` cells each."""

    channel: Channel
    length: int
    base: int
    fields: tuple[ScalarType, ...]


class KindPlace(Record):
    """How one kind of process uses the cells of a process number."""

    scope: ProcessScope
    locals: int
    channels: list[ChannelPlace] = field(default_factory=list)
    constants: dict[str, tuple[int, ...]] = field(default_factory=dict)  # locals that never change here


class ProcessPlace(Record):
    """The cells of one process number. The tag is the kind plus one, 0 while no process has the number."""

    tag: int
    location: int
    priority: int  # -1 where priorities play no part
    kinds: dict[int, KindPlace]
    cells: range  # all cells of this number, tag included


class Layout:
    """The cells of a network's states, and the way between `State` and a list of cell values."""

    def __init__(self, network: Network, max_processes: int | None = None) -> None:
        self.network = network
        self.scope = Scope(network)
        self.cells: list[Cell] = []
        self.starts = _starts_by_kind(network)
        self.terminating = _terminating_kinds(network)
        self.most_processes = _most_processes(network, any(self.starts))
        self.max_processes = min(
            self.most_processes, len(network.initial) + GROWTH_START if max_processes is None else max_processes
        )
        self.builtins = network.builtins
        self.constants: dict[str, tuple[int, ...]] = {}  # variables of the network that nothing writes
        self._add_variables()
        self.channels = [
            self._add_channel(element, f"{kind.name}[{i}]" if kind.size is not None else kind.name)
            for kind in network.channels
            for i, element in enumerate(kind.elements)
        ]
        self.control = self._add_control()
        self.last = self._add("last", 0, max(0, self.max_processes - 1)) if "last" in self.builtins else -1
        monitor = network.monitor
        self.monitor = self._add("monitor", 0, len(monitor.locations) - 1) if monitor else -1
        self.processes = [self._add_process(number, kinds) for number, kinds in enumerate(self._possible_kinds())]

    # Building

    def _add(self, name: str, low: int, high: int) -> int:
        self.cells.append(Cell(name, low, high))
        return len(self.cells) - 1

    def _add_all(self, name: str, kinds: Sequence[ScalarType]) -> int:
        first = len(self.cells)
        for position, kind in enumerate(kinds):
            low, high = bounds(kind)
            if kind == CHANNEL:
                high = min(CHANNEL_MAX, self._channel_limit())
            self._add(name if len(kinds) == 1 else f"{name}[{position}]", low, high)
        return first

    def _add_variables(self) -> None:
        written = globals_written(self.network)
        for variable in self.network.variables:
            first = self._add_all(variable.name, scalars(variable.type))
            if variable.name not in written:
                values = tuple(initial_values(variable))
                self.constants[variable.name] = values
                self._fix(first, values)

    def _fix(self, first: int, values: Sequence[int]) -> None:
        """Cells that keep one value for ever."""
        for position, value in enumerate(values):
            self.cells[first + position] = Cell(self.cells[first + position].name, value, value)

    def _channel_limit(self) -> int:
        most = max((scope.channel_count for scope in self.scope.processes), default=0)
        return max(1, self.network.channel_count + most * self.max_processes)

    def _add_channel(self, channel: Channel, name: str) -> ChannelPlace:
        fields = tuple(leaf for kind in channel.fields for leaf in scalars(kind))
        length = self._add(f"len({name})", 0, channel.capacity)
        base = len(self.cells)
        for position in range(channel.capacity):
            self._add_all(f"{name}#{position}", fields)
        return ChannelPlace(channel, length, base, fields)

    def _add_control(self) -> int:
        if not any(edge.keeps_control for process in self.network.processes for edge in process.edges):
            return -1
        return self._add("control", -1, self.max_processes - 1)

    def _possible_kinds(self) -> list[set[int]]:
        """The kinds that each process number can have: the initial one, and what lower numbers can start."""
        index = self.network.process_index
        possible: list[set[int]] = []
        startable: set[int] = set()
        for number in range(self.max_processes):
            kinds = set(startable)
            if number < len(self.network.initial):
                kinds.add(index[self.network.initial[number].process])
            possible.append(kinds)
            for kind in kinds:
                startable |= self.starts[kind]
        return possible

    def _add_process(self, number: int, kinds: set[int]) -> ProcessPlace:
        initially = number < len(self.network.initial)
        fixed = initially and len(kinds) == 1 and not kinds & self.terminating
        first = len(self.cells)
        low, high = (min(kinds) + 1,) * 2 if fixed else (0, max(kinds, default=-1) + 1)
        tag = self._add(f"kind({number})", low, high)
        most = max((len(self.network.processes[kind].locations) for kind in kinds), default=1)
        location = self._add(f"location({number})", 0, most - 1)
        priority = self._add(f"priority({number})", 0, 255) if self.network.rules.priorities else -1
        shared = len(self.cells)
        places = {kind: self._add_kind(number, kind, shared, fixed) for kind in sorted(kinds)}
        return ProcessPlace(tag, location, priority, places, range(first, len(self.cells)))

    def _add_kind(self, number: int, kind: int, shared: int, fixed: bool) -> KindPlace:
        """Kinds that share a number share its cells, which then span all their domains."""
        scope = self.scope.processes[kind]
        outside = self.cells[shared:]
        del self.cells[shared:]
        label = self.network.initial[number].name if fixed else f"{scope.process.name}({number})"
        place = KindPlace(scope, shared)
        for variable in scope.declared:
            self._add_all(f"{label}.{variable.name}", scalars(variable.type))
        for channel in scope.process.channels:
            for element in channel.elements:
                place.channels.append(self._add_channel(element, f"{label}.{channel.name}"))
        if fixed:
            self._fix_constants(number, place)
        self._span(shared, outside, fixed)
        return place

    def _span(self, shared: int, outside: list[Cell], fixed: bool) -> None:
        if fixed:
            return
        for position in range(max(len(outside), len(self.cells) - shared)):
            if shared + position >= len(self.cells):
                self.cells.append(outside[position])
                continue
            cell = self.cells[shared + position]
            other = outside[position] if position < len(outside) else cell
            low, high = min(0, cell.low, other.low), max(0, cell.high, other.high)
            self.cells[shared + position] = Cell(cell.name, low, high)

    def _fix_constants(self, number: int, place: KindPlace) -> None:
        """Locals that nothing writes after the start keep their first value and need no bits."""
        process = place.scope.process
        written = locals_written(self.network, process)
        arguments = dict(zip((v.name for v in process.parameters), self.network.initial[number].arguments, strict=True))
        for variable in (*process.parameters, *process.variables):
            if variable.name in written or variable.expression is not None:
                continue
            given = arguments.get(variable.name)
            values = initial_values(variable) if given is None else [given]
            place.constants[variable.name] = tuple(values)
            self._fix(place.locals + place.scope.slots[variable.name].offset, values)

    # Between states and cell values

    def encode(self, state: State) -> list[int]:
        """Cell values of a state; the state must fit into the layout's process numbers."""
        values = [min(max(0, cell.low), cell.high) for cell in self.cells]
        values[: len(state.variables)] = state.variables
        for place, messages in zip(self.channels, state.channels, strict=False):
            _encode_channel(values, place, messages)
        following = len(self.channels)
        for number, process in enumerate(state.processes):
            following = self._encode_process(values, number, process, state.channels, following)
        for cell, value in ((self.control, state.control), (self.last, state.last), (self.monitor, state.monitor)):
            if cell >= 0:
                values[cell] = value
        return values

    def _encode_process(
        self,
        values: list[int],
        number: int,
        process: ProcessState,
        channels: tuple[tuple[Message, ...], ...],
        following: int,
    ) -> int:
        place = self.processes[number]
        kind = place.kinds[process.kind]
        values[place.tag] = process.kind + 1
        values[place.location] = process.location
        if place.priority >= 0:
            values[place.priority] = process.priority
        values[kind.locals : kind.locals + len(process.locals)] = process.locals
        for channel in kind.channels:
            _encode_channel(values, channel, channels[following])
            following += 1
        return following

    def decode(self, values: Sequence[int]) -> State:
        """The state that cell values stand for."""
        count = sum(len(scalars(variable.type)) for variable in self.network.variables)
        channels = [decode_channel(values, place) if values[place.length] else () for place in self.channels]
        processes: list[ProcessState] = []
        for place in self.processes:
            tag = values[place.tag]
            if tag == 0:
                continue
            kind = place.kinds[tag - 1]
            width = len(kind.scope.types)
            priority = values[place.priority] if place.priority >= 0 else 0
            processes.append(
                ProcessState(
                    tag - 1, values[place.location], tuple(values[kind.locals : kind.locals + width]), priority
                )
            )
            channels += [decode_channel(values, channel) for channel in kind.channels]
        return State(
            tuple(values[:count]),
            tuple(channels),
            tuple(processes),
            values[self.control] if self.control >= 0 else -1,
            values[self.last] if self.last >= 0 else 0,
            values[self.monitor] if self.monitor >= 0 else -1,
        )


def _encode_channel(values: list[int], place: ChannelPlace, messages: Sequence[Message]) -> None:
    values[place.length] = len(messages)
    for position, message in enumerate(messages):
        first = place.base + position * len(place.fields)
        values[first : first + len(message)] = message


def decode_channel(values: Sequence[int], place: ChannelPlace) -> tuple[Message, ...]:
    width = len(place.fields)
    return tuple(
        tuple(values[place.base + i * width : place.base + (i + 1) * width]) for i in range(values[place.length])
    )


def _starts_by_kind(network: Network) -> list[set[int]]:
    """For each kind the kinds that it can start."""
    index = network.process_index
    return [
        {index[s.process] for s in _all_statements(network, position) if isinstance(s, Start)}
        for position in range(len(network.processes))
    ]


def _terminating_kinds(network: Network) -> set[int]:
    return {
        position
        for position in range(len(network.processes))
        if any(isinstance(s, Terminate) for s in _all_statements(network, position))
    }


def _all_statements(network: Network, position: int) -> list[Statement]:
    process = network.processes[position]
    bodies = [edge.effect for edge in process.edges]
    bodies += [function.body for function in (*process.functions, *network.functions)]
    return [statement for body in bodies for statement in nested(body)]


def _most_processes(network: Network, starting: bool) -> int:
    """How many processes can be alive at once."""
    present = len(network.initial)
    return max(network.rules.max_processes, present) if starting else present
