"""Choices, from which random programs are made: each generator asks the same few questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Asks a source for every choice; the first choice is always the simplest."""

    def __init__(self, choose: Callable[[int, int], int]) -> None:
        self._choose = choose
        self._serial = 0

    def number(self, low: int, high: int) -> int:
        """An integer of a range."""
        return self._choose(low, high)

    def chance(self, percent: int) -> bool:
        """True in about so many of a hundred cases; false is the simpler answer."""
        return self.number(0, 99) >= 100 - percent

    def pick(self, options: Sequence[T]) -> T:
        """One of several, the first being the simplest."""
        return options[self.number(0, len(options) - 1)]

    def weighted(self, options: Sequence[tuple[int, T]]) -> T:
        """One of several with weights."""
        left = self.number(0, sum(weight for weight, _ in options) - 1)
        for weight, option in options:
            left -= weight
            if left < 0:
                return option
        raise AssertionError("weights do not add up")

    def fresh(self, prefix: str) -> str:
        """A name that is used nowhere else."""
        self._serial += 1
        return f"{prefix}{self._serial}"
