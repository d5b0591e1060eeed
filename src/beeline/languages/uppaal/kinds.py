"""Types of UPPAAL after all names and bounds are known, and constants of those types."""

from __future__ import annotations

from beeline.model import types as ir
from beeline.records import Record

Value = int | float | tuple["Value", ...]  # a scalar, or the parts of an array or struct in order


class Int(Record, frozen=True):
    low: int
    high: int

    def __str__(self) -> str:
        return "int" if self in (DEFAULT_INT, ANY_INT) else f"int[{self.low},{self.high}]"


class Bool(Record, frozen=True):
    def __str__(self) -> str:
        return "bool"


class Real(Record, frozen=True):
    """Constants of type double; nothing else of a model is a real number."""

    def __str__(self) -> str:
        return "double"


class ScalarSet(Record, frozen=True):
    """Values 0 .. size - 1 that can only be copied and compared for equality; each set is a type of its own."""

    name: str
    size: int

    def __str__(self) -> str:
        return self.name or f"scalar[{self.size}]"


class Clock(Record, frozen=True):
    def __str__(self) -> str:
        return "clock"


class Chan(Record, frozen=True):
    broadcast: bool = False
    urgent: bool = False

    def __str__(self) -> str:
        return ("urgent " if self.urgent else "") + ("broadcast " if self.broadcast else "") + "chan"


class Array(Record, frozen=True):
    """`size` elements; the first has index `low`. `index` is the type of the indices if the array was given one."""

    element: Kind
    size: int
    low: int = 0
    index: Kind | None = None

    def __str__(self) -> str:
        inner, sizes = self.element, f"[{self.size}]"
        while isinstance(inner, Array):
            sizes += f"[{inner.size}]"
            inner = inner.element
        return f"{inner}{sizes}"


class Struct(Record, frozen=True):
    name: str
    fields: tuple[tuple[str, Kind], ...]

    def __str__(self) -> str:
        return self.name or "struct"

    def position(self, name: str) -> int | None:
        return next((at for at, (label, _) in enumerate(self.fields) if label == name), None)


class Void(Record, frozen=True):
    def __str__(self) -> str:
        return "void"


class Timed(Record, frozen=True):
    """A truth value that depends on clocks."""

    def __str__(self) -> str:
        return "condition on clocks"


Kind = Int | Bool | Real | ScalarSet | Clock | Chan | Array | Struct | Void | Timed

DEFAULT_INT = Int(-32768, 32767)  # a variable declared plain `int`
ANY_INT = Int(ir.INT_MIN, ir.INT_MAX)  # results of arithmetic, constants declared plain `int`
BOOL = Bool()
REAL = Real()
CLOCK = Clock()
TIMED = Timed()
VOID = Void()


def is_number(kind: Kind) -> bool:
    """Whether arithmetic is defined."""
    return isinstance(kind, Int | Bool)


def is_scalar(kind: Kind) -> bool:
    """Whether a value is one integer at run time."""
    return isinstance(kind, Int | Bool | ScalarSet)


def domain(kind: Kind) -> range | None:
    """The values that a selection, quantifier or free parameter of this type runs over; None for plain `int`."""
    if kind in (DEFAULT_INT, ANY_INT):
        return None
    match kind:
        case Int(low, high):
            return range(low, high + 1)
        case Bool():
            return range(2)
        case ScalarSet(_, size):
            return range(size)
        case _:
            return None


def innermost(kind: Kind) -> Kind:
    """The element type below all array dimensions."""
    while isinstance(kind, Array):
        kind = kind.element
    return kind


def count(kind: Kind) -> int:
    """How many clocks, channels and numbers a value of this type consists of."""
    match kind:
        case Array(element, size):
            return size * count(element)
        case Struct(_, fields):
            return sum(count(part) for _, part in fields)
        case _:
            return 1


def contains_clock(kind: Kind) -> bool:
    match kind:
        case Array(element):
            return contains_clock(element)
        case Struct(_, fields):
            return any(contains_clock(part) for _, part in fields)
        case _:
            return isinstance(kind, Clock)


def contains_real(kind: Kind) -> bool:
    match kind:
        case Array(element):
            return contains_real(element)
        case Struct(_, fields):
            return any(contains_real(part) for _, part in fields)
        case _:
            return isinstance(kind, Real)


def compatible(left: Kind, right: Kind) -> bool:
    """Whether a value of one type can be stored into or compared with the other."""
    match left, right:
        case ((Int() | Bool()), (Int() | Bool())):
            return True
        case Real(), (Int() | Real()):
            return True
        case Array(), Array():
            return left.size == right.size and compatible(left.element, right.element)
        case Struct(), Struct():
            names = [label for label, _ in left.fields] == [label for label, _ in right.fields]
            parts = zip(left.fields, right.fields, strict=False)
            return names and all(compatible(one, other) for (_, one), (_, other) in parts)
        case Chan(), Chan():
            return True
        case _:
            return left == right


def default(kind: Kind) -> Value:
    """The value of a variable without an initial one: zero, or the nearest that the type has."""
    match kind:
        case Int(low, high):
            return min(max(0, low), high)
        case Array(element, size):
            return (default(element),) * size
        case Struct(_, fields):
            return tuple(default(part) for _, part in fields)
        case _:
            return 0


def flatten(kind: Kind, value: Value) -> tuple[int, ...]:
    """The scalars of a value in layout order; clocks take no room."""
    match kind, value:
        case Clock(), _:
            return ()
        case Array(element), tuple():
            return tuple(leaf for part in value for leaf in flatten(element, part))
        case Struct(_, fields), tuple():
            pairs = zip(fields, value, strict=True)
            return tuple(leaf for (_, inner), part in pairs for leaf in flatten(inner, part))
        case _, int():
            return (value,)
        case _:
            raise AssertionError(f"{value} is not of type {kind}")


def to_ir(kind: Kind) -> ir.Type:
    """The type of the network's variable that holds such values."""
    match kind:
        case Int(low, high):
            return ir.IntType(low, high)
        case Bool():
            return ir.BOOL
        case ScalarSet(_, size):
            return ir.IntType(0, size - 1, name=str(kind))
        case Clock():
            return ir.CLOCK
        case Array(element, size):
            return ir.ArrayType(to_ir(element), size)
        case Struct(name, fields):
            return ir.RecordType(name or "struct", tuple((label, to_ir(part)) for label, part in fields))
        case _:
            raise AssertionError(f"{kind} is no type of a variable")
