"""Constraints on clocks with everything but the clocks worked out: what a discrete state makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from beeline.model.evaluate import Context, StepError, evaluate
from beeline.model.expressions import Expression, Instance, Remote
from beeline.model.scope import Scope
from beeline.model.state import Draft, State
from beeline.records import Record
from beeline.timed.bound_limit import largest_constant
from beeline.timed.clocks import Clocks, Constraint, Given

_NEGATED = {"<": (">=",), "<=": (">",), ">": ("<=",), ">=": ("<",), "==": ("<", ">")}


class Atom(Record, frozen=True):
    """``clock plus - clock minus operator bound``, by numbers; clock 0 is always zero."""

    plus: int
    minus: int
    operator: str
    bound: int

    def holds(self, values: Sequence[Fraction]) -> bool:
        """Whether clock values satisfy it; `values` has entry 0 for clock 0."""
        difference = values[self.plus] - values[self.minus] if self.minus else values[self.plus]
        match self.operator:
            case "<":
                return difference < self.bound
            case "<=":
                return difference <= self.bound
            case "==":
                return difference == self.bound
            case ">=":
                return difference >= self.bound
            case _:
                return difference > self.bound

    def negated(self) -> list[Atom]:
        """Atoms of which one holds exactly where this one does not."""
        return [Atom(self.plus, self.minus, operator, self.bound) for operator in _NEGATED[self.operator]]


def concrete(
    constraints: tuple[Constraint, ...], clocks: Clocks, scope: Scope, state: State, number: int | None
) -> list[Atom]:
    """The constraints of process `number` (None: of a property) in a discrete state; waived ones are left out."""
    if not constraints:
        return []
    context = Context(scope, Draft(state), -1 if number is None else number)
    found: list[Atom] = []
    for constraint in constraints:
        if constraint.unless is not None and evaluate(constraint.unless, context):
            continue
        plus = _clock(constraint.plus, clocks, context, number)
        minus = _clock(constraint.minus, clocks, context, number)
        bound = evaluate(constraint.bound, context)
        if abs(bound) > largest_constant(clocks.dimension):
            raise StepError("range", f"a clock is compared with {bound}, which is too large for zones")
        found.append(Atom(plus, minus, constraint.operator, bound))
    return found


def concrete_rates(
    given: tuple[Given, ...], clocks: Clocks, scope: Scope, state: State, number: int
) -> list[tuple[int, int]]:
    """Clocks and the rates that process `number` gives them in a discrete state."""
    context = Context(scope, Draft(state), number)
    found: list[tuple[int, int]] = []
    for one in given:
        if one.unless is not None and evaluate(one.unless, context):
            continue
        clock, rate = _clock(one.clock, clocks, context, number), evaluate(one.value, context)
        if rate not in (0, 1):
            raise StepError("range", f"the rate of clock {clocks.names[clock]} is {rate}, not 0 or 1")
        found.append((clock, rate))
    return found


def _clock(expression: Expression | None, clocks: Clocks, context: Context, number: int | None) -> int:
    if expression is None:
        return 0
    if isinstance(expression, Remote) and isinstance(expression.process, Instance):
        assert number is None
    term = clocks.term(expression, number)
    total = term.base
    for index, stride, size in term.steps:
        value = evaluate(index, context)
        if not 0 <= value < size:
            raise StepError("index", f"index {value} outside 0..{size - 1}")
        total += value * stride
    return total
