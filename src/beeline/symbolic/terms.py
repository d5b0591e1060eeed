"""Expressions over named variables as diagrams: a number becomes the set of assignments for each of its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, eq, ge, gt, le, lt, ne, sub

from beeline.model.expressions import Binary, Conditional, Expression, Literal, Ref, Unary
from beeline.symbolic.diagrams import Diagram, Diagrams, difference, union

Number = dict[int, Diagram]
_COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {"+": add, "-": sub, "min": min, "max": max}


class Terms:
    """Expressions over variables, each given by its lowest value and its bits, the highest first."""

    def __init__(self, diagrams: Diagrams, variables: Mapping[str, tuple[int, tuple[int, ...]]]) -> None:
        self._diagrams, self._variables = diagrams, variables
        self._truths: dict[Expression, Diagram] = {}

    def equals(self, name: str, value: int) -> Diagram:
        """Where a variable has a value."""
        low, bits = self._variables[name]
        number = value - low
        places = enumerate(reversed(bits))
        return self._diagrams.cube((bit, bool(number >> place & 1)) for place, bit in places)

    def truth(self, expression: Expression) -> Diagram:
        """Where an expression is true."""
        if expression not in self._truths:
            self._truths[expression] = self._truth(expression)
        return self._truths[expression]

    def _truth(self, expression: Expression) -> Diagram:
        match expression:
            case Unary("!", operand):
                return ~self.truth(operand)
            case Binary("&&", left, right):
                return self.truth(left) & self.truth(right)
            case Binary("||", left, right):
                return self.truth(left) | self.truth(right)
            case Binary(operator, left, right) if operator in _COMPARISONS:
                compare = _COMPARISONS[operator]
                pairs = self._pairs(left, right)
                return union([where for a, b, where in pairs if compare(a, b)], self._diagrams.false)
        zero = self.number(expression).get(0, self._diagrams.false)
        return ~zero

    def number(self, expression: Expression) -> Number:
        """The assignments for each value of an expression; those for no value are of no variable's range."""
        match expression:
            case Literal(value):
                return {value: self._diagrams.true}
            case Ref(name):
                low, bits = self._variables[name]
                return {low + n: self.equals(name, low + n) for n in range(1 << len(bits))}
            case Conditional(condition, then, otherwise):
                where = self.truth(condition)
                found = {value: part & where for value, part in self.number(then).items()}
                for value, part in self.number(otherwise).items():
                    found[value] = found.get(value, self._diagrams.false) | difference(part, where)
                return {value: part for value, part in found.items() if part.satisfiable()}
            case Binary(operator, left, right) if operator in _ARITHMETIC:
                joined: Number = {}
                for a, b, where in self._pairs(left, right):
                    value = _ARITHMETIC[operator](a, b)
                    joined[value] = joined.get(value, self._diagrams.false) | where
                return joined
        truth = self.truth(expression)
        return {1: truth, 0: ~truth}

    def _pairs(self, left: Expression, right: Expression) -> list[tuple[int, int, Diagram]]:
        found = []
        others = self.number(right)
        for a, here in self.number(left).items():
            for b, there in others.items():
                where = here & there
                if where.satisfiable():
                    found.append((a, b, where))
        return found
