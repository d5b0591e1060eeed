"""Linear inequalities over numbers that are not negative, solved exactly.

The general simplex method for solvers (Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for DPLL(T)", 2006): a
tableau gives basic variables as sums of the others, all have bounds, and a basic variable that breaks one of its own
is exchanged for another that can make up for it. Strict bounds are kept exact by counting infinitesimals. Rows hold
integers with a common divisor, since nearly all entries are 0, 1 and -1. An inequality enters the tableau only when a
solution without it breaks it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd

from beeline.records import Record

Sum = dict[int, int]  # variables and their factors
Number = int | Fraction  # integers wherever possible: fractions take ten times as long
Value = tuple[Number, Number]  # a number and a count of infinitesimals, compared in that order
ZERO: Value = (0, 0)


class Inequality(Record, frozen=True):
    """``sum <= bound``, or with `strict` less than that."""

    sum: Sum
    bound: int
    strict: bool = False

    @property
    def highest(self) -> Value:
        return self.bound, -1 if self.strict else 0


class Row(Record):
    """``divisor * basic variable`` is the sum of the others by their factors; the divisor is positive."""

    divisor: int
    factors: Sum


class System:
    """Inequalities over the variables 1, 2, ..., none of which is negative.

    >>> system = System()
    >>> system.add(Inequality({1: 1, 2: 1}, 3))
    >>> system.add(Inequality({1: -1}, -1, strict=True))
    >>> system.solve() and system.values([1, 2])
    [Fraction(3, 2), Fraction(0, 1)]
    >>> system.add(Inequality({1: 1}, 1))
    >>> system.solve()
    False
    """

    def __init__(self) -> None:
        self._all: list[Inequality] = []
        self._entered: set[int] = set()  # positions of those in the tableau
        self._rows: dict[int, Row] = {}
        self._columns: dict[int, set[int]] = {}  # rows by the variables in them
        self._values: dict[int, Value] = {}
        self._highest: dict[int, Value] = {}  # of slack variables, which have negative numbers and no lowest value
        self._slacks = 0

    def copy(self) -> System:
        """An independent system that is as this one is now."""
        made = System()
        made._all, made._entered = list(self._all), set(self._entered)
        made._rows = {basic: Row(row.divisor, dict(row.factors)) for basic, row in self._rows.items()}
        made._columns = {variable: set(rows) for variable, rows in self._columns.items()}
        made._values, made._highest = dict(self._values), dict(self._highest)
        made._slacks = self._slacks
        return made

    def add(self, inequality: Inequality) -> None:
        self._all.append(inequality)

    # Solutions

    def solve(self) -> bool:
        """Whether there is a solution; `values` then tells one."""
        complete = False
        while not complete:
            complete = True
            for position, inequality in enumerate(self._all):
                if position in self._entered or self._sum(inequality.sum) <= inequality.highest:
                    continue
                complete = False
                self._enter(position)
                if not self._repair():
                    return False
        return True

    def values(self, variables: Iterable[int]) -> list[Fraction]:
        """Of the last solution, with an infinitesimal small enough for all inequalities."""
        unit = self._infinitesimal()
        return [Fraction(whole + small * unit) for whole, small in (self._values.get(one, ZERO) for one in variables)]

    def _infinitesimal(self) -> Fraction:
        """The largest half, quarter, ... that keeps every inequality."""
        unit = Fraction(1, 2)
        for inequality in self._all:
            whole, small = self._sum(inequality.sum)
            room = inequality.bound - whole
            while small > 0 and (room < small * unit or (inequality.strict and room == small * unit)):
                unit /= 2
        for variable, (whole, small) in self._values.items():
            while variable > 0 and whole + small * unit < 0:
                unit /= 2
        return unit

    def _sum(self, factors: Sum) -> Value:
        whole: Number = 0
        small: Number = 0
        values = self._values
        for variable, factor in factors.items():
            if variable in values:
                known = values[variable]
                whole += factor * known[0]
                small += factor * known[1]
        return whole, small

    # The tableau

    def _enter(self, position: int) -> None:
        """Makes the sum of an inequality a basic variable with a bound."""
        inequality = self._all[position]
        self._entered.add(position)
        self._slacks += 1
        slack = -self._slacks
        row = Row(1, {})
        for variable, factor in inequality.sum.items():
            if variable in self._rows:
                _add(row, self._rows[variable], factor * row.divisor)
            else:
                _add(row, Row(1, {variable: 1}), factor * row.divisor)
        whole, small = self._sum(inequality.sum)
        self._values[slack] = _plain(whole), _plain(small)
        self._highest[slack] = inequality.highest
        self._set_row(slack, row)

    def _repair(self) -> bool:
        """Exchanges variables until every basic one keeps its bound; the order of choice ends in a decision (Bland)."""
        while True:
            leaving = min((basic for basic in self._rows if self._excess(basic) != ZERO), key=_rank, default=None)
            if leaving is None:
                return True
            excess = self._excess(leaving)
            entering = self._entering(self._rows[leaving], 1 if excess < ZERO else -1)
            if entering is None:
                return False
            self._exchange(leaving, entering, excess)

    def _excess(self, basic: int) -> Value:
        """How far a basic variable is above its highest value, or (negative) below its lowest."""
        value = self._values.get(basic, ZERO)
        if basic > 0:
            return value if value < ZERO else ZERO
        highest = self._highest[basic]
        return (value[0] - highest[0], value[1] - highest[1]) if value > highest else ZERO

    def _entering(self, row: Row, direction: int) -> int | None:
        """A variable that can move so that the row's basic one goes up (1) or down (-1)."""
        usable = [
            one for one, factor in row.factors.items() if self._may_move(one, direction if factor > 0 else -direction)
        ]
        return min(usable, key=_rank, default=None)

    def _may_move(self, variable: int, direction: int) -> bool:
        value = self._values.get(variable, ZERO)
        if variable > 0:
            return direction > 0 or value > ZERO
        return direction < 0 or value < self._highest[variable]

    def _exchange(self, leaving: int, entering: int, excess: Value) -> None:
        """Puts `leaving` to its bound and lets `entering`, which becomes basic, make up for it."""
        row = self._rows[leaving]
        step = _quotient(-row.divisor, row.factors[entering])
        self._move(leaving, (-excess[0], -excess[1]))
        change = (step * excess[0], step * excess[1])
        self._move(entering, change)
        for basic in self._columns[entering]:
            if basic != leaving:
                other = self._rows[basic]
                factor = _quotient(other.factors[entering], other.divisor)
                self._move(basic, (factor * change[0], factor * change[1]))
        self._pivot(leaving, entering)

    def _move(self, variable: int, change: Value) -> None:
        value = self._values.get(variable, ZERO)
        self._values[variable] = _plain(value[0] + change[0]), _plain(value[1] + change[1])

    def _pivot(self, leaving: int, entering: int) -> None:
        row = self._take_row(leaving)
        factor = row.factors.pop(entering)
        sign = 1 if factor > 0 else -1
        solved = Row(abs(factor), {one: -sign * number for one, number in row.factors.items()})
        solved.factors[leaving] = sign * row.divisor
        for basic in list(self._columns.get(entering, ())):
            other = self._take_row(basic)
            _add(other, solved, other.factors.pop(entering))
            self._set_row(basic, other)
        self._set_row(entering, solved)

    def _take_row(self, basic: int) -> Row:
        row = self._rows.pop(basic)
        for variable in row.factors:
            self._columns[variable].discard(basic)
        return row

    def _set_row(self, basic: int, row: Row) -> None:
        self._rows[basic] = row
        for variable in row.factors:
            self._columns.setdefault(variable, set()).add(basic)


def _plain(number: Number) -> Number:
    return number.numerator if number.denominator == 1 else number


def _quotient(dividend: int, divisor: int) -> Number:
    return dividend // divisor if dividend % divisor == 0 else Fraction(dividend, divisor)


def _rank(variable: int) -> tuple[bool, int]:
    """The order of choice: later variables first, since what comes early has mostly been settled; then slacks."""
    return variable < 0, -variable


def _add(row: Row, other: Row, factor: int) -> None:
    """Adds `factor` times the other row's variable to the factors of a row."""
    if other.divisor != 1:
        row.divisor *= other.divisor
        for variable in row.factors:
            row.factors[variable] *= other.divisor
    for variable, number in other.factors.items():
        total = row.factors.get(variable, 0) + factor * number
        if total:
            row.factors[variable] = total
        else:
            row.factors.pop(variable, None)
    common = gcd(row.divisor, *row.factors.values())
    if common > 1:
        row.divisor //= common
        for variable in row.factors:
            row.factors[variable] //= common
