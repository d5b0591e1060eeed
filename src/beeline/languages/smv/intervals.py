"""Bounds of values, where there are too many states to try them all."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from beeline.model import expressions as ir

Interval = tuple[int, int]


def interval(value: ir.Expression, places: Mapping[ir.Expression, Interval]) -> Interval | None:
    """The least and the greatest that a value can be, or further apart; None if nothing is known.

    >>> x = ir.Ref("x")
    >>> interval(ir.Binary("+", x, ir.Literal(1)), {x: (0, 7)})
    (1, 8)
    """
    match value:
        case ir.Literal(number):
            return number, number
        case ir.Conditional(_, then, otherwise):
            return _joined(interval(then, places), interval(otherwise, places))
        case ir.Unary("-", operand):
            found = interval(operand, places)
            return None if found is None else (-found[1], -found[0])
        case ir.Binary(operator, left, right):
            first, second = interval(left, places), interval(right, places)
            return None if first is None or second is None else _applied(operator, first, second)
        case _:
            return places.get(value)


def _joined(one: Interval | None, other: Interval | None) -> Interval | None:
    return None if one is None or other is None else (min(one[0], other[0]), max(one[1], other[1]))


def _applied(operator: str, first: Interval, second: Interval) -> Interval | None:
    match operator:
        case "+":
            return first[0] + second[0], first[1] + second[1]
        case "-":
            return first[0] - second[1], first[1] - second[0]
        case "*":
            ends = [a * b for a, b in product(first, second)]
            return min(ends), max(ends)
        case "%" if second[0] > 0:
            return (0 if first[0] >= 0 else 1 - second[1]), second[1] - 1
        case "min" | "max":
            pick = min if operator == "min" else max
            return pick(first[0], second[0]), pick(first[1], second[1])
        case _:
            return None
