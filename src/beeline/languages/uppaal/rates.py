"""Rates of clocks: ``x' == value`` in invariants, for clocks that are stopped and run again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beeline.languages.uppaal import syntax
from beeline.languages.uppaal.conditions import RateIs
from beeline.languages.uppaal.errors import Unsupported
from beeline.languages.uppaal.kinds import Clock, innermost
from beeline.languages.uppaal.operands import ClockCondition, Stored
from beeline.model.expressions import Literal
from beeline.records import Record

if TYPE_CHECKING:
    from beeline.languages.uppaal.values import ValueLowering


def is_rate(expression: syntax.Binary) -> bool:
    """Whether a comparison speaks of the rate of a clock."""
    return isinstance(expression.left, syntax.Rate) or isinstance(expression.right, syntax.Rate)


def rate_condition(lowering: ValueLowering, expression: syntax.Binary) -> ClockCondition:
    """The comparison of a clock's rate with a number that is 0 or 1."""
    rate, value = expression.left, expression.right
    if not isinstance(rate, syntax.Rate):
        rate, value = value, rate
    assert isinstance(rate, syntax.Rate)
    if lowering.members is not None:
        raise lowering.error("the rate of a clock cannot be asked in a query", rate.source)
    if expression.operator != "==":
        raise lowering.error("the rate of a clock is given with ==", expression.source)
    clock = lowering.operand(rate.clock)
    if not isinstance(clock, Stored) or not isinstance(clock.kind, Clock):
        raise lowering.error("only clocks have a rate", rate.source)
    other = Unsupported("clock rates other than 0 and 1", expression.source, context=lowering.context)
    if _reads_clocks(lowering, value):
        raise other
    number = lowering.value(value)
    if isinstance(number, Literal) and number.value not in (0, 1):
        raise other
    return ClockCondition(RateIs(clock.place, number))


def _reads_clocks(lowering: ValueLowering, node: object) -> bool:
    """Whether a rate depends on clocks, as in a differential equation."""
    if isinstance(node, syntax.Name):
        symbol = lowering.scope.find(node.name)
        return isinstance(symbol, Stored) and isinstance(innermost(symbol.kind), Clock)
    if isinstance(node, tuple):
        return any(_reads_clocks(lowering, part) for part in node)
    return isinstance(node, Record) and any(_reads_clocks(lowering, getattr(node, at)) for at in node.__struct_fields__)
