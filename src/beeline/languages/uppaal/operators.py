"""Operators on operands: arithmetic, comparisons and logic, with and without clocks."""

from __future__ import annotations

from beeline.languages.uppaal import reals
from beeline.languages.uppaal.conditions import Atom, Condition, Plain, both, either, negate
from beeline.languages.uppaal.kinds import (
    ANY_INT,
    BOOL,
    REAL,
    Array,
    Clock,
    Kind,
    Real,
    Struct,
    compatible,
    is_number,
    is_scalar,
)
from beeline.languages.uppaal.operands import (
    ClockCondition,
    Computed,
    Constant,
    Linear,
    Operand,
    Stored,
)
from beeline.model import folding as fold
from beeline.model.expressions import (
    FALSE,
    TRUE,
    Expression,
    Field,
    Index,
    Literal,
    Place,
    Remote,
)
from beeline.model.types import INT_MAX, wrap32
from beeline.records import replace

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
ON_CLOCKS = "arithmetic on clocks, other than differences,"
_NAMES = {"<?": "min", ">?": "max"}


class Mismatch(Exception):
    """Operands to which an operator does not apply; the message says why."""


class Beyond(Mismatch):
    """Operands to which an operator applies in UPPAAL but not here; the message names the construct."""


def read(operand: Operand) -> Expression:
    """The value of a scalar as an expression of the network."""
    match operand:
        case Constant(value=int(value)):
            return Literal(value)
        case Stored(kind, place, process=process) if is_scalar(kind):
            return place if process is None else Remote(process, place)
        case Computed(_, expression):
            return expression
        case Linear() | Stored(kind=Clock()):
            raise Mismatch("a clock has no integer value")
        case ClockCondition():
            raise Mismatch("a condition on clocks has no integer value")
        case _:
            raise Mismatch(f"a number is needed here, not a value of type {operand.kind}")


def condition(operand: Operand) -> Condition:
    """The operand as a condition, which may speak of clocks."""
    if isinstance(operand, ClockCondition):
        return operand.condition
    if not is_number(operand.kind):
        raise Mismatch(f"a condition is needed here, not a value of type {operand.kind}")
    return Plain(fold.truth(read(operand)))


def number(expression: Expression) -> Operand:
    return Constant(ANY_INT, expression.value) if isinstance(expression, Literal) else Computed(ANY_INT, expression)


def boolean(expression: Expression) -> Operand:
    if isinstance(expression, Literal):
        return Constant(BOOL, int(expression.value != 0))
    return Computed(BOOL, expression)


def truth(found: Condition) -> Operand:
    return boolean(found.expression) if isinstance(found, Plain) else ClockCondition(found)


def unary(operator: str, operand: Operand) -> Operand:
    if operator == "!":
        return truth(negate(condition(operand)))
    if isinstance(operand, Constant) and isinstance(operand.value, float):
        return Constant(REAL, -operand.value if operator == "-" else operand.value)
    value = _numeric(operand)
    return number(fold.minus(value) if operator == "-" else value)


def binary(operator: str, left: Operand, right: Operand) -> Operand:
    """``left operator right`` for every binary operator of the language."""
    match operator:
        case "&&":
            return truth(_both(condition(left), condition(right)))
        case "||":
            return truth(_either(condition(left), condition(right)))
        case "imply":
            return truth(_either(negate(condition(left)), condition(right)))
        case "xor":
            one, other = (
                fold.as_bool(read(left), left.kind == BOOL),
                fold.as_bool(read(right), right.kind == BOOL),
            )
            return boolean(fold.binary("!=", one, other))
    if operator in _COMPARISONS:
        return compare(operator, left, right)
    if operator in ("+", "-") and (_is_clock(left) or _is_clock(right)):
        return _clock_sum(operator, left, right)
    if isinstance(left.kind, Real) or isinstance(right.kind, Real):
        return _real_arithmetic(operator, _known(left), _known(right))
    one, other = _numeric(left), _numeric(right)
    if operator == "**":
        return _power(one, other)
    return number(fold.binary(_NAMES.get(operator, operator), one, other))


def _both(left: Condition, right: Condition) -> Condition:
    if isinstance(left, Plain) and isinstance(right, Plain):
        return Plain(fold.binary("&&", left.expression, right.expression))
    return both(left, right)


def _either(left: Condition, right: Condition) -> Condition:
    if isinstance(left, Plain) and isinstance(right, Plain):
        return Plain(fold.binary("||", left.expression, right.expression))
    return either(left, right)


def _numeric(operand: Operand) -> Expression:
    if _is_clock(operand):
        raise Beyond(ON_CLOCKS)
    if not is_number(operand.kind):
        raise Mismatch(f"a number is needed here, not a value of type {operand.kind}")
    return read(operand)


def _power(base: Expression, exponent: Expression) -> Operand:
    if not isinstance(base, Literal) or not isinstance(exponent, Literal):
        raise Mismatch("** is only known for constants")
    if exponent.value < 0:
        raise Mismatch("** needs a non-negative exponent")
    result = base.value**exponent.value
    if abs(result) > INT_MAX:
        raise Mismatch("the result of ** does not fit in 32 bits")
    return number(Literal(wrap32(result)))


# Comparisons


def compare(operator: str, left: Operand, right: Operand) -> Operand:
    if _is_clock(left) or _is_clock(right):
        return truth(_compare_clocks(operator, linear(left), linear(right)))
    if is_number(left.kind) and is_number(right.kind):
        return boolean(fold.binary(operator, read(left), read(right)))
    if isinstance(left.kind, Real) or isinstance(right.kind, Real):
        return _compare_reals(operator, left, right)
    if not compatible(left.kind, right.kind):
        raise Mismatch(f"{left.kind} cannot be compared with {right.kind}")
    if operator not in ("==", "!="):
        raise Mismatch(f"values of type {left.kind} have no order")
    equal = _equal(left, right)
    return boolean(equal if operator == "==" else fold.negation(equal))


def _known(operand: Operand) -> float:
    match operand:
        case Constant(value=int() | float() as value):
            return float(value)
        case _ if _is_clock(operand):
            raise Beyond(ON_CLOCKS)
        case _ if is_number(operand.kind):
            raise Beyond("arithmetic on doubles, other than of constants,")
        case _:
            raise Mismatch(f"a number is needed here, not a value of type {operand.kind}")


def _real_arithmetic(operator: str, left: float, right: float) -> Operand:
    result = reals.arithmetic(operator, left, right)
    if result is None:
        raise Mismatch(f"{left} {operator} {right} has no value")
    return Constant(REAL, result)


def _compare_reals(operator: str, left: Operand, right: Operand) -> Operand:
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(BOOL, int(reals.compare(operator, _known(left), _known(right))))
    if isinstance(left, Constant):
        return _compare_reals(_MIRROR[operator], right, left)
    return boolean(reals.compare_whole(operator, _numeric(left), _known(right)))


def _equal(left: Operand, right: Operand) -> Expression:
    match left.kind:
        case Array(size=size):
            parts = [(element(left, at), element(right, at)) for at in range(size)]
        case Struct(_, fields):
            parts = [(member(left, at), member(right, at)) for at in range(len(fields))]
        case _:
            return fold.binary("==", read(left), read(right))
    result: Expression = TRUE
    for one, other in parts:
        result = fold.binary("&&", result, _equal(one, other))
    return result


def element(operand: Operand, position: int) -> Operand:
    """The element at a known position of an array."""
    kind = operand.kind
    assert isinstance(kind, Array)
    match operand:
        case Constant(value=tuple(parts)):
            return Constant(kind.element, parts[position])
        case Stored():
            return part(operand, kind.element, Index(operand.place, Literal(position)))
        case _:
            raise Mismatch(f"a variable is needed here, not a value of type {kind}")


def member(operand: Operand, position: int) -> Operand:
    """The field at a known position of a struct."""
    kind = operand.kind
    assert isinstance(kind, Struct)
    name, inner = kind.fields[position]
    match operand:
        case Constant(value=tuple(parts)):
            return Constant(inner, parts[position])
        case Stored():
            return part(operand, inner, Field(operand.place, name))
        case _:
            raise Mismatch(f"a variable is needed here, not a value of type {kind}")


def part(whole: Stored, kind: Kind, place: Place) -> Stored:
    """A part of a variable, with the rights of the whole."""
    return replace(whole, kind=kind, place=place)


# Clocks


def _is_clock(operand: Operand) -> bool:
    return isinstance(operand.kind, Clock)


def linear(operand: Operand) -> Linear:
    match operand:
        case Linear():
            return operand
        case Stored(kind=Clock(), place=place, process=process):
            return Linear(place if process is None else Remote(process, place), None)
        case Constant(value=float(value)):
            if not value.is_integer() or abs(value) > INT_MAX:
                raise Beyond("comparing clocks with numbers that are not whole")
            return Linear(None, None, Literal(int(value)))
        case _:
            return Linear(None, None, _numeric(operand))


def _clock_sum(operator: str, left: Operand, right: Operand) -> Operand:
    one, other = linear(left), linear(right)
    offset = fold.binary(operator, one.offset, other.offset)
    if operator == "+":
        return _collect([one.plus, other.plus], [one.minus, other.minus], offset)
    return _collect([one.plus, other.minus], [one.minus, other.plus], offset)


def _collect(plus: list[Expression | None], minus: list[Expression | None], offset: Expression) -> Linear:
    """Cancels equal clocks; at most one may remain on each side."""
    ups = [one for one in plus if one is not None]
    downs = [one for one in minus if one is not None]
    for one in list(ups):
        if one in downs:
            ups.remove(one)
            downs.remove(one)
    if len(ups) > 1 or len(downs) > 1:
        raise Mismatch("only one clock, or the difference of two, can be compared")
    return Linear(ups[0] if ups else None, downs[0] if downs else None, offset)


def _compare_clocks(operator: str, left: Linear, right: Linear) -> Condition:
    bound = fold.binary("-", right.offset, left.offset)
    whole = _collect([left.plus, right.minus], [left.minus, right.plus], FALSE)
    if whole.plus is None and whole.minus is None:
        return Plain(fold.binary(operator, FALSE, bound))
    if whole.plus is None:
        assert whole.minus is not None
        return Atom(_MIRROR[operator], whole.minus, None, fold.minus(bound))
    return Atom(operator, whole.plus, whole.minus, bound)
