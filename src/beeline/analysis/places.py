"""Which cells of the state, channels and processes a piece of code can mean, and what is known about its values.

Sets of resources are masks: one bit for each cell of the state, then two for each channel. A send works at the back of
a channel and a receive at its front, so that they do not meet; a question about its length looks at both ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import takewhile

from beeline.analysis.configuration import Configuration
from beeline.compile.layout import ChannelPlace, KindPlace, Layout
from beeline.model.evaluate import ARITHMETIC
from beeline.model.expressions import (
    At,
    Binary,
    Builtin,
    ChannelInfo,
    Checked,
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
    Unary,
)
from beeline.model.scope import element_of
from beeline.model.types import (
    INT_MAX,
    INT_MIN,
    ArrayType,
    RecordType,
    Type,
    bounds,
    is_scalar,
    width,
    wrap32,
)
from beeline.records import Record

Interval = tuple[int, int]
ANY_INT: Interval = (INT_MIN, INT_MAX)
# Names that are no variables here: temporaries, parameters of functions, quantified names, with their bounds.
Names = Mapping[str, Interval]
NO_NAMES: Names = {}


class Room(Record, frozen=True):
    """The cells of a place: the first one, how many different ones it can be, and the type there."""

    cells: int  # mask
    type: Type
    first: int | None  # of a place that is known
    fails: bool


class Places:
    """Places and values in code that processes of a configuration run (number -1: properties). Unless `elements` of
    arrays are told apart, an array is one place."""

    def __init__(self, layout: Layout, configuration: Configuration, elements: bool = True) -> None:
        self.elements = elements
        self.layout = layout
        self.scope = layout.scope
        self.network = layout.network
        self.configuration = configuration

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
            case Checked(operand, least, most):
                inner = self.value(operand, number, names)
                fits = inner is not None and (least is None or least <= inner) and (most is None or inner <= most)
                return inner if fits else None
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
            case Checked(operand, least, most):
                low, high = self.interval(operand, number, names)
                low, high = low if least is None else max(low, least), high if most is None else min(high, most)
                return (low, high) if low <= high else ANY_INT
            case Conditional(_, then, otherwise):
                one, other = self.interval(then, number, names), self.interval(otherwise, number, names)
                return min(one[0], other[0]), max(one[1], other[1])
            case Quantified(kind="forall" | "exists"):
                return 0, 1
            case Builtin("processes"):
                return 0, len(self.configuration) + 1  # and the monitor
            case _:
                return ANY_INT

    def _place_interval(self, place: Place, number: int, names: Names) -> Interval:
        room = self.room(place, number, names)
        return bounds(room.type) if room is not None and is_scalar(room.type) else ANY_INT

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
                assert isinstance(outer.type, RecordType)
                before = takewhile(lambda part: part[0] != name, outer.type.fields)
                return _part(outer, sum(width(kind) for _, kind in before), element_of(outer.type, place))

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
        if not self.elements:
            return Room(outer.cells, outer.type.element, None, fails)
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
