"""Constants that clocks are compared with from each location on, which decide how far zones may be widened.

The analysis is that of Behrmann, Bouyer, Fleury and Larsen, "Static Guard Analysis in Timed Automata Verification"
(TACAS 2003): what is compared after a location counts there, unless the clock is reset on the way. Each process is
looked at alone; in a network the greatest of its processes' constants counts. A clock that is never compared again
before it is reset has no constant, and zones forget it.
"""

from __future__ import annotations

from beeline.model.source import ModelError, Source
from beeline.model.statements import Reset
from beeline.records import Record, field
from beeline.timed.bound_limit import largest_constant
from beeline.timed.clocks import Constraint
from beeline.timed.discrete import TimedNetwork
from beeline.timed.ranges import values_of

MOST_DIAGONALS = 64


class Limits(Record):
    """Greatest constants by clock: those of lower bounds (``x > c``) and of upper bounds (``x < c``)."""

    lower: dict[int, int] = field(default_factory=dict)
    upper: dict[int, int] = field(default_factory=dict)

    def raise_lower(self, clock: int, constant: int) -> bool:
        if constant > self.lower.get(clock, -1):
            self.lower[clock] = constant
            return True
        return False

    def raise_upper(self, clock: int, constant: int) -> bool:
        if constant > self.upper.get(clock, -1):
            self.upper[clock] = constant
            return True
        return False

    def include(self, other: Limits, but: frozenset[int] = frozenset()) -> bool:
        """Raises to what the other has, clocks in `but` left out; whether anything changed."""
        changed = False
        for clock, constant in other.lower.items():
            changed |= clock not in but and self.raise_lower(clock, constant)
        for clock, constant in other.upper.items():
            changed |= clock not in but and self.raise_upper(clock, constant)
        return changed

    def rows(self) -> list[list[int]]:
        """(clock, lower, upper) for every clock that has a constant; -1 where one is missing."""
        clocks = sorted(self.lower.keys() | self.upper.keys())
        return [[clock, self.lower.get(clock, -1), self.upper.get(clock, -1)] for clock in clocks]


class Analysis(Record):
    """Limits of every process number and location, and the differences of clocks that guards speak of."""

    locations: dict[tuple[int, int], Limits]
    diagonals: dict[tuple[int, int, str, int], None] = field(default_factory=dict)  # (x, y, "<" or "<=", constant)


def analyse(timed: TimedNetwork) -> Analysis:
    """Runs the analysis for every process of the network."""
    analysis = Analysis({})
    for number, start in enumerate(timed.network.initial):
        _analyse_process(timed, number, timed.network.process_index[start.process], analysis)
    return analysis


def _analyse_process(timed: TimedNetwork, number: int, kind: int, analysis: Analysis) -> None:
    process = timed.network.processes[kind]
    found = [Limits() for _ in process.locations]
    for at, location in enumerate(process.locations):
        for constraint in timed.invariants[kind, at]:
            note(timed, constraint, number, found[at], analysis, location.source)
    resets: list[frozenset[int]] = []
    for at, edge in enumerate(process.edges):
        here = found[edge.source_location]
        for constraint in timed.guards[kind, at]:
            note(timed, constraint, number, here, analysis, edge.source)
        resets.append(
            frozenset(
                term.base
                for statement in edge.effect
                if isinstance(statement, Reset)
                for term in (timed.clocks.term(statement.clock, number),)
                if not term.steps
            )
        )
    changed = True
    while changed:
        changed = False
        for edge, reset in zip(reversed(process.edges), reversed(resets), strict=True):
            changed |= found[edge.source_location].include(found[edge.target_location], reset)
    for at, limits in enumerate(found):
        analysis.locations[number, at] = limits


def note(
    timed: TimedNetwork,
    constraint: Constraint,
    number: int | None,
    limits: Limits,
    analysis: Analysis,
    source: Source,
) -> None:
    """Enters the constants of one constraint."""
    kind = None if number is None else timed.network.process_index[timed.network.initial[number].process]
    low, high = values_of(constraint.bound, timed.clocks, kind)
    if max(abs(low), abs(high)) > largest_constant(timed.clocks.dimension):
        message = "a clock is compared with a number that may be too large"
        raise ModelError(message, source, "give the variables in it bounded types")
    if constraint.minus is not None:
        _note_difference(timed, constraint, number, limits, analysis, (low, high), source)
        return
    for clock in timed.clocks.term(constraint.plus, number).possible():
        if constraint.operator in (">", ">=", "==", "!="):
            limits.raise_lower(clock, max(high, 0))
        if constraint.operator in ("<", "<=", "==", "!="):
            limits.raise_upper(clock, max(high, 0))


def _note_difference(
    timed: TimedNetwork,
    constraint: Constraint,
    number: int | None,
    limits: Limits,
    analysis: Analysis,
    values: tuple[int, int],
    source: Source,
) -> None:
    """Differences have to be kept apart in every zone, whatever the location, for every constant they may have."""
    assert constraint.minus is not None
    largest = max(abs(values[0]), abs(values[1]))
    for plus in timed.clocks.term(constraint.plus, number).possible():
        for minus in timed.clocks.term(constraint.minus, number).possible():
            for clock in (plus, minus):
                limits.raise_lower(clock, largest)
                limits.raise_upper(clock, largest)
            for constant in range(values[0], values[1] + 1):
                _enter(analysis, plus, minus, constraint.operator, constant)
                if len(analysis.diagonals) > MOST_DIAGONALS:
                    message = "too many different constraints on differences of clocks"
                    raise ModelError(message, source, "compare differences with constants only")


def _enter(analysis: Analysis, plus: int, minus: int, operator: str, constant: int) -> None:
    if plus == minus:
        return
    if operator in ("<", "<=", "==", "!="):
        analysis.diagonals[plus, minus, "<" if operator == "<" else "<=", constant] = None
    if operator in (">", ">=", "==", "!="):
        analysis.diagonals[minus, plus, "<" if operator == ">" else "<=", -constant] = None
