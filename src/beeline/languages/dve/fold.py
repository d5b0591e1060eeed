"""Folding of constant parts of expressions.

The models are written by generators and are full of guards such as ``2 == 13 && ...``: what can be decided here
need not be decided in every state. Folding never changes a value nor hides a run-time error.
"""

from __future__ import annotations

from beeline.model.evaluate import ARITHMETIC
from beeline.model.expressions import FALSE, TRUE, At, Binary, Expression, Literal, Ref, Unary
from beeline.model.types import wrap32


def unary(operator: str, operand: Expression) -> Expression:
    """`operator` applied to `operand`, decided where possible.

    >>> unary("!", Literal(0)), unary("-", Ref("x"))
    (Literal(value=1), Unary(operator='-', operand=Ref(name='x')))
    """
    if isinstance(operand, Literal):
        value = operand.value
        return Literal({"!": int(not value), "-": wrap32(-value), "~": ~value}[operator])
    return Unary(operator, operand)


def binary(operator: str, left: Expression, right: Expression) -> Expression:
    """`operator` applied to both, decided where possible.

    >>> binary("&&", Literal(0), Ref("x")), binary("+", Literal(2), Literal(3))
    (Literal(value=0), Literal(value=5))
    """
    if operator in ("&&", "||", "imply"):
        return _logic(operator, left, right)
    if isinstance(left, Literal) and isinstance(right, Literal):
        if operator in ARITHMETIC:
            return Literal(wrap32(int(ARITHMETIC[operator](left.value, right.value))))
        if right.value != 0:
            quotient = abs(left.value) // abs(right.value)
            quotient = quotient if (left.value < 0) == (right.value < 0) else -quotient
            return Literal(wrap32(quotient if operator == "/" else left.value - quotient * right.value))
    return Binary(operator, left, right)


def _logic(operator: str, left: Expression, right: Expression) -> Expression:
    if operator == "imply":
        return _logic("||", unary("!", left), right)
    absorbing, neutral = (FALSE, TRUE) if operator == "&&" else (TRUE, FALSE)
    if isinstance(left, Literal):
        return truth(right) if (left.value != 0) == (neutral.value != 0) else absorbing
    if isinstance(right, Literal):
        if (right.value != 0) == (neutral.value != 0):
            return truth(left)
        if isinstance(left, At | Ref):  # evaluating these cannot fail
            return absorbing
    return Binary(operator, left, right)


def truth(expression: Expression) -> Expression:
    """The expression as 0 or 1."""
    match expression:
        case Literal(value):
            return Literal(int(value != 0))
        case Unary("!", _) | At():
            return expression
        case Binary(operator, _, _) if operator in ("&&", "||", "imply", "==", "!=", "<", "<=", ">", ">="):
            return expression
        case _:
            return Binary("!=", expression, FALSE)
