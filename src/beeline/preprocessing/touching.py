"""What the edges of a network's processes touch, as masks of resources: cells, channels, labels of synchronisations.

Linear in the size of the network, because it is done before every search. Whatever is not known is "may".
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from beeline.analysis.configuration import Configuration, find_configuration
from beeline.analysis.footprint import Footprint, Footprints
from beeline.analysis.places import ANY_INT, Interval, Names
from beeline.compile.layout import Layout
from beeline.model.expressions import (
    TRUE,
    Binary,
    Bind,
    Expression,
    Literal,
    Match,
    Ref,
    conjuncts,
    walk,
)
from beeline.model.network import Edge, Network, Process, Receive, Send, Together
from beeline.model.scope import ProcessScope
from beeline.model.statements import Alias, Assign, Declare, If, Statement, Terminate, nested
from beeline.model.types import bounds, is_scalar, width
from beeline.records import Record, field, replace
from beeline.timed.clocks import Clocks

GLOBAL_BUILTINS = ("timeout", "last", "enabled", "priority", "nonprogress", "processes")


class Touch(Record, frozen=True):
    """What a piece of code may read and write, and whether it may fail."""

    reads: int = 0
    writes: int = 0
    fails: bool = False


class Piece(Touch, frozen=True):
    """A statement of an effect. With `removable` it does nothing but write `writes`; with `last` it ends a process that
    can do nothing else there."""

    removable: bool = False
    last: bool = False


class EdgeTouch(Record, frozen=True, dict=True):
    """One edge of one process: the parts of its guard, the rest of what decides and is exchanged, and its effect.

    `sync` has the bits of the channels and labels on which it moves with others, as reads and as writes."""

    process: int
    kind: int
    position: int
    edge: Edge
    guards: tuple[Touch, ...]
    sync: Touch
    effects: tuple[Piece, ...]

    @cached_property
    def reads(self) -> int:
        return union(part.reads for part in (*self.guards, self.sync, *self.effects))

    @cached_property
    def writes(self) -> int:
        return union(part.writes for part in (*self.guards, self.sync, *self.effects))

    @cached_property
    def fails(self) -> bool:
        return any(part.fails for part in (*self.guards, self.sync, *self.effects))

    @property
    def stays(self) -> bool:
        """Whether the process is where it was after it."""
        return self.edge.source_location == self.edge.target_location


def unsupported_reason(network: Network) -> str | None:
    """Why every process matters, if so: what a step means depends on all of them."""
    if network.monitor is not None:
        return "a monitor watches every step"
    if network.rules.priorities or any(any(channel.every_priority) for channel in network.channels):
        return "priorities compare all steps with each other"
    used = network.builtins
    return next((f"'{name}' looks at all processes" for name in GLOBAL_BUILTINS if name in used), None)


class Touching(Record, dict=True):
    """All edges of a network whose processes are there from the start, and what they touch.

    `discrete` is the network with clocks as plain variables, the network itself where there are none."""

    network: Network
    discrete: Network
    clocks: Clocks
    footprints: Footprints
    configuration: Configuration
    edges: list[list[EdgeTouch]] = field(default_factory=list)  # by process
    standing: list[Touch] = field(default_factory=list)  # by process: what matters while it moves with no edge

    @classmethod
    def of(cls, network: Network) -> Touching | None:
        """None if processes are started during a run."""
        clocks = Clocks(network)
        discrete = network
        if clocks.all:
            from beeline.timed.discrete import take_apart

            discrete = take_apart(network).discrete
        configuration = find_configuration(discrete)
        if configuration is None or not configuration.fixed or len(configuration) != len(network.initial):
            return None
        found = cls(network, discrete, clocks, Footprints(Layout(discrete), configuration), configuration)
        for number in range(len(network.initial)):
            found._add(number)
        return found

    # Resources

    @cached_property
    def unsupported_reason(self) -> str | None:
        """Why every process matters, if so."""
        return unsupported_reason(self.network)

    def place(self, number: int) -> int:
        """What others see of a process: where it is, and that it is."""
        return self.footprints.location(number) | self.footprints.tag(number)

    @cached_property
    def own_cells(self) -> list[int]:
        """The cells of each process that others can look at. That it is alive is one of them only if it can end, and
        then it writes that."""
        layout = self.footprints.layout
        whole = [((1 << len(place.cells)) - 1) << place.cells.start for place in layout.processes]
        return [mask & ~(1 << place.tag) for mask, place in zip(whole, layout.processes, strict=True)]

    def channel(self, which: int) -> int:
        return self.footprints.front(which) | self.footprints.back(which)

    @cached_property
    def _labels(self) -> dict[str, int]:
        """The resource of each label of n-ary synchronisations."""
        first = len(self.footprints.layout.cells) + 2 * len(self.footprints.channels)
        names = {
            edge.sync.label
            for process in self.network.processes
            for edge in process.edges
            if isinstance(edge.sync, Together)
        }
        return {name: 1 << first + position for position, name in enumerate(sorted(names))}

    def process_of(self, number: int) -> Process:
        return self.network.processes[self.configuration.kinds[number]]

    def variables(self) -> Iterable[tuple[str, int]]:
        """Names of variables, those of processes with their owner's, and their cells."""
        layout = self.footprints.layout
        for name, slot in layout.scope.slots.items():
            yield name, ((1 << width(slot.type)) - 1) << slot.offset
        for number, kind in enumerate(self.configuration.kinds):
            scope: ProcessScope = layout.scope.processes[kind]
            first = self.footprints.place_of(number, kind).locals
            for name, slot in scope.slots.items():
                cells = ((1 << width(slot.type)) - 1) << (first + slot.offset)
                yield f"{self.network.initial[number].name}.{name}", cells

    @cached_property
    def writes(self) -> list[int]:
        """What each process may write, its location included."""
        return [
            union(touch.writes | (0 if touch.stays else self.footprints.location(number)) for touch in touches)
            for number, touches in enumerate(self.edges)
        ]

    def reads(self, expression: Expression) -> int:
        """What a property looks at."""
        return self.footprints.reads(expression, -1).reads

    def is_timed(self, number: int) -> bool:
        """Whether a process has to do with time: clocks, invariants, places and channels that hurry."""
        if not self._has_time:
            return False
        process = self.process_of(number)
        if any(place.invariant != TRUE or place.urgent for place in process.locations):
            return True
        # A clock that nobody resets has no cell of its own to be seen in what is read.
        if any(self.clocks.mentions(edge.guard, self.configuration.kinds[number]) for edge in process.edges):
            return True
        return any(
            (touch.reads | touch.writes) & (self.clock_cells | self.urgent_channels) for touch in self.edges[number]
        )

    @cached_property
    def _has_time(self) -> bool:
        places = (place for process in self.network.processes for place in process.locations)
        return bool(self.clocks.all) or any(place.invariant != TRUE for place in places)

    @cached_property
    def urgent_channels(self) -> int:
        """The urgent channels."""
        channels = self.footprints.channels
        return union(self.channel(at) for at, place in enumerate(channels, 1) if place.channel.urgent)

    @cached_property
    def broadcast_channels(self) -> int:
        """The broadcast channels."""
        channels = self.footprints.channels
        return union(self.channel(at) for at, place in enumerate(channels, 1) if place.channel.broadcast)

    @cached_property
    def clock_cells(self) -> int:
        mask = 0
        layout = self.footprints.layout
        for clock in self.clocks.all:
            scope = layout.scope
            if clock.process is None:
                mask |= 1 << scope.slots[clock.variable].offset + self.clocks.leaf(clock)
            else:
                kind = self.configuration.kinds[clock.process]
                first = self.footprints.place_of(clock.process, kind).locals
                slot = scope.processes[kind].slots[clock.variable]
                mask |= 1 << first + slot.offset + self.clocks.leaf(clock)
        return mask

    # Collecting

    def _add(self, number: int) -> None:
        kind = self.configuration.kinds[number]
        process, plain = self.network.processes[kind], self.discrete.processes[kind]
        self.edges.append(
            [
                self._edge(number, kind, position, edge, plain.edges[position].effect)
                for position, edge in enumerate(process.edges)
            ]
        )
        standing = self.footprints.reads(process.provided, number)
        for place in process.locations:
            standing |= self.footprints.reads(place.invariant, number)
        self.standing.append(Touch(standing.reads, standing.writes, standing.fails))

    def _edge(self, number: int, kind: int, position: int, edge: Edge, effect: tuple[Statement, ...]) -> EdgeTouch:
        guards = tuple(_touch(self.footprints.reads(part, number)) for part in conjuncts(edge.guard))
        deterministic = self.network.processes[kind].locations[edge.target_location].deterministic
        sync = self._sync(number, edge)
        sync.fails |= deterministic  # the run that follows may block
        known = self._known(number, edge) if edge.sync is None else {}
        pieces = self._pieces(effect, number, known)
        if self._only_ends(kind, edge):
            pieces = tuple(
                replace(one, last=isinstance(what, Terminate)) for one, what in zip(pieces, effect, strict=True)
            )
        return EdgeTouch(number, kind, position, edge, guards, _touch(sync), pieces)

    def _only_ends(self, kind: int, edge: Edge) -> bool:
        """Whether a process at the edge's source can do nothing but end, and nobody waits for it to take part."""
        if not _ends(edge):
            return False
        process = self.network.processes[kind]
        leaving = [process.edges[i] for i in process.leaving[edge.source_location]]
        return all(_ends(one) for one in leaving) and not any(isinstance(one.sync, Together) for one in process.edges)

    def _sync(self, number: int, edge: Edge) -> Footprint:
        found = Footprint()
        match edge.sync:
            case Send(channel, values):
                found |= self._channels(channel, number)
                found |= self.footprints.message(values, self.footprints.channels_meant(channel, number), number)
            case Receive(channel, patterns):
                found |= self._channels(channel, number)
                meant = self.footprints.channels_meant(channel, number)
                for position, pattern in enumerate(patterns):
                    if isinstance(pattern, Match):
                        found |= self.footprints.reads(pattern.value, number)
                    elif isinstance(pattern, Bind):
                        found |= self.footprints.binding(pattern.place, position, meant, number)
            case Together(label):
                found |= Footprint(self._labels[label], self._labels[label])
            case None:
                pass
        return found

    def _channels(self, channel: Expression, number: int) -> Footprint:
        found = self.footprints.channel(channel, number)
        bits = union(self.channel(which) for which in self.footprints.channels_meant(channel, number))
        found |= Footprint(bits, bits)
        return found

    # Effects

    def _pieces(self, effect: tuple[Statement, ...], number: int, known: Names) -> tuple[Piece, ...]:
        """The statements of an effect; `known` has narrower bounds of variables as the guard leaves them."""
        found: list[Piece] = []
        temporaries: dict[str, Interval] = {}
        for statement in effect:
            touch = self.footprints.statements((statement,), number, temporaries)
            fails = touch.fails and not self._fits(statement, number, temporaries, known)
            removable = not fails and self._only_writes((statement,), number, temporaries)
            found.append(Piece(touch.reads, touch.writes, fails, removable))
            known = self._still_known(known, touch.writes, number)
            if isinstance(statement, (Declare, Alias)):
                temporaries[statement.name] = ANY_INT
                known = {name: limits for name, limits in known.items() if name != statement.name}
        return tuple(found)

    def _only_writes(self, statements: tuple[Statement, ...], number: int, names: Names) -> bool:
        """Whether statements write known variables and do nothing else. Scratch variables have no cells: they are read
        within the step."""
        for statement in nested(statements):
            if isinstance(statement, If):
                continue
            if not isinstance(statement, Assign):
                return False
            room = self.footprints.room(statement.target, number, names)
            if room is None or not room.cells:
                return False
        return not any(self.footprints.reads(part, number, names).writes for part in _read_parts(statements))

    def _known(self, number: int, edge: Edge) -> dict[str, Interval]:
        """Bounds of variables where the guard holds, from its comparisons with numbers."""
        found: dict[str, Interval] = {}
        for part in conjuncts(edge.guard):
            if not isinstance(part, Binary) or not isinstance(part.left, Ref):
                continue
            value = self.footprints.value(part.right, number)
            room = self.footprints.room(part.left, number)
            if value is None or room is None or not room.cells or not is_scalar(room.type):
                continue
            name = part.left.name
            low, high = found.get(name) or self.footprints.interval(part.left, number)
            match part.operator:
                case "<":
                    found[name] = (low, min(high, value - 1))
                case "<=":
                    found[name] = (low, min(high, value))
                case ">":
                    found[name] = (max(low, value + 1), high)
                case ">=":
                    found[name] = (max(low, value), high)
                case "==":
                    found[name] = (value, value)
                case _:
                    pass
        return found

    def _fits(self, statement: Statement, number: int, names: Names, known: Names) -> bool:
        """Whether an assignment to a plain variable cannot leave its range under what the guard says."""
        if not isinstance(statement, Assign) or not isinstance(statement.target, Ref):
            return False
        if any(not isinstance(part, (Ref, Literal, Binary)) for part in walk(statement.value)):
            return False
        room = self.footprints.room(statement.target, number, names)
        if room is None or self.footprints.reads(statement.value, number, names).fails:
            return False
        if not is_scalar(room.type) or room.fails:
            return False
        least, most = bounds(room.type)
        low, high = self.footprints.interval(statement.value, number, {**known, **names})
        return least <= low and high <= most

    def _still_known(self, known: Names, written: int, number: int) -> Names:
        rooms = {name: self.footprints.room(Ref(name), number) for name in known}
        return {name: known[name] for name, room in rooms.items() if room is not None and not room.cells & written}


def _read_parts(statements: tuple[Statement, ...]) -> list[Expression]:
    found: list[Expression] = []
    for statement in nested(statements):
        if isinstance(statement, Assign):
            found += [statement.target, statement.value]
        elif isinstance(statement, If):
            found.append(statement.condition)
    return found


def _ends(edge: Edge) -> bool:
    return any(isinstance(statement, Terminate) for statement in edge.effect)


def _touch(footprint: Footprint) -> Touch:
    return Touch(footprint.reads, footprint.writes, footprint.fails)


def union(masks: Iterable[int]) -> int:
    """All cells that some mask has."""
    found = 0
    for mask in masks:
        found |= mask
    return found
