"""What is sought, as a union of simple cases: a discrete condition, constraints on clocks, and deadlock or not."""

from __future__ import annotations

from beeline.model.expressions import (
    FALSE,
    TRUE,
    Binary,
    Builtin,
    Expression,
    Literal,
    Unary,
    conjunction,
    walk,
)
from beeline.model.property import Property
from beeline.model.scope import show
from beeline.model.source import ModelError
from beeline.records import Record
from beeline.timed.clocks import Clocks, Constraint

MOST_CASES = 10_000
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
DEADLOCK = Builtin("deadlock")


class Case(Record, frozen=True):
    """One way to satisfy a goal. `deadlock` is 1 if the state must be a deadlock, -1 if it must not, 0 if either."""

    plain: tuple[Expression, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    deadlock: int = 0

    @property
    def condition(self) -> Expression:
        return conjunction(list(self.plain))


def sought(asked: Property) -> Expression:
    """The condition whose reachability decides a property: for an invariant the opposite of it."""
    if asked.sought is not None:
        return asked.sought
    if asked.automaton is not None:
        raise ModelError(f"'{asked.text or asked.name}' cannot be checked on timed models yet", asked.source)
    return DEADLOCK if asked.seeks_deadlock else FALSE


def cases(expression: Expression, clocks: Clocks) -> list[Case]:
    """The goal as cases, of which one must hold; none if it is impossible."""
    return _Cases(clocks).of(expression, True)


class _Cases:
    def __init__(self, clocks: Clocks) -> None:
        self.clocks = clocks

    def of(self, expression: Expression, wanted: bool) -> list[Case]:
        if not self._is_timed(expression):
            return self._plain(expression, wanted)
        match expression:
            case Unary("!", operand):
                return self.of(operand, not wanted)
            case Binary("imply", left, right):
                return self.of(Binary("||", Unary("!", left), right), wanted)
            case Binary("&&", left, right):
                return self._join(left, right, wanted, every=wanted)
            case Binary("||", left, right):
                return self._join(left, right, wanted, every=not wanted)
            case Builtin("deadlock"):
                return [Case(deadlock=1 if wanted else -1)]
            case _:
                return self._atom(expression, wanted)

    def _is_timed(self, expression: Expression) -> bool:
        return DEADLOCK in walk(expression) or self.clocks.mentions(expression, None)

    def _plain(self, expression: Expression, wanted: bool) -> list[Case]:
        condition = expression if wanted else Unary("!", expression)
        if isinstance(expression, Literal):
            condition = TRUE if bool(expression.value) == wanted else FALSE
        return [] if condition == FALSE else [Case() if condition == TRUE else Case((condition,))]

    def _atom(self, expression: Expression, wanted: bool) -> list[Case]:
        found = self.clocks.atom(expression, None)
        if found is None:
            raise ModelError(f"'{show(expression)}' is no condition on clocks that can be checked")
        operator = found.operator if wanted else _OPPOSITE[found.operator]
        split = ("<", ">") if operator == "!=" else (operator,)
        return [Case((), (Constraint(one, found.plus, found.minus, found.bound),)) for one in split]

    def _join(self, left: Expression, right: Expression, wanted: bool, every: bool) -> list[Case]:
        first, second = self.of(left, wanted), self.of(right, wanted)
        if not every:
            return first + second
        if len(first) * len(second) > MOST_CASES:
            raise ModelError("the property has too many cases of clock constraints")
        joined: list[Case] = []
        for one in first:
            for other in second:
                if one.deadlock * other.deadlock != -1:
                    deadlock = one.deadlock or other.deadlock
                    constraints = one.constraints + other.constraints
                    joined.append(Case(one.plain + other.plain, constraints, deadlock))
        return joined
