"""Who sees which name: the scopes of a network and of its processes, and the types of expressions in them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from beeline.model.expressions import Expression, Field, Index, Place, Ref
from beeline.model.network import Channel, Function, Network, Process, Variable
from beeline.model.source import ModelError
from beeline.model.types import (
    CHANNEL,
    ArrayType,
    ChannelType,
    EnumType,
    RecordType,
    Type,
    first_value,
    scalars,
    width,
)
from beeline.records import Record


class Slot(Record, frozen=True):
    """Where a variable lives: the first of its scalars within the globals or within its process's locals."""

    name: str
    offset: int
    type: Type
    variable: Variable | None = None


def lay_out(variables: tuple[Variable, ...], start: int = 0) -> dict[str, Slot]:
    """Consecutive places for variables, in order of declaration."""
    slots: dict[str, Slot] = {}
    for variable in variables:
        slots[variable.name] = Slot(variable.name, start, variable.type, variable)
        start += width(variable.type)
    return slots


def initial_values(variable: Variable) -> list[int]:
    """The scalars of a variable before anything happens."""
    if variable.initial:
        return list(variable.initial)
    return [first_value(kind) for kind in scalars(variable.type)]


class ProcessScope(Record, frozen=True, dict=True):
    """The locals of one kind of process: parameters, variables, then one number for each channel it makes."""

    process: Process

    @cached_property
    def declared(self) -> tuple[Variable, ...]:
        channels = tuple(
            Variable(channel.name, CHANNEL if channel.size is None else ArrayType(CHANNEL, channel.size))
            for channel in self.process.channels
        )
        return self.process.parameters + self.process.variables + channels

    @cached_property
    def slots(self) -> Mapping[str, Slot]:
        return lay_out(self.declared)

    @cached_property
    def types(self) -> list[Type]:
        return [kind for variable in self.declared for kind in scalars(variable.type)]

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        return {function.name: function for function in self.process.functions}

    @cached_property
    def location_index(self) -> Mapping[str, frozenset[int]]:
        """The locations that a name or label stands for."""
        found: dict[str, set[int]] = {}
        for position, location in enumerate(self.process.locations):
            for name in (location.name, *location.labels):
                found.setdefault(name, set()).add(position)
        return {name: frozenset(positions) for name, positions in found.items()}

    @cached_property
    def channel_count(self) -> int:
        return sum(channel.size or 1 for channel in self.process.channels)


class Scope(Record, frozen=True, dict=True):
    """Everything that has a name in a network."""

    network: Network

    @cached_property
    def slots(self) -> Mapping[str, Slot]:
        return lay_out(self.network.variables)

    @cached_property
    def processes(self) -> tuple[ProcessScope, ...]:
        return tuple(ProcessScope(process) for process in self.network.processes)

    @cached_property
    def monitor(self) -> ProcessScope | None:
        return ProcessScope(self.network.monitor) if self.network.monitor else None

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        return {function.name: function for function in self.network.functions}

    @cached_property
    def constants(self) -> Mapping[str, int]:
        """Named numbers: constants and enumeration members."""
        found = dict(self.network.constants)
        everywhere = [*self.network.variables]
        for process in self.network.processes:
            everywhere += [*process.parameters, *process.variables]
        for variable in everywhere:
            for kind in scalars(variable.type):
                if isinstance(kind, EnumType):
                    found.update({member: kind.first + i for i, member in enumerate(kind.members)})
        return found

    @cached_property
    def channel_numbers(self) -> Mapping[str, int]:
        """The number of each channel of the network, or of the first of an array."""
        numbers: dict[str, int] = {}
        following = 1
        for channel in self.network.channels:
            numbers[channel.name] = following
            following += channel.size or 1
        return numbers

    @cached_property
    def numbers_of_channels(self) -> Mapping[str, list[int]]:
        """The numbers of all channels that a name stands for."""
        return {
            channel.name: list(range(first := self.channel_numbers[channel.name], first + (channel.size or 1)))
            for channel in self.network.channels
        }

    @cached_property
    def channels(self) -> Mapping[str, Channel]:
        return {channel.name: channel for channel in self.network.channels}

    @cached_property
    def channel_kinds(self) -> tuple[Channel, ...]:
        """The network's channels by number, 0 excluded: entry ``n - 1`` describes channel ``n``."""
        return tuple(element for kind in self.network.channels for element in kind.elements)


def element_of(kind: Type, place: Place) -> Type:
    """The type one step further: of an array's element or a record's field."""
    match place, kind:
        case Index(), ArrayType(element, _):
            return element
        case Field(_, name), RecordType():
            found = kind.field(name)
            if found is None:
                known = ", ".join(label for label, _ in kind.fields)
                raise ModelError(f"record {kind} has no field '{name}'", remedy=f"its fields are {known}")
            return found
        case Index(), ChannelType():
            return CHANNEL
        case Index(), _:
            raise ModelError(f"'{show(place.base)}' is of type {kind}, not an array")
        case _:
            raise ModelError(f"'{show(place)}' is of type {kind}, not a record")


def root_of(place: Place) -> str:
    """The name that a place starts with."""
    while not isinstance(place, Ref):
        place = place.base
    return place.name


def show(expression: Expression) -> str:
    from beeline.model.printer import show_expression

    return show_expression(expression)
