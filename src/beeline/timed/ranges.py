"""Which values an expression can have, from the types of what it reads: intervals, as wide as needed to be safe."""

from __future__ import annotations

from functools import reduce

from beeline.model.expressions import (
    At,
    Binary,
    Builtin,
    Call,
    Conditional,
    Expression,
    Field,
    Index,
    Instance,
    Literal,
    Quantified,
    Ref,
    Remote,
    Unary,
    walk,
)
from beeline.model.network import Function
from beeline.model.statements import Alias, Declare, For, Return, nested
from beeline.model.types import INT_MAX, INT_MIN, Type, bounds, is_scalar
from beeline.timed.clocks import Clocks

Range = tuple[int, int]
ANYTHING: Range = (INT_MIN, INT_MAX)
_TRUTH = ("==", "!=", "<", "<=", ">", ">=", "&&", "||", "imply")


def values_of(expression: Expression, clocks: Clocks, kind: int | None) -> Range:
    """The least and the greatest value that an expression of a process of this kind can have.

    >>> from beeline.model.builder import NetworkBuilder
    >>> values_of(Binary("+", Literal(2), Literal(3)), Clocks(NetworkBuilder("n").build()), None)
    (5, 5)
    """
    match expression:
        case Literal(value):
            return value, value
        case Ref() | Index() | Field():
            return _of_type(clocks.type_of(expression, kind))
        case Remote(Instance(name), Call(function)):
            return _of_function(function, clocks, clocks.kind_of(name))
        case Remote(Instance(name), Ref() | Index() | Field() as place):
            return _of_type(clocks.type_of(place, clocks.kind_of(name)))
        case Unary("!", _) | At():
            return 0, 1
        case Unary("-", operand):
            low, high = values_of(operand, clocks, kind)
            return _safe(-high, -low)
        case Binary(operator) if operator in _TRUTH:
            return 0, 1
        case Binary(operator, left, right):
            return _binary(operator, values_of(left, clocks, kind), values_of(right, clocks, kind))
        case Conditional(_, then, otherwise):
            return _join(values_of(then, clocks, kind), values_of(otherwise, clocks, kind))
        case Quantified(kind=quantifier) if quantifier != "sum":
            return 0, 1
        case Call(function, _):
            return _of_function(function, clocks, kind)
        case Builtin():
            return ANYTHING
        case _:
            return ANYTHING


def _of_type(kind: Type | None) -> Range:
    if kind is None or not is_scalar(kind):
        return ANYTHING
    return bounds(kind)


def _of_function(name: str, clocks: Clocks, kind: int | None) -> Range:
    own = clocks.scope.processes[kind].functions if kind is not None else {}
    function = own.get(name) or clocks.scope.functions.get(name)
    if function is None:
        return ANYTHING
    low, high = _of_type(function.returns)
    given = [_returned(one, function, clocks, kind) for one in nested(function.body) if isinstance(one, Return)]
    least, greatest = reduce(_join, given, (0, 0))
    if greatest < low or least > high:
        return low, high  # every call fails
    return max(low, least), min(high, greatest)


def _returned(statement: Return, function: Function, clocks: Clocks, kind: int | None) -> Range:
    """What a function gives back at one place. Of its own variables, and of what it calls, nothing is known."""
    own = {parameter.name for parameter in function.parameters}
    own |= {one.name for one in nested(function.body) if isinstance(one, Declare | Alias | For)}
    if statement.value is None:
        return ANYTHING
    for part in walk(statement.value):
        if isinstance(part, Call) or (isinstance(part, Ref) and part.name in own):
            return ANYTHING
    return values_of(statement.value, clocks, kind)


def _join(left: Range, right: Range) -> Range:
    return min(left[0], right[0]), max(left[1], right[1])


def _safe(low: int, high: int) -> Range:
    """Arithmetic that may wrap around can give anything."""
    return (low, high) if low >= INT_MIN and high <= INT_MAX else ANYTHING


def _binary(operator: str, left: Range, right: Range) -> Range:
    corners: list[int]
    match operator:
        case "+":
            return _safe(left[0] + right[0], left[1] + right[1])
        case "-":
            return _safe(left[0] - right[1], left[1] - right[0])
        case "*":
            corners = [a * b for a in left for b in right]
            return _safe(min(corners), max(corners))
        case "min":
            return min(left[0], right[0]), min(left[1], right[1])
        case "max":
            return max(left[0], right[0]), max(left[1], right[1])
        case "/" if right[0] > 0:
            largest = max(abs(left[0]), abs(left[1])) // right[0]
            return (-largest if left[0] < 0 else 0), (largest if left[1] > 0 else 0)
        case "%" if right[0] > 0:
            return (-(right[1] - 1) if left[0] < 0 else 0), right[1] - 1
        case "&" if left[0] >= 0 and right[0] >= 0:
            return 0, min(left[1], right[1])
        case _:
            return ANYTHING
