"""Traces with a time for each step. `beeline.timed` finds and replays them; this is all that printing them needs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from beeline.records import show
from beeline.trace.trace import Trace


class TimedTrace(Trace, frozen=True):
    """A trace whose steps happen at moments: before step ``i`` time passes for ``delays[i]``.

    There is one delay more than there are steps: the last leads to the moment of the violation. `states` are timed
    states right after each step. `zones` are the symbolic states of the search, as text, if they were asked for. Where
    a `cycle` comes back, clocks may differ: what repeats are the zones.
    """

    delays: tuple[Fraction, ...] = ()
    zones: tuple[str, ...] = ()
    staying: ClassVar[str] = "time passes, and nothing else, for ever"
    returning: ClassVar[str] = "all but clocks as"

    def __repr__(self) -> str:
        return show(self, "states", "zones")

    def _more(self, start: int, stop: int) -> dict[str, Any]:
        last = self.delays[stop : stop + 1] if stop == len(self) else (Fraction(0),)
        return {"delays": (*self.delays[start:stop], *last), "zones": self.zones[start : stop + 1]}

    @property
    def duration(self) -> Fraction:
        """The time from the start to the violation."""
        return sum(self.delays, Fraction(0))


def show_time(amount: Fraction) -> str:
    """A rational as a short decimal where it is one, otherwise as a fraction.

    >>> show_time(Fraction(5, 2)), show_time(Fraction(1, 3)), show_time(Fraction(4))
    ('2.5', '1/3', '4')
    """
    for digits in range(7):
        scaled = amount * 10**digits
        if scaled.denominator == 1:
            return f"{float(amount):.{digits}f}"
    return str(amount)
