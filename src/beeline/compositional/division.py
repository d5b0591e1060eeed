"""A network divided into components that have nothing in common but handshakes.

Processes that share a variable, a buffer or a broadcast stay together; so do those of which one looks at the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from beeline.model.expressions import (
    At,
    Binary,
    Builtin,
    ChannelInfo,
    Checked,
    Expression,
    Index,
    Instance,
    Literal,
    Poll,
    ProcessRef,
    Ref,
    Remote,
    pattern_parts,
    walk,
)
from beeline.model.network import Channel, Network, Process, Receive, Send, Together
from beeline.model.scope import Scope
from beeline.model.source import BeelineError
from beeline.model.statements import Start, expressions, nested
from beeline.model.types import ChannelType
from beeline.model.usage import globals_written, locals_written
from beeline.records import Record

WHOLE = ("processes", "last", "timeout", "nonprogress", "enabled", "location", "priority")
"""What processes may ask of the whole network."""


class NotDivided(BeelineError):
    """A network that cannot be taken apart."""


class Use(Record, frozen=True):
    """A process, by its number, that sends on a channel, or receives."""

    process: int
    sends: bool


class Division(Record, frozen=True):
    """Components as tuples of process numbers, and who uses each channel between them, by the channel's number."""

    components: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    between: dict[int, tuple[Use, ...]]


def divide(network: Network) -> Division:
    """The finest division of a network; raises `NotDivided` where it speaks of itself as a whole."""
    _refuse(network)
    users = [_Uses(network, number) for number in range(len(network.initial))]
    groups = list(range(len(users)))

    def join(numbers: list[int]) -> None:
        for other in numbers[1:]:
            old, new = groups[other], groups[numbers[0]]
            groups[:] = [new if group == old else group for group in groups]

    for name in sorted(globals_written(network) | {sync.label for user in users for sync in user.labels}):
        join([number for number, user in enumerate(users) if name in user.names])
    for number, user in enumerate(users):
        join([number, *sorted(user.processes)])
    channels = Scope(network).channel_kinds
    uses: dict[int, list[Use]] = {}
    for number, user in enumerate(users):
        for channel, sends in sorted(user.channels):
            uses.setdefault(channel, []).append(Use(number, sends))
    for channel, found in uses.items():
        if not is_handshake(channels[channel - 1]):
            join([use.process for use in found])
    components = [tuple(n for n, group in enumerate(groups) if group == one) for one in dict.fromkeys(groups)]
    between = {
        channel: tuple(found) for channel, found in uses.items() if len({groups[use.process] for use in found}) > 1
    }
    names = tuple("+".join(network.initial[number].name for number in one) for one in components)
    return Division(tuple(components), names, between)


def is_handshake(channel: Channel) -> bool:
    return channel.capacity == 0 and not channel.broadcast


def _refuse(network: Network) -> None:
    rules = network.rules
    if network.monitor is not None or network.is_rule_based or rules.priorities or rules.lossy:
        raise NotDivided("its steps depend on the whole network")
    if any(priority for channel in network.channels for priority in channel.every_priority):
        raise NotDivided("its channels have priorities")
    if any(isinstance(field, ChannelType) for channel in network.channels for field in channel.fields):
        raise NotDivided("channels are sent through channels")
    for process in {network.process(start.process) for start in network.initial}:
        if found := sorted(process.builtins & set(WHOLE)):
            raise NotDivided(f"{process.name} asks for '{found[0]}', which the whole network decides")
        if any(isinstance(one, Start) for edge in process.edges for one in nested(edge.effect)):
            raise NotDivided(f"{process.name} starts processes: have them all run from the start")
        if process.channels:
            raise NotDivided(f"{process.name} has channels of its own: declare them outside of processes")
        _refuse_choices(process)


def _refuse_choices(process: Process) -> None:
    """An `else` beside a handshake is possible where the partner is not ready, which the component cannot know."""
    for leaving in process.leaving:
        ranked = [process.edges[position] for position in leaving]
        if any(isinstance(edge.sync, (Send, Receive)) for edge in ranked) and (
            len({edge.rank for edge in ranked}) > 1 or any(edge.otherwise for edge in ranked)
        ):
            raise NotDivided(f"{process.name} has an `else` or `unless` beside a message")


class _Uses:
    """What a process, given by its number, has to do with others."""

    def __init__(self, network: Network, number: int) -> None:
        start = network.initial[number]
        self._network, self._number = network, number
        self._process = network.process(start.process)
        parameters = [parameter.name for parameter in self._process.parameters]
        self._values = {**network.constants, **dict(zip(parameters, start.arguments, strict=False))}
        self._scope = Scope(network)
        self._written = locals_written(network, self._process)
        parts = [part for root in self._roots() for part in walk(root)]
        own = {variable.name for variable in (*self._process.parameters, *self._process.variables)}
        hidden = {variable.name for variable in network.variables if variable.hidden}
        self.labels = [edge.sync for edge in self._process.edges if isinstance(edge.sync, Together)]
        self.names = {part.name for part in parts if isinstance(part, Ref)} - own - hidden
        self.names |= {one.label for one in self.labels}
        self.processes = {
            other for part in parts if isinstance(part, (At, Remote)) for other in self._meant(part.process)
        }
        self.channels: set[tuple[int, bool]] = set()
        for edge in self._process.edges:
            if isinstance(edge.sync, (Send, Receive)):
                self.channels |= {(one, isinstance(edge.sync, Send)) for one in self._numbers(edge.sync.channel)}
        for part in parts:
            if isinstance(part, (ChannelInfo, Poll)):
                self.channels |= {(one, False) for one in self._numbers(part.channel)}

    def _roots(self) -> Iterator[Expression]:
        process = self._process
        yield process.provided
        yield from (one.expression for one in process.variables if one.expression is not None)
        bodies = [edge.effect for edge in process.edges]
        for edge in process.edges:
            yield edge.guard
            if isinstance(edge.sync, Send):
                yield from edge.sync.values
            elif isinstance(edge.sync, Receive):
                yield from pattern_parts(edge.sync.patterns)
        # A function that is called by one may be called by any: all count.
        bodies += [function.body for function in (*process.functions, *self._network.functions)]
        for body in bodies:
            for statement in nested(body):
                yield from expressions(statement)

    def _meant(self, process: ProcessRef) -> Iterator[int]:
        for number, start in enumerate(self._network.initial):
            if start.name == process.name if isinstance(process, Instance) else start.process == process.process:
                yield number

    def _numbers(self, channel: Expression) -> list[int]:
        """The channels that an expression may mean."""
        numbers = self._scope.numbers_of_channels
        if isinstance(channel, Ref) and channel.name in numbers:
            return numbers[channel.name]
        if isinstance(channel, Index) and isinstance(channel.base, Ref) and channel.base.name in numbers:
            every = numbers[channel.base.name]
            index = self._constant(channel.index)
            return every if index is None else every[index : index + 1]
        known = self._constant(channel)
        if known is None:
            raise NotDivided(f"{self._process.name} keeps channels in variables")
        return [known]

    def _constant(self, part: Expression) -> int | None:
        """The value of an expression that is the same all the time; None if that cannot be seen."""
        match part:
            case Literal(value):
                return value
            case Checked(operand):
                return self._constant(operand)
            case Builtin("pid"):
                return self._number
            case Ref(name) if name not in self._written:
                return self._values.get(name)
            case Binary(("+" | "-") as sign, left, right):
                one, other = self._constant(left), self._constant(right)
                if one is not None and other is not None:
                    return one + other if sign == "+" else one - other
        return None
