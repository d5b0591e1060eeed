"""A network made flat: the tables and bytecode that the native engine runs, and the way back from its action numbers.

Code is compiled once for each process number and kind that can have it, so that parameters and numbers are constants
in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from beeline.compile.assembler import Assembler, Constant, Label, Operand, Temporary
from beeline.compile.expressions import Environment
from beeline.compile.layout import ChannelPlace, Layout
from beeline.compile.reads import cells_read
from beeline.compile.statements import StatementCompiler
from beeline.engine import core
from beeline.model.expressions import TRUE, Bind, Expression
from beeline.model.network import Edge, Network, Process, Receive, Send, Together
from beeline.model.property import Acceptance
from beeline.model.scope import initial_values
from beeline.model.semantics import Semantics
from beeline.model.statements import Terminate
from beeline.model.types import scalars
from beeline.records import Record, field

NOWHERE = -1  # the entry of a block that is not there: an always-true guard, an empty effect

SYNCHRONISATIONS = {type(None): 0, Send: 1, Receive: 2, Together: 3}


class Action(Record, frozen=True):
    """What an action number of the engine stands for: an edge of a kind of process, taken first by this process."""

    number: int
    kind: int
    edge: int


class Program(Record, dict=True):
    """Tables for the engine, with what is needed to read its answers."""

    network: Network
    layout: Layout
    tables: dict[str, Any]
    actions: list[Action] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    """The blocks of the expressions whose values were asked for."""

    @cached_property
    def native(self) -> core.Program:
        """The program as the engine has it: checked, and ready to run."""
        return core.Program(self.tables)


def compile_network(
    network: Network,
    goal: Expression | None = None,
    max_processes: int | None = None,
    assertions: bool = True,
    values: Sequence[Expression] = (),
) -> Program:
    """Compiles a network. With `goal`, arcs into states that satisfy it are marked. Cells are kept for
    `max_processes` processes (all that can be there, or a first guess where processes are started). Without
    `assertions`, `Assert` does nothing: counts then include what lies behind a failing one. Expressions among `values`
    can be asked for in any state."""
    return _Compiler(network, Layout(network, max_processes), assertions).compile(goal, values)


def compile_values(layout: Layout, expressions: Sequence[Expression]) -> tuple[dict[str, Any], list[int]]:
    """Compiles expressions over states of a layout: tables without any edge, and the block of each expression."""
    program = _Compiler(layout.network, layout, assertions=False, edges=False).compile(None, expressions)
    return program.tables, program.values


class _Compiler:
    def __init__(self, network: Network, layout: Layout, assertions: bool, edges: bool = True) -> None:
        self.network = network
        self.layout = layout
        self.with_edges = edges
        self.assembler = Assembler()
        self.code = StatementCompiler(layout, self.assembler, assertions)
        self.message = self.assembler.temporary(max(1, self._widest_message()))
        self.reserved = self.assembler.temporaries
        self.labels: dict[str, int] = {}
        self.actions: list[Action] = []
        self.rows: dict[str, list[list[int]]] = {
            name: []
            for name in ("bodies", "locations", "edges", "channels", "initial_cells", "monitor", "monitor_edges")
        }
        self.field_domains: list[int] = []
        self.parameter_domains: list[int] = []

    def _widest_message(self) -> int:
        kinds = [*self.network.channels, *(c for p in self.network.processes for c in p.channels)]
        return max((sum(len(scalars(kind)) for kind in channel.fields) for channel in kinds), default=0)

    # Blocks

    def _block(self) -> int:
        """Begins a block: scratch cells of other blocks can be used again."""
        self.assembler.temporaries = self.reserved
        return self.assembler.position

    def condition(self, expression: Expression, env: Environment) -> int:
        """A block that returns the truth of an expression; nowhere if it is always true."""
        if expression == TRUE:
            return NOWHERE
        entry, no = self._block(), Label()
        known = self.code.branch(expression, no, env, when=False)
        if known is True:
            return NOWHERE
        self.code.emit("RETURN_FALSE" if known is False else "RETURN_TRUE")
        self.assembler.place(no)
        self.code.emit("RETURN_FALSE")
        return entry

    def _effect(self, edge: Edge, env: Environment) -> int:
        entry = self._block()
        self.code.statements(edge.effect, env)
        return self._closed(entry)

    def _closed(self, entry: int) -> int:
        if self.assembler.position == entry:
            return NOWHERE
        self.code.emit("RETURN_TRUE")
        return entry

    # Tables

    def compile(self, goal: Expression | None, values: Sequence[Expression] = ()) -> Program:
        self._network()
        goal_entry = self.condition(goal, Environment()) if goal is not None else NOWHERE
        goal_entry = self._always() if goal is not None and goal_entry == NOWHERE else goal_entry
        entries = [self._value(expression) for expression in values]
        return Program(self.network, self.layout, self._tables(goal, goal_entry), self.actions, entries)

    def _value(self, expression: Expression) -> int:
        entry = self._block()
        self.code.emit("RETURN_VALUE", self.code.value(expression, Environment()))
        return entry

    def _network(self) -> None:
        for place in self.layout.channels:
            self._channel(place)
        for number, process in enumerate(self.layout.processes):
            for kind in process.kinds:
                self._body(number, kind)
        self._set_ups()
        self._monitor()

    def _always(self) -> int:
        entry = self._block()
        self.code.emit("RETURN_TRUE")
        return entry

    def _channel(self, place: ChannelPlace) -> None:
        first = len(self.field_domains)
        self.field_domains += [self.assembler.domain(kind) for kind in place.fields]
        channel = place.channel
        self.rows["channels"].append(
            [
                place.length,
                place.base,
                channel.capacity,
                int(channel.broadcast),
                channel.priority,
                first,
                len(place.fields),
            ]
        )

    def _body(self, number: int, kind: int) -> None:
        place = self.layout.processes[number].kinds[kind]
        process = place.scope.process
        env = Environment(number, kind)
        parameters = len(self.parameter_domains)
        self.parameter_domains += [self.assembler.domain(kind) for v in process.parameters for kind in scalars(v.type)]
        channels = len(self.rows["channels"])
        for owned in place.channels:
            self._channel(owned)
        initial = len(self.rows["initial_cells"])
        values = [value for variable in place.scope.declared for value in initial_values(variable)]
        self.rows["initial_cells"] += [[place.locals + i, value] for i, value in enumerate(values)]
        locations = len(self.rows["locations"])
        provided = self.condition(process.provided, env)
        self._locations(process, number, kind, env)
        self.rows["bodies"].append(
            [
                number,
                kind,
                process.initial,
                place.locals,
                len(values),
                parameters,
                len(process.parameters),
                NOWHERE,  # see _set_ups
                provided,
                channels,
                len(place.channels),
                initial,
                locations,
                len(process.locations),
            ]
        )

    def _set_ups(self) -> None:
        """A set-up runs in the middle of another block, and a monitor asks questions that run others: from here on
        scratch cells are not shared with the blocks before."""
        self.reserved = self.assembler.most_temporaries
        for row in self.rows["bodies"]:
            row[7] = self._setup(self.network.processes[row[1]], Environment(row[0], row[1]))
        self.reserved = self.assembler.most_temporaries

    def _setup(self, process: Process, env: Environment) -> int:
        """Initial values that are expressions, evaluated in order when the process starts."""
        entry = self._block()
        for variable in process.variables:
            if variable.expression is not None:
                self.code.store(self.code._root(variable.name, env), self.code.value(variable.expression, env))
        return self._closed(entry)

    def _locations(self, process: Process, number: int, kind: int, env: Environment) -> None:
        """Edges of a location stand together, the lowest rank first."""
        first = len(self.rows["edges"])
        for position, location in enumerate(process.locations):
            leaving = process.leaving[position] if self.with_edges else ()
            leaving = tuple(sorted(leaving, key=lambda i: process.edges[i].rank))
            flags = location.committed | location.deterministic << 1 | location.end << 2 | location.progress << 3
            flags |= location.accept << 4
            self.rows["locations"].append([flags, first, len(leaving)])
            first += len(leaving)
            for i in leaving:
                self._edge(process.edges[i], env)
                self.actions.append(Action(number, kind, i))

    def _edge(self, edge: Edge, env: Environment) -> None:
        guard = self.condition(edge.guard, env)
        channel_number, channel_entry = self._channel_of(edge, env)
        values_entry, first, count, patterns = self._values(edge, env)
        bind = self._bind(edge, env)
        effect = self._effect(edge, env)
        flags = (
            (isinstance(edge.sync, Send) and edge.sync.sorted)
            | (isinstance(edge.sync, Receive) and edge.sync.anywhere) << 1
            | (isinstance(edge.sync, Receive) and edge.sync.keep) << 2
            | edge.keeps_control << 3
            | any(isinstance(statement, Terminate) for statement in edge.effect) << 4
            | edge.otherwise << 5
        )
        label = -1
        if isinstance(edge.sync, Together):
            label = self.labels.setdefault(edge.sync.label, len(self.labels))
        self.rows["edges"].append(
            [
                guard,
                SYNCHRONISATIONS[type(edge.sync)],
                channel_number,
                channel_entry,
                values_entry,
                first,
                count,
                patterns,
                bind,
                effect,
                edge.target_location,
                edge.rank,
                int(flags),
                label,
            ]
        )

    def _channel_of(self, edge: Edge, env: Environment) -> tuple[int, int]:
        """The channel's number if known now, and otherwise the block that computes it."""
        if not isinstance(edge.sync, (Send, Receive)):
            return -1, NOWHERE
        entry = self._block()
        number = self.code.value(edge.sync.channel, env)
        if isinstance(number, Constant) and self.code.channel_place(number) and self.assembler.position == entry:
            return number.value, NOWHERE
        self.code.emit("RETURN_VALUE", number)
        return -1, entry

    def _values(self, edge: Edge, env: Environment) -> tuple[int, int, int, int]:
        """The block that evaluates what is sent or compared, the scratch cells it fills, and the pattern list."""
        entry = self._block()
        if isinstance(edge.sync, Send):
            first = self.assembler.temporary(max(1, len(edge.sync.values)))
            for position, value in enumerate(edge.sync.values):
                self.code.emit("MOVE", Temporary(first.number + position), self.code.value(value, env))
            return self._closed(entry), first.number, len(edge.sync.values), -1
        if isinstance(edge.sync, Receive):
            first, patterns = self.code.pattern_values(edge.sync.patterns, env)
            return self._closed(entry), first.number, len(edge.sync.patterns), patterns
        return NOWHERE, 0, 0, -1

    def _bind(self, edge: Edge, env: Environment) -> int:
        entry = self._block()
        if isinstance(edge.sync, Receive):
            for position, pattern in enumerate(edge.sync.patterns):
                if isinstance(pattern, Bind):
                    received: Operand = Temporary(self.message.number + position)
                    self.code.store(self.code.cells(pattern.place, env), received)
        return self._closed(entry)

    def _monitor(self) -> None:
        monitor = self.network.monitor
        if monitor is None:
            return
        for position, location in enumerate(monitor.locations):
            leaving = [monitor.edges[i] for i in monitor.leaving[position] if self.with_edges]
            leaving.sort(key=lambda edge: edge.rank)
            halted = location.halted if location.halted >= 0 else position
            marks = [int(location.end), int(location.accept)]
            self.rows["monitor"].append([*marks, halted, len(self.rows["monitor_edges"]), len(leaving)])
            for edge in leaving:
                guard = self.condition(edge.guard, Environment())
                effect = self._effect(edge, Environment())
                self.rows["monitor_edges"].append([guard, effect, edge.target_location, edge.rank, edge.sets])

    def _tables(self, goal: Expression | None, goal_entry: int) -> dict[str, Any]:
        layout, assembler = self.layout, self.assembler
        code = assembler.assembled(core.opcodes(), len(layout.cells))
        first_temporary = len(layout.cells) + len(assembler.constants)
        for row in self.rows["edges"]:
            row[5] += first_temporary
        reads = cells_read(goal, layout) if goal is not None else None
        rules = self.network.rules
        return {
            "cells": [[cell.low, cell.high] for cell in layout.cells],
            "constants": list(assembler.constants),
            "temporaries": assembler.most_temporaries,
            "code": code,
            "domains": [[low, high, int(wrap)] for low, high, wrap in assembler.domains],
            "location_sets": [sorted(places) for places in assembler.location_sets],
            "pattern_lists": [list(shape) for shape in assembler.pattern_lists],
            "processes": [
                [place.tag, place.location, place.priority, place.cells.start, place.cells.stop]
                for place in layout.processes
            ],
            **self.rows,
            "kinds": len(self.network.processes),
            "network_channels": len(layout.channels),
            "field_domains": self.field_domains,
            "parameter_domains": self.parameter_domains,
            "labels": self._label_members(),
            "hidden": self._hidden(),
            "timeout_cell": first_temporary + self.code.timeout_cell.number,
            "message_cell": first_temporary + self.message.number,
            "message_cells": self._widest_message(),
            "control": layout.control,
            "last": layout.last,
            "monitor_cell": layout.monitor,
            "acceptance_sets": 0 if self.network.monitor is None else self.network.monitor.acceptance_sets,
            "goal": goal_entry,
            "goal_reads": [] if reads is None else sorted(reads),
            "goal_reads_all": int(reads is None),
            "flags": rules.lossy
            | rules.priorities << 1
            | any(any(channel.every_priority) for channel in self.network.channels) << 2
            | self.network.times_out << 3
            | rules.receivers_first << 4
            | rules.committed_together << 5
            | (layout.max_processes < layout.most_processes) << 6
            | rules.eager_sends << 7
            | any(isinstance(asked, Acceptance) for asked in self.network.properties) << 8
            | rules.opened << 9
            | rules.stuttering << 10,
            "initial": layout.encode(Semantics(self.network).unopened()),
        }

    def _label_members(self) -> list[list[int]]:
        """For each n-ary label the kinds that know it."""
        members: list[list[int]] = [[] for _ in self.labels]
        for kind, process in enumerate(self.network.processes):
            known = {edge.sync.label for edge in process.edges if isinstance(edge.sync, Together)}
            for label in known & self.labels.keys():
                members[self.labels[label]].append(kind)
        return members

    def _hidden(self) -> list[list[int]]:
        rows: list[list[int]] = []
        for variable in self.network.variables:
            if variable.hidden:
                offset = self.layout.scope.slots[variable.name].offset
                rows += [[offset + i, value] for i, value in enumerate(initial_values(variable))]
        return rows
