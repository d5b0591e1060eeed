"""Values and truths of which some are known and some are formulas of an SMT solver: numbers are 32-bit vectors, as in
the engine. What is known is computed at once, so that formulas stay small.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import z3

from beeline.model.evaluate import ARITHMETIC
from beeline.model.types import ScalarType, bounds, store_value, wrap32, wraps

BITS = 32
Number = Any  # int, or a vector of the solver's
Truth = Any  # bool, or a formula of the solver's

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def symbol(name: str) -> Number:
    """A number of which nothing is known."""
    return z3.BitVec(name, BITS)


def conjunction(*parts: Truth) -> Truth:
    """All of some truths."""
    open_parts = [part for part in parts if part is not True]
    if any(part is False for part in open_parts):
        return False
    if len(open_parts) < 2:
        return open_parts[0] if open_parts else True
    return z3.And(open_parts)


def disjunction(*parts: Truth) -> Truth:
    """One of some truths."""
    return negation(conjunction(*map(negation, parts)))


def negation(truth: Truth) -> Truth:
    if isinstance(truth, bool):
        return not truth
    return truth.arg(0) if z3.is_not(truth) else z3.Not(truth)


def same(one: Truth, other: Truth) -> Truth:
    """Whether two truths are the same."""
    if isinstance(one, bool):
        return other if one else negation(other)
    return same(other, one) if isinstance(other, bool) else one == other


def choice(condition: Truth, one: Number, other: Number) -> Number:
    """One number where the condition holds, and the other elsewhere."""
    if isinstance(condition, bool):
        return one if condition else other
    if isinstance(one, int) and isinstance(other, int) and one == other:
        return one
    if one is other:
        return one
    return z3.If(condition, _vector(one), _vector(other))


def _vector(number: Number) -> Number:
    return z3.BitVecVal(number, BITS) if isinstance(number, int) else number


def to_truth(number: Number) -> Truth:
    """Whether a number is not zero."""
    if isinstance(number, int):
        return number != 0
    if z3.is_app_of(number, z3.Z3_OP_ITE) and all(z3.is_bv_value(number.arg(i)) for i in (1, 2)):
        yes, no = (number.arg(i).as_long() != 0 for i in (1, 2))
        return choice_of_truths(number.arg(0), yes, no)
    return number != 0


def choice_of_truths(condition: Truth, yes: bool, no: bool) -> Truth:
    """A truth where the condition holds, and another one elsewhere."""
    if yes == no:
        return yes
    return condition if yes else negation(condition)


def to_number(truth: Truth) -> Number:
    return choice(truth, 1, 0)


def compare(operator: str, left: Number, right: Number) -> Truth:
    """A comparison; numbers have signs."""
    if isinstance(left, int) and isinstance(right, int):
        return bool(ARITHMETIC[operator](left, right))
    if left is right:
        return operator in ("==", "<=", ">=")
    return ARITHMETIC[operator](_vector(left), _vector(right))


def compute(operator: str, left: Number, right: Number) -> Number:
    """An operation whose operands are such that it has a value."""
    if operator in _COMPARISONS:
        return to_number(compare(operator, left, right))
    if isinstance(left, int) and isinstance(right, int):
        return _computed(operator, left, right)
    left, right = _vector(left), _vector(right)
    match operator:
        case "min":
            return z3.If(left <= right, left, right)
        case "max":
            return z3.If(left >= right, left, right)
        case "/":
            return left / right
        case "%":
            return z3.SRem(left, right)
        case "<<":
            return left << (right & 31)
        case ">>":
            return left >> (right & 31)
        case _:
            return ARITHMETIC[operator](left, right)


def _computed(operator: str, left: int, right: int) -> int:
    if operator not in "/%":
        return wrap32(int(ARITHMETIC[operator](left, right)))
    if right == 0:
        return 0  # an error, which the caller has noted
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return wrap32(quotient if operator == "/" else left - quotient * right)


def negative(number: Number, inverts: bool) -> Number:
    """The number with its sign, or with all its bits, turned round."""
    if isinstance(number, int):
        return wrap32(~number if inverts else -number)
    return ~number if inverts else -number


def stored(kind: ScalarType, value: Number) -> tuple[Number, Truth]:
    """What a variable holds after a value is stored, and whether that is an error."""
    low, high = bounds(kind)
    if isinstance(value, int):
        kept = store_value(kind, value)
        return (value, True) if kept is None else (kept, False)
    if not wraps(kind):
        return value, negation(within(value, low, high))
    return (value if high - low + 1 == 1 << BITS else ((value - low) & (high - low)) + low), False


def within(value: Number, low: int | None, high: int | None) -> Truth:
    """Whether a value lies in an interval; None stands for no limit."""
    return conjunction(
        True if low is None else compare(">=", value, low), True if high is None else compare("<=", value, high)
    )


def differ(pairs: Iterable[tuple[Number, Number]]) -> Truth:
    """Whether some of these are not the same."""
    return disjunction(*(compare("!=", one, other) for one, other in pairs if one is not other))
