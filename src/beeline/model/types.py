"""Types of the IR. Every scalar is a bounded integer at run time; arrays and records are flattened to scalars.

Arithmetic is done in 32-bit two's complement whatever the operands' types; a type's bounds and overflow policy count
only when a value is stored into a variable, an array cell, a record field or a channel's message.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeGuard

from beeline.records import Record

INT_MIN = -(2**31)
INT_MAX = 2**31 - 1


class Overflow(Enum):
    """What happens to a stored value outside the type's bounds."""

    WRAP = "wrap"  # keep the low bits, as Promela and DVE do; the bounds then span a power of two
    ERROR = "error"  # a run-time error, as in UPPAAL


class IntType(Record, frozen=True):
    """Integers in ``low .. high``. `name` is only for printing. With `absent`, a variable may have no value: it then
    holds ``low - 1``, and does so at first."""

    low: int
    high: int
    overflow: Overflow = Overflow.ERROR
    name: str = ""
    absent: bool = False

    def __str__(self) -> str:
        return self.name or f"int[{self.low},{self.high}]"


class EnumType(Record, frozen=True):
    """A finite set of named values numbered from `first`; storing another number is an error. The members of an
    `interchangeable` one are told apart by nothing but their names: the network treats all alike. `parts` are the types
    whose values are joined in it. With `absent`, a variable may have no value: it then holds ``first - 1``, and does so
    at first."""

    name: str
    members: tuple[str, ...]
    first: int = 0
    absent: bool = False
    interchangeable: bool = False
    parts: tuple[Type, ...] = ()

    def __str__(self) -> str:
        return self.name


class ChannelType(Record, frozen=True):
    """A variable that holds a channel's number; 0 stands for no channel."""

    def __str__(self) -> str:
        return "chan"


class ClockType(Record, frozen=True):
    """A real-valued clock; not part of the discrete state."""

    def __str__(self) -> str:
        return "clock"


class ArrayType(Record, frozen=True):
    """`size` elements with indices ``0 .. size - 1``. `index` is the type by which people number them, from its first
    value on, if they have another."""

    element: Type
    size: int
    index: IntType | EnumType | None = None

    def __str__(self) -> str:
        return f"{self.element}[{self.size}]"


class RecordType(Record, frozen=True):
    """Named fields, laid out in order."""

    name: str
    fields: tuple[tuple[str, Type], ...]

    def __str__(self) -> str:
        return self.name

    def field(self, name: str) -> Type | None:
        return next((kind for label, kind in self.fields if label == name), None)


ScalarType = IntType | EnumType | ChannelType
Type = IntType | EnumType | ChannelType | ClockType | ArrayType | RecordType

BOOL = IntType(0, 1, Overflow.WRAP, "bool")  # wraps like a one-bit field; write `x != 0` to convert
BIT = IntType(0, 1, Overflow.WRAP, "bit")
BYTE = IntType(0, 255, Overflow.WRAP, "byte")
SHORT = IntType(-(2**15), 2**15 - 1, Overflow.WRAP, "short")
INT = IntType(INT_MIN, INT_MAX, Overflow.WRAP, "int")
CHANNEL = ChannelType()
CLOCK = ClockType()
CHANNEL_MAX = 255


def bounds(kind: ScalarType) -> tuple[int, int]:
    """The smallest and the largest value that a variable of a scalar type holds."""
    low, high = values(kind)
    return (low - 1, high) if may_be_absent(kind) else (low, high)


def may_be_absent(kind: ScalarType) -> bool:
    """Whether a variable may have no value, for which it holds the number below the first."""
    return isinstance(kind, (IntType, EnumType)) and kind.absent


def values(kind: ScalarType) -> tuple[int, int]:
    """The smallest and the largest value of a scalar type."""
    match kind:
        case IntType(low, high):
            return low, high
        case EnumType():
            return kind.first, kind.first + len(kind.members) - 1
        case ChannelType():
            return 0, CHANNEL_MAX


def wraps(kind: ScalarType) -> bool:
    """Whether values outside the bounds are cut to the type's width rather than reported."""
    return isinstance(kind, IntType) and kind.overflow is Overflow.WRAP


def wrap32(value: int) -> int:
    """Two's complement value of the low 32 bits."""
    return ((value + 2**31) & 0xFFFFFFFF) - 2**31


def store_value(kind: ScalarType, value: int) -> int | None:
    """The value that a variable of type `kind` holds after `value` is stored, or None for a range error.

    >>> store_value(BYTE, 256), store_value(SHORT, 40000), store_value(IntType(0, 3), 4)
    (0, -25536, None)
    """
    low, high = bounds(kind)
    if low <= value <= high:
        return value
    if not wraps(kind):
        return None
    return (value - low) % (high - low + 1) + low


def first_value(kind: ScalarType) -> int:
    """The initial value of a variable that is declared without one: zero, or the nearest that the type has; no
    value where the type allows that.

    >>> first_value(BYTE), first_value(IntType(2, 5)), first_value(IntType(-5, -2))
    (0, 2, -2)
    """
    low, high = bounds(kind)
    return low if may_be_absent(kind) else min(max(0, low), high)


def is_scalar(kind: Type) -> TypeGuard[ScalarType]:
    return isinstance(kind, (IntType, EnumType, ChannelType))


def scalars(kind: Type) -> list[ScalarType]:
    """The scalar types that a value of `kind` is flattened to, in layout order. Clocks take no room."""
    match kind:
        case ArrayType(element, size):
            return scalars(element) * size
        case RecordType(_, fields):
            return [leaf for _, part in fields for leaf in scalars(part)]
        case ClockType():
            return []
        case _:
            return [kind]


MOST_VALUES = 1 << 20
"""Scalars that a state can have: more take longer to prepare than anyone waits."""


def excess(what: str, values: int) -> str | None:
    """What to say of something that makes states too large, None if it does not. It is asked before memory is taken.

    >>> excess("array 'a'", 10**9)
    "array 'a' has 1,000,000,000 values; a state can have 1,048,576"
    """
    return None if values <= MOST_VALUES else f"{what} has {values:,} values; a state can have {MOST_VALUES:,}"


def width(kind: Type) -> int:
    """How many scalars a value of `kind` takes."""
    match kind:
        case ArrayType(element, size):
            return width(element) * size
        case RecordType(_, fields):
            return sum(width(part) for _, part in fields)
        case ClockType():
            return 0
        case _:
            return 1
