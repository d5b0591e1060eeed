"""What an expression, a statement or a message can read and write, cell by cell, and whether it can fail; see `places`
for what the masks mean. It is the one place where that is worked out; `dependence` and the preprocessing ask here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from beeline.analysis.configuration import Configuration
from beeline.analysis.places import ANY_INT, NO_NAMES, Interval, Names, Places, Room
from beeline.compile.layout import Layout
from beeline.model.expressions import (
    At,
    Binary,
    Builtin,
    Call,
    ChannelInfo,
    Checked,
    Expression,
    Field,
    Index,
    Instance,
    Place,
    Poll,
    ProcessRef,
    Quantified,
    Ref,
    Remote,
    children,
    pattern_parts,
)
from beeline.model.network import Function
from beeline.model.statements import (
    Alias,
    Assert,
    Assign,
    Assume,
    Declare,
    Do,
    For,
    If,
    Reset,
    Return,
    SetPriority,
    Start,
    Statement,
    Terminate,
    While,
    expressions,
)
from beeline.model.types import (
    ScalarType,
    Type,
    bounds,
    is_scalar,
    scalars,
    store_value,
    wraps,
)
from beeline.records import Record, field

EVERYTHING = -1  # the mask of all resources
MOST_UNROLLED = 64  # values of a loop that are looked at one by one


class Footprint(Record):
    """What a piece of code can read and write. `known` has the cells that are written with known values only."""

    reads: int = 0
    writes: int = 0
    fails: bool = False
    known: dict[int, set[int]] = field(default_factory=dict)

    def __ior__(self, other: Footprint) -> Footprint:
        for cell in self.known.keys() | other.known.keys():
            mine, theirs = self.known.get(cell), other.known.get(cell)
            if (mine is None and self.writes >> cell & 1) or (theirs is None and other.writes >> cell & 1):
                self.known.pop(cell, None)
            else:
                self.known[cell] = (mine or set()) | (theirs or set())
        self.reads |= other.reads
        self.writes |= other.writes
        self.fails |= other.fails
        return self

    def meets(self, other: Footprint) -> bool:
        """Whether one writes what the other reads or writes: otherwise they commute."""
        return bool(self.writes & (other.reads | other.writes) or self.reads & other.writes)


class Footprints(Places):
    """Footprints of code that processes of a configuration run (number -1: properties)."""

    def __init__(self, layout: Layout, configuration: Configuration, elements: bool = True) -> None:
        super().__init__(layout, configuration, elements)
        self._functions: dict[tuple[int, str], Footprint] = {}

    # Reads

    def reads(self, expression: Expression, number: int, names: Names = NO_NAMES) -> Footprint:
        """What the value of an expression depends on. Functions in it may write."""
        if self.value(expression, number, names) is not None:
            return Footprint()
        match expression:
            case Ref(name) if name in names:
                return Footprint()
            case Ref() | Index() | Field():
                return self._read_place(expression, number, names)
            case Quantified(name=name, low=low, high=high, body=body):
                return self.reads(body, number, {**names, name: (low, high)})
            case Call():
                return self._call(expression, number, names)
            case ChannelInfo(_, channel):
                return self._read_channel(channel, number, names)
            case Poll(channel, patterns, _):
                found = self._read_channel(channel, number, names)
                for part in pattern_parts(patterns):
                    found |= self.reads(part, number, names)
                return found
            case At(process, _):
                found = self._parts(expression, number, names)
                for other in self.processes_meant(process, number, names):
                    found.reads |= self.location(other) | self.tag(other)
                return found
            case Remote(process, Call() as call):
                found = Footprint()
                for other in self.processes_meant(process, number, names):
                    # The process has to stay as it is, even if its function reads nothing of it.
                    found.reads |= self.whole_process(other)
                    found |= self._call(call, number, names, other)
                return found
            case Remote(process, place):
                assert not isinstance(place, Call)
                return self._read_remote(process, place, number, names)
            case Builtin(name, _):
                found = self._parts(expression, number, names)
                found.reads |= self._builtin(name)
                return found
            case Binary("/" | "%", _, right):
                found = self._parts(expression, number, names)
                low, high = self.interval(right, number, names)
                found.fails |= low <= 0 <= high
                return found
            case Checked(operand, least, most):
                found = self._parts(expression, number, names)
                low, high = self.interval(operand, number, names)
                found.fails |= (least is not None and low < least) or (most is not None and high > most)
                return found
            case _:
                return self._parts(expression, number, names)

    def _parts(self, expression: Expression, number: int, names: Names) -> Footprint:
        found = Footprint()
        for part in children(expression):
            found |= self.reads(part, number, names)
        return found

    def _indices(self, place: Place, number: int, names: Names) -> Footprint:
        found = Footprint()
        while not isinstance(place, Ref):
            if isinstance(place, Index):
                found |= self.reads(place.index, number, names)
            place = place.base
        return found

    def _read_place(self, place: Place, number: int, names: Names) -> Footprint:
        found = self._indices(place, number, names)
        room = self.room(place, number, names)
        if room is not None:
            found.reads |= room.cells
            found.fails |= room.fails
        else:
            # An element of a temporary, or of an array of channels: the index may be out of bounds.
            found.fails |= isinstance(place, Index)
        return found

    def _read_channel(self, channel: Expression, number: int, names: Names) -> Footprint:
        found = self.reads(channel, number, names)
        meant = self.channels_meant(channel, number, names)
        found.fails |= self.value(channel, number, names) is None or not meant
        for which in meant:
            found.reads |= self.front(which) | self.back(which)
        return found

    def _read_remote(self, process: ProcessRef, place: Place, number: int, names: Names) -> Footprint:
        found = self._indices(place, number, names)
        if not isinstance(process, Instance) and process.number is not None:
            found |= self.reads(process.number, number, names)
        root = place
        while not isinstance(root, Ref):
            root = root.base
            found.fails = True  # indices are the reader's, so that little is known about them
        for other in self.processes_meant(process, number, names):
            room = self._variable(root.name, other)
            found.reads |= self.tag(other) | (0 if room is None else room.cells)
        return found

    def _builtin(self, name: str) -> int:
        match name:
            case "pid" | "timeout":
                return 0  # who looks at timeouts is treated apart
            case "processes":
                return self._all(self.tag)
            case "location" | "nonprogress":
                return self._all(self.tag) | self._all(self.location)
            case _:
                return EVERYTHING

    def _all(self, of: Callable[[int], int]) -> int:
        mask = 0
        for number in range(len(self.configuration)):
            mask |= of(number)
        return mask

    # Functions

    def _call(self, call: Call, number: int, names: Names, owner: int | None = None) -> Footprint:
        """A call in process `number` of a function of its own or of process `owner`."""
        owner = number if owner is None else owner
        function = self._function(call.function, owner)
        found = Footprint()
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            found |= self.reads(argument, number, names)
            if parameter.reference and isinstance(argument, (Ref, Index, Field)):
                room = self.room(argument, number, names)
                found |= Footprint(writes=0 if room is None else room.cells)
            elif is_scalar(parameter.type):
                found.fails |= not self._fits(argument, parameter.type, number, names)
        found |= self._body(function, owner)
        return found

    def _function(self, name: str, number: int) -> Function:
        if number >= 0:
            own = self.scope.processes[self.configuration.kinds[number]].functions
            if name in own:
                return own[name]
        return self.scope.functions[name]

    def _body(self, function: Function, number: int) -> Footprint:
        """What the function itself does. The network's functions see no locals."""
        owner = number if self.scope.functions.get(function.name) is not function else -1
        key = (owner, function.name)
        if key not in self._functions:
            own = {parameter.name: ANY_INT for parameter in function.parameters}
            self._functions[key] = Footprint(EVERYTHING, EVERYTHING, True)  # if it calls itself
            self._functions[key] = self.statements(function.body, owner, own)
        return self._functions[key]

    # Statements

    def statements(self, body: tuple[Statement, ...], number: int, names: Names = NO_NAMES) -> Footprint:
        """What a statement list can do. A name that is declared in it hides a variable from there on."""
        found = Footprint()
        inside = dict(names)
        for statement in body:
            found |= self._statement(statement, number, inside)
            if isinstance(statement, (Declare, Alias)):
                inside[statement.name] = ANY_INT
        return found

    def _statement(self, statement: Statement, number: int, names: Names) -> Footprint:
        found = Footprint()
        if not isinstance(statement, Assign):
            for part in expressions(statement):
                found |= self.reads(part, number, names)
        match statement:
            case Assign(target, value):
                found |= self._assign(target, value, number, names)
            case Declare(type=kind, initial=initial):
                found.fails |= initial is not None and not self._fits(initial, kind, number, names)
            case If(then=then, otherwise=otherwise):
                found |= self.statements(then, number, names)
                found |= self.statements(otherwise, number, names)
            case While(body=body):
                found |= self.statements(body, number, names)
                found.fails = True  # it may go round too often
            case For(name, first, last, body=body):
                few = len(statement.values) <= MOST_UNROLLED
                bounds_of = (
                    [(value, value) for value in statement.values] if few else [(min(first, last), max(first, last))]
                )
                for interval in bounds_of:
                    found |= self.statements(body, number, {**names, name: interval})
            case Alias(place=place):
                room = self.room(place, number, names)
                if room is not None:  # it may be written by this name
                    found |= Footprint(room.cells, room.cells, room.fails)
            case Assert() | Assume():
                found.fails = True
            case Terminate():
                found |= Footprint(self._all(self.tag), self.whole_process(number))
            case Start() | Reset() | SetPriority():
                found |= Footprint(EVERYTHING, EVERYTHING, True)
            case Return(value) if value is not None:
                found.fails = True  # the value may not fit the function's type
            case Do() | Return() | _:
                pass
        return found

    def _assign(self, target: Place, value: Expression, number: int, names: Names) -> Footprint:
        found = self._indices(target, number, names)
        found |= self.reads(value, number, names)
        room = self.room(target, number, names)
        if room is None:
            found.fails = True  # a temporary, of whose type nothing is known here
            return found
        found.fails |= room.fails or not self._fits(value, room.type, number, names)
        found |= self.write(room, self.value(value, number, names))
        return found

    def write(self, room: Room, value: int | None) -> Footprint:
        """A place is written, with a known value or another."""
        found = Footprint(writes=room.cells)
        if value is not None and room.first is not None and is_scalar(room.type):
            stored = store_value(room.type, value)
            if stored is not None:
                found.known[room.first] = {stored}
        return found

    def _fits(self, value: Expression, kind: Type, number: int, names: Names) -> bool:
        """Whether storing never is a range error."""
        return not is_scalar(kind) or _holds(kind, self.interval(value, number, names))

    # Messages, but for the channels themselves

    def channel(self, channel: Expression, number: int) -> Footprint:
        """Which channel is meant."""
        found = self.reads(channel, number)
        found.fails |= self.value(channel, number) is None or not self.channels_meant(channel, number)
        return found

    def message(self, values: tuple[Expression, ...], channels: Sequence[int], number: int) -> Footprint:
        """What is sent on one of some channels."""
        found = Footprint(fails=not self._message_fits(values, channels, number))
        for value in values:
            found |= self.reads(value, number)
        return found

    def binding(self, place: Place, position: int, channels: Sequence[int], number: int) -> Footprint:
        """A field of a message from one of some channels is stored in a place."""
        room = self.room(place, number)
        if room is None:
            return Footprint(EVERYTHING, EVERYTHING, True)
        found = self.reads(place, number)
        found |= Footprint(writes=room.cells)
        found.fails |= room.fails or not self._binding_fits(room, position, channels)
        return found

    def _message_fits(self, values: tuple[Expression, ...], channels: Sequence[int], number: int) -> bool:
        for which in channels:
            fields = self.channels[which - 1].fields
            pairs = zip(values, fields, strict=False)
            if not all(_holds(kind, self.interval(value, number)) for value, kind in pairs):
                return False
        return True

    def _binding_fits(self, room: Room, position: int, channels: Sequence[int]) -> bool:
        for which in channels:
            fields = self.channels[which - 1].fields
            arriving = bounds(fields[position]) if position < len(fields) else (0, 0)
            if not all(_holds(kind, arriving) for kind in scalars(room.type)):
                return False
        return True


def _holds(kind: ScalarType, values: Interval) -> bool:
    low, high = bounds(kind)
    return wraps(kind) or (low <= values[0] and values[1] <= high)
