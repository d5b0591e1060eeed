"""Whether anything can still happen: the delays after which a step is possible, as intervals.

While time passes, the truth of a constraint changes at one moment, or two. Between the moments at which guards change
the same steps are candidates, and each is possible where the invariants of its target hold: an interval, too. How
large the constants are makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from beeline.model.semantics import Candidate
from beeline.records import Record
from beeline.timed.atoms import Atom

if TYPE_CHECKING:
    from beeline.timed.semantics import TimedSemantics, TimedState, Values


class Span(Record, frozen=True):
    """Delays from `low` on, up to `high` (None: without end); `above` and `below` leave the ends out."""

    low: Fraction
    high: Fraction | None
    above: bool = False
    below: bool = False

    @property
    def empty(self) -> bool:
        if self.high is None or self.low < self.high:
            return False
        return self.low > self.high or self.above or self.below

    def within(self, other: Span) -> Span:
        """What both have in common.

        >>> Span(Fraction(0), None).within(Span(Fraction(1), Fraction(2), above=True))
        Span(low=Fraction(1, 1), high=Fraction(2, 1), above=True, below=False)
        """
        low, above = max((self.low, self.above), (other.low, other.above))
        ends = [(span.high, not span.below) for span in (self, other) if span.high is not None]
        high, closed = min(ends, default=(None, True))
        return Span(low, high, above, not closed)


EVER = Span(Fraction(0), None)
NEVER = Span(Fraction(0), Fraction(0), above=True)


def span_of(atom: Atom, clocks: Values, rates: tuple[int, ...]) -> Span:
    """The delays after which an atom holds, where clocks have these values and rates now.

    >>> span_of(Atom(1, 0, "<", 3), (Fraction(0), Fraction(1)), (0, 1))
    Span(low=Fraction(0, 1), high=Fraction(2, 1), above=False, below=True)
    """
    slope = rates[atom.plus] - rates[atom.minus]
    if slope == 0:
        return EVER if atom.holds(clocks) else NEVER
    moment = slope * (atom.bound - clocks[atom.plus] + clocks[atom.minus])
    if atom.operator == "==":
        return Span(moment, moment).within(EVER)
    strict = atom.operator in ("<", ">")
    ends = atom.operator in ("<", "<=") if slope > 0 else atom.operator in (">", ">=")
    found = Span(Fraction(0), moment, below=strict) if ends else Span(moment, None, above=strict)
    return found.within(EVER)


def all_within(atoms: list[Atom], clocks: Values, rates: tuple[int, ...], span: Span = EVER) -> Span:
    """The delays of a span after which all atoms hold."""
    for atom in atoms:
        span = span.within(span_of(atom, clocks, rates))
    return span


def allowed(semantics: TimedSemantics, state: TimedState) -> Span:
    """The delays that invariants and urgency allow."""
    rates = semantics.rates(state.discrete)
    if rates is None or semantics.steps_of.is_urgent(state.discrete):
        return Span(Fraction(0), Fraction(0))
    return all_within(semantics.invariant_atoms(state.discrete), state.clocks, rates)


def can_move(semantics: TimedSemantics, state: TimedState) -> bool:
    """Whether some step is possible, now or after a delay."""
    discrete, rates = state.discrete, semantics.rates(state.discrete)
    passing = allowed(semantics, state)
    still = rates or (0,) * len(state.clocks)
    for span in _stretches(semantics.steps_of.open_guards(discrete), state.clocks, still):
        common = span.within(passing)
        if common.empty:
            continue
        later = semantics.delay(state, _some(common))
        for candidate in semantics.steps_of.candidates(discrete, later.clocks):
            if not _arriving(semantics, state, candidate, still, common).empty:
                return True
    return False


def _stretches(atoms: list[Atom], clocks: Values, rates: tuple[int, ...]) -> Iterator[Span]:
    """All delays, cut where an atom may change: moments and what lies between them."""
    spans = [span_of(atom, clocks, rates) for atom in atoms]
    moments = {end for span in spans for end in (span.low, span.high) if end is not None}
    ordered = sorted(moments | {Fraction(0)})
    for moment, following in pairwise([*ordered, None]):
        assert moment is not None
        yield Span(moment, moment)
        yield Span(moment, following, above=True, below=following is not None)


def _some(span: Span) -> Fraction:
    """A delay inside a span that is not empty."""
    if not span.above:
        return span.low
    return span.low + 1 if span.high is None else (span.low + span.high) / 2


def _arriving(
    semantics: TimedSemantics, state: TimedState, candidate: Candidate, rates: tuple[int, ...], span: Span
) -> Span:
    """The delays of a span after which the target of a step keeps its invariants. A step that fails has no target."""
    taken = semantics.steps_of.take(state.discrete, candidate)
    if taken.target is None:
        return span
    resets = semantics.wishes(taken.target)
    target = semantics.after(taken.target, state.clocks)
    if not semantics.steps_of.invariants_hold(target.discrete):
        return NEVER
    # A clock that the step sets has its new value whenever the step is taken.
    moving = tuple(0 if clock in resets else rate for clock, rate in enumerate(rates))
    return all_within(semantics.invariant_atoms(target.discrete), target.clocks, moving, span)
