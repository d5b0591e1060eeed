"""Constraints on clocks with everything but the clocks worked out: what a discrete state makes of them."""

from __future__ import annotations

from fractions import Fraction

from beeline.model.evaluate import Context, evaluate
from beeline.model.expressions import Instance, Remote
from beeline.model.scope import Scope
from beeline.model.state import Draft, State
from beeline.records import Record
from beeline.timed.clocks import Clocks, Constraint

_NEGATED = {"<": (">=",), "<=": (">",), ">": ("<=",), ">=": ("<",), "==": ("<", ">")}


class Atom(Record, frozen=True):
    """``clock plus - clock minus operator bound``, by numbers; clock 0 is always zero."""

    plus: int
    minus: int
    operator: str
    bound: int

    def holds(self, values: tuple[Fraction, ...]) -> bool:
        """Whether clock values satisfy it; `values` has entry 0 for clock 0."""
        difference = values[self.plus] - values[self.minus]
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
        plus = _clock(constraint, True, clocks, context, number)
        minus = _clock(constraint, False, clocks, context, number)
        found.append(Atom(plus, minus, constraint.operator, evaluate(constraint.bound, context)))
    return found


def _clock(constraint: Constraint, plus: bool, clocks: Clocks, context: Context, number: int | None) -> int:
    expression = constraint.plus if plus else constraint.minus
    if expression is None:
        return 0
    if isinstance(expression, Remote) and isinstance(expression.process, Instance):
        assert number is None
    term = clocks.term(expression, number)
    total = term.base
    for index, stride, size in term.steps:
        value = evaluate(index, context)
        if not 0 <= value < size:
            raise IndexError(f"clock index {value} outside 0..{size - 1}")
        total += value * stride
    return total
