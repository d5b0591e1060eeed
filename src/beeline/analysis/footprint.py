"""What an expression or a statement can read and write, cell by cell, and whether it can fail.

Sets of resources are masks: one bit for each cell of the state, then two for each channel. A send works at the back of
a channel and a receive at its front, so that they do not meet; a question about its length looks at both ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from beeline.analysis.configuration import Configuration
from beeline.compile.layout import ChannelPlace, KindPlace, Layout
from beeline.model.evaluate import ARITHMETIC
from beeline.model.expressions import (
    At,
    Binary,
    Builtin,
    Call,
    ChannelInfo,
    Conditional,
    Expression,
    Field,
    Index,
    Instance,
    Literal,
    Place,
    Poll,
    ProcessRef,
    Quantified,
    Ref,
    Remote,
    Unary,
    children,
    pattern_parts,
)
from beeline.model.network import Function
from beeline.model.scope import element_of
from beeline.model.statements import (
    Assert,
    Assign,
    Declare,
    Do,
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
    INT_MAX,
    INT_MIN,
    ArrayType,
    ScalarType,
    Type,
    bounds,
    is_scalar,
    scalars,
    store_value,
    width,
    wrap32,
    wraps,
)

EVERYTHING = -1  # the mask of all resources
Interval = tuple[int, int]
ANY_INT: Interval = (INT_MIN, INT_MAX)
# Names that are no variables here: temporaries, parameters of functions, quantified names, with their bounds.
Names = Mapping[str, Interval]
NO_NAMES: Names = {}


@dataclass
class Footprint:
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


@dataclass(frozen=True)
class Room:
    """The cells of a place: the first one, how many different ones it can be, and the type there."""

    cells: int  # mask
    type: Type
    first: int | None  # of a place that is known
    fails: bool


class Footprints:
    """Footprints of code that processes of a configuration run (number -1: properties)."""

    def __init__(self, layout: Layout, configuration: Configuration) -> None:
        self.layout = layout
        self.scope = layout.scope
        self.network = layout.network
        self.configuration = configuration
        self._functions: dict[tuple[int, str], Footprint] = {}

    # Resources

    @cached_property
    def channels(self) -> list[ChannelPlace]:
        """The channels by number, the first being number 1."""
        found = list(self.layout.channels)
        for number, kind in enumerate(self.configuration.kinds):
            found += self.place_of(number, kind).channels
        return found

    def place_of(self, number: int, kind: int) -> KindPlace:
        return self.layout.processes[number].kinds[kind]

    def front(self, channel: int) -> int:
        return 1 << len(self.layout.cells) + 2 * (channel - 1)

    def back(self, channel: int) -> int:
        return 2 << len(self.layout.cells) + 2 * (channel - 1)

    def location(self, number: int) -> int:
        return 1 << self.layout.processes[number].location

    def tag(self, number: int) -> int:
        return 1 << self.layout.processes[number].tag

    def whole_process(self, number: int) -> int:
        """All cells and channels of a process, which end with it."""
        mask = 0
        for cell in self.layout.processes[number].cells:
            mask |= 1 << cell
        first = len(self.layout.channels) + sum(
            len(self.place_of(other, self.configuration.kinds[other]).channels) for other in range(number)
        )
        own = self.place_of(number, self.configuration.kinds[number]).channels
        for channel in range(first + 1, first + 1 + len(own)):
            mask |= self.front(channel) | self.back(channel)
        return mask

    # Values that are known

    def value(self, expression: Expression, number: int, names: Names = NO_NAMES) -> int | None:
        """The value of an expression, if it is the same in all states."""
        match expression:
            case Literal(value):
                return value
            case Ref(name) if name in names:
                low, high = names[name]
                return low if low == high else None
            case Ref() | Index() | Field():
                return self._known_place(expression, number, names)
            case Binary(operator, left, right):
                return self._known_binary(operator, self.value(left, number, names), self.value(right, number, names))
            case Unary(operator, operand):
                inner = self.value(operand, number, names)
                if inner is None:
                    return None
                return wrap32({"!": int(not inner), "-": -inner, "~": ~inner}[operator])
            case Builtin("pid") if number >= 0:
                return number
            case ChannelInfo("capacity", channel):
                which = self.value(channel, number, names)
                known = which is not None and 1 <= which <= len(self.channels)
                return self.channels[which - 1].channel.capacity if known and which is not None else None
            case _:
                return None

    def _known_binary(self, operator: str, left: int | None, right: int | None) -> int | None:
        if left is None or right is None:
            return None
        if operator in ARITHMETIC:
            return wrap32(int(ARITHMETIC[operator](left, right)))
        if operator in "/%":
            if right == 0:
                return None
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return wrap32(quotient if operator == "/" else left - quotient * right)
        truth = {"&&": left and right, "||": left or right, "imply": not left or right}[operator]
        return int(bool(truth))

    def _known_place(self, place: Place, number: int, names: Names) -> int | None:
        channel = self._channel_number(place, number, names)
        if channel is not None:
            return channel
        if isinstance(place, Ref) and place.name in self.scope.constants and not self._slot_owner(place.name, number):
            return self.scope.constants[place.name]
        room = self.room(place, number, names)
        if room is None or room.first is None or room.fails or not is_scalar(room.type):
            return None
        return self._constant_cell(room.first, number)

    def _channel_number(self, place: Place, number: int, names: Names) -> int | None:
        """The number of a channel of the network that is named here, the only one of its name or one of an array."""
        base, index = (place.base, place.index) if isinstance(place, Index) else (place, None)
        if not isinstance(base, Ref) or base.name not in self.scope.channels or base.name in names:
            return None
        if self._slot_owner(base.name, number):
            return None
        channel = self.scope.channels[base.name]
        position = 0 if index is None else self.value(index, number, names)
        if position is None or not 0 <= position < (channel.size or 1):
            return None
        return self.scope.channel_numbers[base.name] + position

    def _slot_owner(self, name: str, number: int) -> bool:
        """Whether a local or a variable of the network stands in front of other things of that name."""
        local = number >= 0 and name in self.scope.processes[self.configuration.kinds[number]].slots
        return local or name in self.scope.slots

    def _constant_cell(self, cell: int, number: int) -> int | None:
        bounds_of = self.layout.cells[cell]
        if bounds_of.low == bounds_of.high:
            return bounds_of.low
        if number < 0:
            return None
        locals_at = self.place_of(number, self.configuration.kinds[number]).locals
        return self.configuration.constants[number].get(cell - locals_at)

    # Bounds of values

    def interval(self, expression: Expression, number: int, names: Names = NO_NAMES) -> Interval:
        """Bounds that hold in all states."""
        known = self.value(expression, number, names)
        if known is not None:
            return known, known
        match expression:
            case Ref(name) if name in names:
                return names[name]
            case Ref() | Index() | Field():
                return self._place_interval(expression, number, names)
            case Binary(operator, left, right):
                return _combined(operator, self.interval(left, number, names), self.interval(right, number, names))
            case Unary("!", _) | At() | Poll():
                return 0, 1
            case ChannelInfo("len", _):
                return 0, max((place.channel.capacity for place in self.channels), default=0)
            case ChannelInfo():
                return 0, 1
            case Conditional(_, then, otherwise):
                one, other = self.interval(then, number, names), self.interval(otherwise, number, names)
                return min(one[0], other[0]), max(one[1], other[1])
            case Quantified(kind="forall" | "exists"):
                return 0, 1
            case Builtin("processes"):
                return 0, len(self.configuration)
            case _:
                return ANY_INT

    def _place_interval(self, place: Place, number: int, names: Names) -> Interval:
        room = self.room(place, number, names)
        if room is None or not is_scalar(room.type):
            return ANY_INT
        low, high = bounds(room.type)  # type: ignore[arg-type]
        return low, high

    # Places

    def room(self, place: Place, number: int, names: Names = NO_NAMES) -> Room | None:
        """The cells that a place can mean; None if it is no variable of the network or of a process."""
        match place:
            case Ref(name):
                return None if name in names else self._variable(name, number)
            case Index(base, index):
                outer = self.room(base, number, names)
                return None if outer is None else self._element(outer, place, index, number, names)
            case Field(base, name):
                outer = self.room(base, number, names)
                if outer is None:
                    return None
                skipped = 0
                for label, part in outer.type.fields:  # type: ignore[union-attr]
                    if label == name:
                        break
                    skipped += width(part)
                return _part(outer, skipped, element_of(outer.type, place))

    def _variable(self, name: str, number: int) -> Room | None:
        if number >= 0:
            kind = self.configuration.kinds[number]
            slot = self.scope.processes[kind].slots.get(name)
            if slot is not None:
                return _room(self.place_of(number, kind).locals + slot.offset, slot.type)
        slot = self.scope.slots.get(name)
        if slot is None:
            return None
        if slot.variable is not None and slot.variable.hidden:
            return Room(0, slot.type, None, False)  # back at its first value whenever others can look
        return _room(slot.offset, slot.type)

    def _element(self, outer: Room, place: Index, index: Expression, number: int, names: Names) -> Room:
        assert isinstance(outer.type, ArrayType)
        size, each = outer.type.size, width(outer.type.element)
        low, high = self.interval(index, number, names)
        fails = outer.fails or low < 0 or high >= size
        if low == high and not fails:
            return _part(outer, low * each, outer.type.element)
        low, high = max(low, 0), min(high, size - 1)
        if outer.first is None:
            return Room(outer.cells, outer.type.element, None, fails)
        mask = 0
        for cell in range(outer.first + low * each, outer.first + (high + 1) * each):
            mask |= 1 << cell
        return Room(mask, outer.type.element, None, fails)

    def processes_meant(self, process: ProcessRef, number: int, names: Names = NO_NAMES) -> list[int]:
        """The numbers that a reference to a process can mean."""
        kinds = self.configuration.kinds
        if isinstance(process, Instance):
            found = self.network.instance_numbers[process.name]
            return [found] if found < len(kinds) else []
        kind = self.network.process_index[process.process]
        all_of_kind = [other for other, found in enumerate(kinds) if found == kind]
        if process.number is None:
            return all_of_kind
        which = self.value(process.number, number, names)
        return all_of_kind if which is None else [other for other in all_of_kind if other == which]

    def channels_meant(self, channel: Expression, number: int, names: Names = NO_NAMES) -> list[int]:
        """The numbers of the channels that an expression can mean."""
        which = self.value(channel, number, names)
        if which is not None:
            return [which] if 1 <= which <= len(self.channels) else []
        base = channel.base if isinstance(channel, Index) else channel
        if isinstance(base, Ref) and base.name in self.scope.channels and not self._slot_owner(base.name, number):
            first = self.scope.channel_numbers[base.name]
            return list(range(first, first + (self.scope.channels[base.name].size or 1)))
        return list(range(1, len(self.channels) + 1))

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
            case Remote(process, place):
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

    def _all(self, of: object) -> int:
        mask = 0
        for number in range(len(self.configuration)):
            mask |= of(number)  # type: ignore[operator]
        return mask

    # Functions

    def _call(self, call: Call, number: int, names: Names) -> Footprint:
        function = self._function(call.function, number)
        found = Footprint()
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            found |= self.reads(argument, number, names)
            if parameter.reference and isinstance(argument, (Ref, Index, Field)):
                room = self.room(argument, number, names)
                found |= Footprint(writes=0 if room is None else room.cells)
            elif is_scalar(parameter.type):
                found.fails |= not self._fits(argument, parameter.type, number, names)
        found |= self._body(function, number)
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
            self._functions[key] = self.statements(function.body, owner, own)
        return self._functions[key]

    # Statements

    def statements(self, body: tuple[Statement, ...], number: int, names: Names = NO_NAMES) -> Footprint:
        """What a statement list can do. A name that is declared in it hides a variable from there on."""
        found = Footprint()
        inside = dict(names)
        for statement in body:
            found |= self._statement(statement, number, inside)
            if isinstance(statement, Declare):
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
            case Assert():
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
            stored = store_value(room.type, value)  # type: ignore[arg-type]
            if stored is not None:
                found.known[room.first] = {stored}
        return found

    def _fits(self, value: Expression, kind: Type, number: int, names: Names) -> bool:
        """Whether storing never is a range error."""
        if not is_scalar(kind):
            return True
        return _holds(kind, self.interval(value, number, names))  # type: ignore[arg-type]

    def message_fits(self, values: tuple[Expression, ...], channels: list[int], number: int) -> bool:
        """Whether the values of a message can always be stored in its fields."""
        for which in channels:
            fields = self.channels[which - 1].fields
            pairs = zip(values, fields, strict=False)
            if not all(_holds(kind, self.interval(value, number)) for value, kind in pairs):
                return False
        return True

    def binding_fits(self, room: Room, position: int, channels: list[int]) -> bool:
        """Whether a field of a message can always be stored in a place."""
        for which in channels:
            fields = self.channels[which - 1].fields
            arriving = bounds(fields[position]) if position < len(fields) else (0, 0)
            if not all(_holds(kind, arriving) for kind in scalars(room.type)):
                return False
        return True


def _holds(kind: ScalarType, values: Interval) -> bool:
    low, high = bounds(kind)
    return wraps(kind) or (low <= values[0] and values[1] <= high)


def _room(first: int, kind: Type) -> Room:
    mask = ((1 << width(kind)) - 1) << first
    return Room(mask, kind, first, False)


def _part(outer: Room, skipped: int, kind: Type) -> Room:
    if outer.first is None:
        return Room(outer.cells, kind, None, outer.fails)
    inner = _room(outer.first + skipped, kind)
    return Room(inner.cells, kind, inner.first, outer.fails)


def _combined(operator: str, left: Interval, right: Interval) -> Interval:
    """Bounds of an operation; the whole range where it may wrap."""
    match operator:
        case "+":
            low, high = left[0] + right[0], left[1] + right[1]
        case "-":
            low, high = left[0] - right[1], left[1] - right[0]
        case "*":
            products = [a * b for a in left for b in right]
            low, high = min(products), max(products)
        case "%" if right[0] > 0:
            low, high = (0 if left[0] >= 0 else 1 - right[1]), right[1] - 1
        case "/" if right[0] > 0:
            low, high = min(left[0], 0), max(left[1], 0)
        case "&" if left[0] >= 0 and right[0] >= 0:
            low, high = 0, min(left[1], right[1])
        case "&" if right[0] >= 0:
            low, high = 0, right[1]
        case "min":
            low, high = min(left[0], right[0]), min(left[1], right[1])
        case "max":
            low, high = max(left[0], right[0]), max(left[1], right[1])
        case "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||" | "imply":
            low, high = 0, 1
        case _:
            return ANY_INT
    return (low, high) if low >= INT_MIN and high <= INT_MAX else ANY_INT
