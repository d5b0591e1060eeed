"""Least moments that satisfy delays between them, found step by step as delays are added and taken back.

A moment that is moved to a later time moves others. Delays are added one by one in the order of the run, and each is
settled before the next, the earliest moved moment first: along a run delays reach a few steps far, so that the time
taken grows with the run and not with its square.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

from beeline.records import Record, field

Length = tuple[int, int]  # a whole number and a count of infinitesimals, compared in that order
NONE: Length = (0, 0)


class Delay(Record, frozen=True):
    """``moment later - moment earlier >= length``."""

    earlier: int
    later: int
    length: Length


class Addition(Record):
    """What adding delays did: how many there were before, and each moment that was moved, as it was."""

    count: int
    moved: list[tuple[int, Length, int]] = field(default_factory=list)


class Moments:
    """Moments from 0 on, each as early as the delays allow; moment 0 is at time 0 and nothing comes before it.

    >>> moments = Moments(3)
    >>> addition = moments.add([Delay(0, 1, (2, 1)), Delay(2, 1, (-5, 0)), Delay(1, 2, (1, 0))])
    >>> moments.lengths
    [(0, 0), (2, 1), (3, 1)]
    >>> moments.add([Delay(2, 0, (-3, 0))]) is None  # at most 3 after the start
    True
    """

    def __init__(self, count: int) -> None:
        self.lengths: list[Length] = [NONE] * count
        self.delays: list[Delay] = []
        self._after: list[list[Delay]] = [[] for _ in range(count)]
        self._hops = [0] * count  # delays on the way that gave the length

    def add(self, delays: Iterable[Delay]) -> Addition | None:
        """Adds delays and moves what they move; None if they contradict the others, which then stay as they were."""
        addition = Addition(len(self.delays))
        for delay in delays:
            self.delays.append(delay)
            self._after[delay.earlier].append(delay)
            if not self._settle(delay, addition):
                self.take_back(addition)
                return None
        return addition

    def take_back(self, addition: Addition) -> None:
        """Undoes the last addition that was not yet taken back."""
        while len(self.delays) > addition.count:
            self._after[self.delays.pop().earlier].pop()
        for moment, length, hops in reversed(addition.moved):
            self.lengths[moment], self._hops[moment] = length, hops

    def _settle(self, added: Delay, addition: Addition) -> bool:
        """Moves moments until all delays are kept; False if that has no end. A way without a cycle has fewer delays
        than there are moments, and each move makes a way longer, so that a cycle of them would go on for ever."""
        waiting = [added.later] if self._push(added, addition) else []
        while waiting:
            moment = heappop(waiting)
            if moment == 0 or self._hops[moment] > len(self.lengths):
                return False
            for delay in self._after[moment]:
                if self._push(delay, addition):
                    heappush(waiting, delay.later)
        return True

    def _push(self, delay: Delay, addition: Addition) -> bool:
        """Moves the later moment if it comes too early."""
        whole, small = self.lengths[delay.earlier]
        reached = (whole + delay.length[0], small + delay.length[1])
        later = delay.later
        if reached <= self.lengths[later]:
            return False
        addition.moved.append((later, self.lengths[later], self._hops[later]))
        self.lengths[later], self._hops[later] = reached, self._hops[delay.earlier] + 1
        return True
