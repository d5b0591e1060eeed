"""Building expressions of the network with what is constant already worked out."""

from __future__ import annotations

from beeline.model.evaluate import ARITHMETIC
from beeline.model.expressions import (
    COMPARISONS,
    FALSE,
    TRUE,
    Binary,
    Conditional,
    Expression,
    Literal,
    Unary,
)
from beeline.model.types import wrap32

_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def binary(operator: str, left: Expression, right: Expression) -> Expression:
    """``left operator right``; a division by a constant zero is left for the run to report."""
    if operator in ("&&", "||", "imply"):
        return _logic(operator, left, right)
    if isinstance(left, Literal) and isinstance(right, Literal):
        if operator not in ("/", "%"):
            return Literal(wrap32(int(ARITHMETIC[operator](left.value, right.value))))
        if right.value != 0:
            quotient = abs(left.value) // abs(right.value)
            quotient = quotient if (left.value < 0) == (right.value < 0) else -quotient
            return Literal(wrap32(quotient if operator == "/" else left.value - quotient * right.value))
    if operator in ("+", "-") and right == Literal(0):
        return left
    if operator == "+" and left == Literal(0):
        return right
    return Binary(operator, left, right)


def _logic(operator: str, left: Expression, right: Expression) -> Expression:
    if isinstance(left, Literal):
        if operator == "&&":
            return truth(right) if left.value else FALSE
        if operator == "||":
            return TRUE if left.value else truth(right)
        return truth(right) if left.value else TRUE
    if isinstance(right, Literal) and operator == "&&":
        return truth(left) if right.value else FALSE
    if isinstance(right, Literal) and operator == "||":
        return TRUE if right.value else truth(left)
    return Binary(operator, left, right)


def truth(expression: Expression) -> Expression:
    """`expression` as a condition: constants become 0 or 1, the rest stays, since truth is "not zero"."""
    return Literal(int(expression.value != 0)) if isinstance(expression, Literal) else expression


def as_bool(expression: Expression, is_bool: bool) -> Expression:
    """`expression` as a value to be stored in a bool."""
    match expression:
        case Binary(operator) if operator in (*COMPARISONS, "&&", "||", "imply"):
            return expression
        case Unary("!"):
            return expression
    if is_bool:
        return truth(expression)
    return binary("!=", expression, Literal(0))


def negation(expression: Expression) -> Expression:
    """``!expression`` for expressions without clocks."""
    match expression:
        case Literal(value):
            return Literal(int(not value))
        case Unary("!", operand):
            return truth(operand)
        case Binary(operator, left, right) if operator in _OPPOSITE:
            return Binary(_OPPOSITE[operator], left, right)
        case _:
            return Unary("!", expression)


def minus(expression: Expression) -> Expression:
    return Literal(wrap32(-expression.value)) if isinstance(expression, Literal) else Unary("-", expression)


def conditional(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    if isinstance(condition, Literal):
        return then if condition.value else otherwise
    return Conditional(condition, then, otherwise)


def opposite(operator: str) -> str:
    """The comparison that is true where `operator` is false."""
    return _OPPOSITE[operator]
