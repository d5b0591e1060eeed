"""Numbers of type double, as constants: worked out before the model runs, with the rounding of doubles."""

from __future__ import annotations

import math
import operator as python
from collections.abc import Callable

from beeline.model import folding as fold
from beeline.model.expressions import Expression, Literal
from beeline.model.types import INT_MAX, INT_MIN

_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": python.add,
    "-": python.sub,
    "*": python.mul,
    "/": python.truediv,
    "**": math.pow,
    "<?": min,
    ">?": max,
}
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": python.lt,
    "<=": python.le,
    ">": python.gt,
    ">=": python.ge,
    "==": python.eq,
    "!=": python.ne,
}


def arithmetic(operator: str, left: float, right: float) -> float | None:
    """``left operator right``; None if that is no number.

    >>> arithmetic("/", 1.0, 4.0)
    0.25
    """
    if operator not in _ARITHMETIC:
        return None
    try:
        result = _ARITHMETIC[operator](left, right)
    except (ArithmeticError, ValueError):
        return None
    return result if math.isfinite(result) else None


def compare(operator: str, left: float, right: float) -> bool:
    return _COMPARE[operator](left, right)


def compare_whole(operator: str, whole: Expression, real: float) -> Expression:
    """``whole operator real`` as a comparison with the whole number beside `real`.

    >>> compare_whole("<", Literal(2), 2.5) == Literal(1)
    True
    """
    if operator in ("==", "!=") and not (real.is_integer() and INT_MIN <= real <= INT_MAX):
        # Never equal; but the value is still computed, since that may fail.
        return fold.binary("!=" if operator == "==" else "==", whole, whole)
    if real > INT_MAX:
        return fold.binary("<=" if operator in ("<", "<=") else ">", whole, Literal(INT_MAX))
    if real < INT_MIN:
        return fold.binary(">=" if operator in (">", ">=") else "<", whole, Literal(INT_MIN))
    bound = math.ceil(real) if operator in ("<", ">=") else math.floor(real)
    return fold.binary(operator, whole, Literal(bound))
