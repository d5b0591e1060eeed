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

Diagonal = tuple[int, int, int, int]  # clocks x < y, and the least and greatest bound on x - y as zones have them


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
    diagonals: dict[Diagonal, None] = field(default_factory=dict)


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
    most = largest_constant(timed.clocks.dimension)
    low, high = values_of(constraint.bound, timed.clocks, kind)
    if low > most or high < -most:
        message = f"a clock is compared with a number that is too large: zones of this model hold up to {most}"
        raise ModelError(message, source, "measure time in larger units")
    low, high = max(low, -most), min(high, most)  # a step that compares a clock with more fails
    if constraint.minus is not None:
        _note_difference(timed, constraint, number, limits, analysis, (low, high))
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
) -> None:
    """Differences have to be kept apart in every zone, for every constant they may be compared with."""
    assert constraint.minus is not None
    largest = max(abs(values[0]), abs(values[1]))
    for plus in timed.clocks.term(constraint.plus, number).possible():
        for minus in timed.clocks.term(constraint.minus, number).possible():
            for clock in (plus, minus):
                limits.raise_lower(clock, largest)
                limits.raise_upper(clock, largest)
            if plus != minus:
                analysis.diagonals.update(dict.fromkeys(_diagonals(plus, minus, constraint.operator, values)))


def _diagonals(plus: int, minus: int, operator: str, values: tuple[int, int]) -> list[Diagonal]:
    """The bounds on the difference of two clocks that tell whether a comparison is true.

    >>> _diagonals(1, 2, "<=", (3, 5)), _diagonals(2, 1, "<=", (3, 5))
    ([(1, 2, 7, 11)], [(1, 2, -10, -6)])
    """
    weak = operator in ("<=", ">", "==", "!=")  # x - y > c is the opposite of x - y <= c
    strict = operator in ("<", ">=", "==", "!=")
    found = [(2 * values[0] + bit, 2 * values[1] + bit) for bit, wanted in ((1, weak), (0, strict)) if wanted]
    if plus < minus:
        return [(plus, minus, low, high) for low, high in found]
    return [(minus, plus, 1 - high, 1 - low) for low, high in found]  # y - x within b unless x - y within 1 - b
