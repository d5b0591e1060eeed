"""Expressions of Murphi with their types, as the network has them; and what is known of them without running."""

from __future__ import annotations

from collections.abc import Callable

from beeline.languages.murphi.kinds import Kind, Range, Simple, is_simple, undefined
from beeline.model import expressions as ir
from beeline.model.expressions import Expression, Literal, Place
from beeline.model.network import Parameter
from beeline.model.source import Source
from beeline.model.statements import Alias, Declare, Statement
from beeline.model.types import INT_MAX, INT_MIN
from beeline.records import Record, field


class Pending(Record, frozen=True):
    """Calls that must come first, because they make the record or array of which a part is wanted. `passed` are the
    parameters that they need, each with what is given for it in the place around."""

    passed: tuple[tuple[Parameter, ir.Expression], ...] = ()
    body: tuple[Statement, ...] = ()

    def __add__(self, other: Pending) -> Pending:
        return Pending(self.passed + other.passed, self.body + other.body)

    def inlined(self, at: Source) -> list[Statement]:
        """As statements in the place around."""
        made: list[Statement] = []
        for parameter, given in self.passed:
            if parameter.reference:
                assert isinstance(given, (ir.Ref, ir.Index, ir.Field))
                made.append(Alias(parameter.name, given, at))
            else:
                made.append(Declare(parameter.name, parameter.type, given, at))
        return [*made, *self.body]


class Value(Record, frozen=True):
    """An expression with its type. `ir` is its value where the type is a simple one; where it is a variable's, an error
    if that has none, unlike `raw`. `place` is where it is, if it is a variable's or a call's result. The type of
    an integer expression tells the numbers that it can have."""

    ir: Expression
    kind: Kind
    at: Source
    place: Place | None = None
    writable: bool = False
    defined: bool = True
    pending: Pending | None = None

    @property
    def constant(self) -> int | None:
        return self.ir.value if isinstance(self.ir, Literal) and self.place is None else None

    @property
    def raw(self) -> Expression:
        """Its value, or the number that stands for none."""
        return self.ir if self.place is None or self.defined else self.place


def literal(value: int, kind: Simple, at: Source) -> Value:
    return Value(ir.Literal(value), kind, at)


def within(value: Value, kind: Simple) -> ir.Expression:
    """The value, which must be one of a type: an error at run time where that is not certain."""
    assert is_simple(value.kind)
    if kind.low <= value.kind.low and value.kind.high <= kind.high:
        return value.ir
    return ir.Checked(value.ir, kind.low, kind.high)


def copied(value: Value, kind: Simple) -> ir.Expression:
    """The value of a variable, or none if that has none, as a variable of another type holds it."""
    if value.place is None or value.defined:
        return within(value, kind)
    assert is_simple(value.kind)
    if undefined(value.kind) == undefined(kind):
        return ir.Checked(value.place, None, kind.high) if value.kind.high > kind.high else value.place
    known = within(Value(value.place, value.kind, value.at), kind)
    missing = ir.Binary("==", value.place, ir.Literal(undefined(value.kind)))
    return ir.Conditional(missing, ir.Literal(undefined(kind)), known)


# What is known of numbers


def _corners(function: Callable[[int, int], int], left: Range, right: Range) -> Range:
    found = [function(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    return Range(min(found), max(found))


def arithmetic(operator: str, left: Range, right: Range) -> Range:
    """The numbers that an operation can have; division by zero is an error at run time."""
    match operator:
        case "+":
            return Range(left.low + right.low, left.high + right.high)
        case "-":
            return Range(left.low - right.high, left.high - right.low)
        case "*":
            return _corners(lambda a, b: a * b, left, right)
        case "/":
            most = max(abs(left.low), abs(left.high))
            signed = left.low < 0 or right.low < 0
            return Range(-most if signed else 0, most)
        case "%":
            most = max(abs(right.low), abs(right.high), 1) - 1
            return Range(-min(most, -left.low) if left.low < 0 else 0, min(most, max(left.high, 0)))
        case "&" if left.low >= 0 or right.low >= 0:
            return Range(0, min(part.high for part in (left, right) if part.low >= 0))
        case "|" | "^" if left.low >= 0 and right.low >= 0:
            return Range(0, (1 << max(left.high, right.high).bit_length()) - 1)
        case "<<" if left.low >= 0 and right.low >= 0 and right.high < 32 and left.high << right.high <= INT_MAX:
            return Range(0, left.high << right.high)
        case ">>" if right.low >= 0:
            return Range(min(left.low, 0), max(left.high, 0))
        case _:
            return Range(INT_MIN, INT_MAX)


def computed(operator: str, left: int, right: int) -> int | None:
    """The value of an operation on known numbers; None for a division by zero."""
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" | "%":
            if right == 0:
                return None
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if operator == "/" else left - quotient * right
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "<<":
            return shifted(left, right)
        case ">>":
            return shifted(left, -right)
    raise AssertionError(operator)


def computed_once(value: ir.Expression) -> ir.Expression:
    """A condition that holds wherever the value can be computed."""
    return ir.Binary("<=", ir.Literal(INT_MIN), value)


def divides_by_zero(value: ir.Expression) -> bool:
    """Whether an expression of known numbers has no value."""
    parts = ir.walk(value)
    numbers = all(isinstance(part, (ir.Literal, ir.Unary, ir.Binary)) for part in parts)
    return numbers and any(isinstance(part, ir.Binary) and part.operator in ("/", "%") for part in parts)


def shifted(value: int, by: int) -> int:
    """To the left, or by a negative number to the right; by more bits than there are, nothing is left."""
    if abs(by) >= 32:
        return 0
    return (((value << by) + 2**31) & 0xFFFFFFFF) - 2**31 if by >= 0 else value >> -by


class Fresh(Record):
    """Names that nothing else has."""

    used: set[str] = field(default_factory=set)

    def name(self, wanted: str) -> str:
        found, number = wanted, 1
        while found in self.used:
            number += 1
            found = f"{wanted}'{number}"
        self.used.add(found)
        return found
