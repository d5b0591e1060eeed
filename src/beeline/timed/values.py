"""Clock values that share what they have in common: time passes for all clocks by one addition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import overload

ZERO = Fraction(0)


class ClockValues(Sequence[Fraction]):
    """The value of every clock by number; clock 0 is always zero. Kept as the time now, and the time at which each
    clock was last zero, or would have been.

    >>> values = ClockValues.zeros(3).later(Fraction(5, 2)).reset({2: 1}).later(Fraction(1))
    >>> [str(value) for value in values]
    ['0', '7/2', '2']
    """

    def __init__(self, now: Fraction, since: tuple[Fraction, ...]) -> None:
        self.now = now
        self.since = since  # entry 0 means nothing

    @classmethod
    def zeros(cls, count: int) -> ClockValues:
        """All clocks at the start."""
        return cls(ZERO, (ZERO,) * count)

    @classmethod
    def of(cls, values: Iterable[Fraction]) -> ClockValues:
        """Values that were given one by one."""
        return cls(ZERO, tuple(-value for value in values))

    def later(self, amount: Fraction, standing: Iterable[int] = ()) -> ClockValues:
        """The values after so much time, during which some clocks stand still."""
        if not amount:
            return self
        since = self.since
        if standing:
            moved = list(since)
            for clock in standing:
                moved[clock] += amount
            since = tuple(moved)
        return ClockValues(self.now + amount, since)

    def reset(self, values: Mapping[int, int]) -> ClockValues:
        """The values once some clocks are set."""
        if not values:
            return self
        since = list(self.since)
        for clock, value in values.items():
            since[clock] = self.now - value
        return ClockValues(self.now, tuple(since))

    @overload
    def __getitem__(self, clock: int) -> Fraction: ...
    @overload
    def __getitem__(self, clock: slice) -> tuple[Fraction, ...]: ...
    def __getitem__(self, clock: int | slice) -> Fraction | tuple[Fraction, ...]:
        if isinstance(clock, slice):
            return tuple(self[number] for number in range(*clock.indices(len(self.since))))
        return self.now - self.since[clock] if clock else ZERO

    def __len__(self) -> int:
        return len(self.since)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ClockValues) and other.now == self.now and other.since == self.since:
            return True
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
