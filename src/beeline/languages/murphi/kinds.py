"""Types of Murphi, and what they are in the network.

Members of enumerations and scalarsets are numbers. Those of types that a union joins are numbered one after the other,
so that a value is the same number in the union and in its own type; others are numbered from zero.
"""

from __future__ import annotations

from typing import TypeGuard

from beeline.model import types as ir
from beeline.records import Record


class Range(Record, frozen=True):
    """Integers in ``low .. high``: a subrange, or what is known of an integer expression."""

    low: int
    high: int
    name: str = ""

    def __str__(self) -> str:
        return self.name or f"{self.low}..{self.high}"


class Enum(Record, frozen=True):
    name: str
    members: tuple[str, ...]
    first: int = 0

    @property
    def low(self) -> int:
        return self.first

    @property
    def high(self) -> int:
        return self.first + len(self.members) - 1

    def __str__(self) -> str:
        return self.name or f"enum {{{', '.join(self.members)}}}"


class Scalarset(Record, frozen=True):
    """`size` values that nothing but a name tells apart. Without a name, two of the same size are the same type."""

    name: str
    size: int
    first: int = 0

    @property
    def low(self) -> int:
        return self.first

    @property
    def high(self) -> int:
        return self.first + self.size - 1

    @property
    def members(self) -> tuple[str, ...]:
        return tuple(f"{self.name or 'scalar'}_{number}" for number in range(1, self.size + 1))

    def __str__(self) -> str:
        return self.name or f"scalarset({self.size})"


class Union(Record, frozen=True):
    """The values of several enumerations and scalarsets, in the order of their numbers."""

    name: str
    parts: tuple[Enum | Scalarset, ...]

    @property
    def low(self) -> int:
        return min(part.low for part in self.parts)

    @property
    def high(self) -> int:
        return max(part.high for part in self.parts)

    def __str__(self) -> str:
        return self.name or f"union {{{', '.join(map(str, self.parts))}}}"


class Array(Record, frozen=True):
    index: Simple
    element: Kind

    @property
    def size(self) -> int:
        return self.index.high - self.index.low + 1

    def __str__(self) -> str:
        return f"array [{self.index}] of {self.element}"


class RecordKind(Record, frozen=True):
    fields: tuple[tuple[str, Kind], ...]
    name: str = ""

    def field(self, name: str) -> Kind | None:
        return next((kind for label, kind in self.fields if label == name), None)

    def __str__(self) -> str:
        return self.name or "record"


class Multiset(Record, frozen=True):
    """Up to `size` entries in no order."""

    size: int
    element: Kind

    def __str__(self) -> str:
        return f"multiset [{self.size}] of {self.element}"


Simple = Range | Enum | Scalarset | Union
Kind = Simple | Array | RecordKind | Multiset

APART = "types do not become each other: use a value of that type"
BOOLEAN = Enum("boolean", ("false", "true"))
THERE, ENTRY = "there", "entry"
"""Fields of an entry of a multiset: whether it is there, and what it is."""


def is_simple(kind: Kind) -> TypeGuard[Simple]:
    return isinstance(kind, (Range, Enum, Scalarset, Union))


def has_members_alike(kind: Simple) -> bool:
    """Whether some of its values are told apart by nothing but their names."""
    parts = kind.parts if isinstance(kind, Union) else (kind,)
    return any(isinstance(part, Scalarset) and part.size > 1 for part in parts)


def undefined(kind: Simple) -> int:
    """The number that stands for no value."""
    return kind.low - 1


def fits(given: Kind, wanted: Kind) -> bool:
    """Whether a value of one type can be stored in, or compared with, another. Numbers are checked at run time, as are
    values of a union."""
    match given, wanted:
        case Range(), Range():
            return True
        case (Enum() | Scalarset(), Union(parts=parts)) | (Union(parts=parts), Enum() | Scalarset()):
            return given in parts or wanted in parts
        case Union(parts=some), Union(parts=others):
            return bool(set(some) & set(others))
        case Scalarset(name, size), Scalarset(other, most):
            return size == most and (name == other or not name or not other)
        case Array(), Array():
            return same(given.index, wanted.index) and same(given.element, wanted.element)
        case _:
            return same(given, wanted)


def same(one: Kind, other: Kind) -> bool:
    """Whether two types have the same values, whatever they are called."""
    match one, other:
        case Range(), Range():
            return (one.low, one.high) == (other.low, other.high)
        case Enum(), Enum():
            return (one.members, one.first) == (other.members, other.first)
        case RecordKind(fields), RecordKind(others):
            return [name for name, _ in fields] == [name for name, _ in others] and all(
                same(kind, kind2) for (_, kind), (_, kind2) in zip(fields, others, strict=True)
            )
        case Array(), Array():
            return same(one.index, other.index) and same(one.element, other.element)
        case Multiset(), Multiset():
            return one.size == other.size and same(one.element, other.element)
        case Scalarset(), Scalarset():
            return fits(one, other)
        case _:
            return one == other


def to_ir(kind: Kind, absent: bool = True) -> ir.Type:
    """The network's type; with `absent`, scalars may be undefined."""
    match kind:
        case Range(low, high, name):
            return ir.IntType(low, high, name=name, absent=absent)
        case Enum(name, members, first):
            return ir.EnumType(name or "enum", members, first, absent)
        case Scalarset():
            return ir.EnumType(kind.name or "scalarset", kind.members, kind.first, absent, interchangeable=True)
        case Union():
            return _union(kind, absent)
        case Array(index, element):
            by = to_ir(index, False)
            assert isinstance(by, (ir.IntType, ir.EnumType))
            return ir.ArrayType(to_ir(element, absent), kind.size, by)
        case RecordKind(fields, name):
            return ir.RecordType(name or "record", tuple((label, to_ir(part, absent)) for label, part in fields))
        case Multiset(size, element):
            entry = ir.RecordType("entry", ((THERE, ir.BOOL), (ENTRY, to_ir(element, absent))))
            return ir.ArrayType(entry, size)


def _union(kind: Union, absent: bool) -> ir.EnumType:
    names = {part.first + i: member for part in kind.parts for i, member in enumerate(part.members)}
    members = tuple(names.get(number, f"({number})") for number in range(kind.low, kind.high + 1))
    parts = tuple(to_ir(part, False) for part in kind.parts)
    return ir.EnumType(kind.name or "union", members, kind.low, absent, parts=parts)


def show_value(kind: Simple, value: int) -> str:
    """A value as the model's author would write it."""
    match kind:
        case Range():
            return str(value)
        case Union(parts=parts):
            return next(show_value(part, value) for part in parts if part.low <= value <= part.high)
        case _:
            return kind.members[value - kind.first]


def values(kind: Simple) -> list[int]:
    """All values of a type, the lowest first."""
    if isinstance(kind, Union):
        return sorted(value for part in kind.parts for value in values(part))
    return list(range(kind.low, kind.high + 1))
