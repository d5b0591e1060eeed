"""Tables about a network that hold in all its states: the edges that leave each location, the processes that can
receive from each channel, and the locations that restrict which steps are possible.

They are made once, so that the interpreter finds a step by looking at the processes that take part in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import chain

from beeline.model.expressions import Expression, Index, Literal, Ref
from beeline.model.network import Edge, Process, Receive, Send, Together
from beeline.model.scope import Scope, initial_values
from beeline.model.usage import names_read, reads_variables_only, writes_outside
from beeline.model.view import Key


class Facts:
    """Tables of one network."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    @cached_property
    def guards_may_write(self) -> bool:
        functions, variables = list(self.scope.network.functions), list(self.scope.network.variables)
        for process in self.scope.network.processes:
            functions += process.functions
            variables += [*process.parameters, *process.variables]
        outside = {variable.name for variable in variables}
        return any(writes_outside(function, outside) for function in functions)

    @cached_property
    def hidden(self) -> list[tuple[int, tuple[int, ...]]]:
        """Where hidden variables are, and their first values."""
        hidden = [variable for variable in self.scope.network.variables if variable.hidden]
        return [(self.scope.slots[variable.name].offset, tuple(initial_values(variable))) for variable in hidden]

    @cached_property
    def ranks(self) -> list[list[list[list[int]]]]:
        """Edges by process kind, source location and rank, in order of declaration."""
        return [by_rank(process) for process in self.scope.network.processes]

    @cached_property
    def _heard_channels(self) -> list[list[list[tuple[int, Expression, int | None]]]]:
        """Receives by process kind and location, those of lower ranks first: the edge, its channel, and the channel's
        number where it is always the same."""
        table: list[list[list[tuple[int, Expression, int | None]]]] = []
        for kind, rows in enumerate(self.ranks):
            edges = self.scope.network.processes[kind].edges
            table.append(
                [
                    [
                        (position, sync.channel, self._fixed_channel(kind, sync.channel))
                        for position in chain(*row)
                        if isinstance(sync := edges[position].sync, Receive)
                    ]
                    for row in rows
                ]
            )
        return table

    @cached_property
    def channels_by_state(self) -> list[list[list[Expression]]]:
        """Channels of receives by process kind and location that depend on more than the process's own state."""
        return [
            [[channel for _, channel, fixed in row if fixed is None and not self.is_own(kind, channel)] for row in rows]
            for kind, rows in enumerate(self._heard_channels)
        ]

    @cached_property
    def own_channels(self) -> list[list[list[Expression]]]:
        """Likewise those that depend on the process's own state alone."""
        return [
            [[channel for _, channel, fixed in row if fixed is None and self.is_own(kind, channel)] for row in rows]
            for kind, rows in enumerate(self._heard_channels)
        ]

    def is_own(self, kind: int, expression: Expression) -> bool:
        """Whether an expression depends on nothing but the locals of a process of this kind."""
        own = self.scope.processes[kind].slots
        outside = (name for name in names_read(expression) if name in self.scope.slots and name not in own)
        return reads_variables_only(expression) and not any(outside)

    def is_constant(self, kind: int, expression: Expression) -> bool:
        """Whether an expression depends on no variable at all."""
        own = self.scope.processes[kind].slots
        held = (name for name in names_read(expression) if name in self.scope.slots or name in own)
        return reads_variables_only(expression) and not any(held)

    def receives(self, kind: int, location: int, number: int) -> list[int]:
        """Edges that may receive from channel `number`, those of lower ranks first."""
        fixed, some_vary = self._receives[kind][location]
        if not some_vary:
            return fixed.get(number, [])
        row = self._heard_channels[kind][location]
        return [position for position, _, always in row if always is None or always == number]

    @cached_property
    def _receives(self) -> list[list[tuple[dict[int, list[int]], bool]]]:
        """By process kind and location: receives from channels that are always the same, and whether others are."""
        table: list[list[tuple[dict[int, list[int]], bool]]] = []
        for rows in self._heard_channels:
            table.append([])
            for row in rows:
                fixed: dict[int, list[int]] = {}
                for position, _, number in row:
                    if number is not None:
                        fixed.setdefault(number, []).append(position)
                table[-1].append((fixed, any(number is None for _, _, number in row)))
        return table

    @cached_property
    def keys_of_place(self) -> list[list[tuple[Key, ...]]]:
        return [
            [tuple(dict.fromkeys(self._find_keys(kind, at))) for at in range(len(process.locations))]
            for kind, process in enumerate(self.scope.network.processes)
        ]

    def _find_keys(self, kind: int, at: int) -> Iterator[Key]:
        """The keys under which a process of this kind at a location is indexed."""
        process = self.scope.network.processes[kind]
        if process.locations[at].committed:
            yield "committed"
        for _, _, fixed in self._heard_channels[kind][at]:
            if fixed is not None:
                yield "hears", fixed
        if self.channels_by_state[kind][at]:
            yield "may hear"
        for label in sorted(self._labels[kind]):
            yield "knows", label
        if any(self.channel_priorities):
            for position in chain(*self.ranks[kind][at]):
                edge = process.edges[position]
                yield from (("priority", priority) for priority in self._priorities_of(kind, edge))

    def _priorities_of(self, kind: int, edge: Edge) -> list[int]:
        """The priorities that a step may have which begins with an edge."""
        if not isinstance(edge.sync, (Send, Receive)):
            return [0]
        number = self._fixed_channel(kind, edge.sync.channel)
        return self.channel_priorities if number is None else [self.scope.channel_kinds[number - 1].priority]

    @cached_property
    def channel_priorities(self) -> list[int]:
        """The priorities that steps have; 0 is that of steps without a channel."""
        declared = [
            *self.scope.network.channels,
            *(one for process in self.scope.network.processes for one in process.channels),
        ]
        return sorted({0, *(priority for channel in declared for priority in channel.every_priority)})

    @cached_property
    def compares_steps(self) -> bool:
        return self.scope.network.rules.priorities or any(self.channel_priorities)

    @cached_property
    def has_committed(self) -> bool:
        return any(place.committed for process in self.scope.network.processes for place in process.locations)

    def _fixed_channel(self, kind: int, channel: Expression) -> int | None:
        """The number of a channel that is named outright, or by a number in an array."""
        match channel:
            case Ref(name):
                index = 0
            case Index(Ref(name), Literal(index)):
                pass
            case _:
                return None
        if name in self.scope.processes[kind].slots or name in self.scope.slots:
            return None  # a variable, which holds now this channel and now that one
        numbers = self.scope.numbers_of_channels.get(name, [])
        return numbers[index] if 0 <= index < len(numbers) else None

    @cached_property
    def _labels(self) -> list[set[str]]:
        return [
            {edge.sync.label for edge in process.edges if isinstance(edge.sync, Together)}
            for process in self.scope.network.processes
        ]


def by_rank(process: Process) -> list[list[list[int]]]:
    """Edges by source location and rank, in order of declaration."""
    table: list[dict[int, list[int]]] = [{} for _ in process.locations]
    for position, edge in enumerate(process.edges):
        table[edge.source_location].setdefault(edge.rank, []).append(position)
    return [[row[rank] for rank in sorted(row)] for row in table]
