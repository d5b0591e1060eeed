"""How many states there are, told from the beginning of a breadth-first search.

The layers of most spaces grow, slower and slower, and then shrink: the logarithm of the growth from layer to layer
falls along a line, as it does exactly for independent parts. Lines are drawn through several latter parts of what was
seen, and followed until a layer has no state left. Where they tell different ends, the truth is as uncertain as they
say, and more: `python -m benchmarks.plan` measures how often it lies in the interval.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import exp, inf, log
from statistics import linear_regression, median

from beeline.engine.outcome import Sample
from beeline.records import Record

PARTS = (0.0, 0.2, 0.33, 0.5, 0.66)
"""Where lines begin, as shares of the layers that were seen."""
FEWEST_LAYERS = 4
DOUBT_BELOW, DOUBT_ABOVE = 2.0, 4.0
"""The least factors by which the ends of the interval lie further than the lines say: spaces have more often a second
wave that nothing tells of than less than what was seen tells."""
MOST_LAYERS = 100_000
COUNTLESS = 1e18
"""An end beyond this is none."""


class Size(Record, frozen=True):
    """A number of states."""

    seen: int
    low: float
    likely: float
    high: float
    """Infinite if nothing tells that there is an end."""

    @property
    def is_known(self) -> bool:
        """Whether all of them were seen."""
        return self.low == self.high

    @property
    def has_end(self) -> bool:
        """Whether something tells where it ends."""
        return self.likely < inf


def size_of(history: Sequence[Sample], stored: int, is_complete: bool) -> Size:
    """The size of a space of which a breadth-first search has `stored` so many states.

    >>> size_of((), 12, True)
    Size(seen=12, low=12, likely=12, high=12)
    """
    if is_complete:
        return Size(stored, stored, stored, stored)
    widths = layers([(sample.stored - sample.frontier, sample.stored) for sample in history])
    ends = sorted(end for part in PARTS if (end := followed(widths, int(part * len(widths)))) is not None)
    if len(widths) < FEWEST_LAYERS or not ends:
        return Size(stored, stored, inf, inf)
    likely = max(median(ends), stored)
    doubt = (likely / stored) ** 0.5 if likely < inf else 1.0
    low = max(stored, ends[0] / max(DOUBT_BELOW, doubt)) if ends[0] < inf else stored
    high = max(ends[-1], stored) * max(DOUBT_ABOVE, doubt)
    return Size(stored, low, likely if likely < COUNTLESS else inf, high if high < COUNTLESS else inf)


def layers(counted: Sequence[tuple[int, int]]) -> list[float]:
    """The widths of layers, from numbers of states (expanded, stored) during a breadth-first search: when a layer is
    expanded, what is stored is all states of the next one and those before it.

    >>> layers([(0, 1), (1, 3), (3, 7), (7, 15)])
    [1.0, 2.0, 4.0, 8.0]
    """
    points = [(0, 1)]
    for expanded, stored in counted:
        if expanded > points[-1][0]:
            points.append((expanded, stored))
    ends = [0.0, 1.0]
    while len(ends) < MOST_LAYERS and (end := _stored_at(points, ends[-1])) is not None and end > ends[-1]:
        ends.append(end)
    return [after - before for before, after in pairwise(ends)]


def _stored_at(points: Sequence[tuple[int, int]], expanded: float) -> float | None:
    """How many states were stored when so many were expanded; None if it did not come to that."""
    i = bisect_right(points, expanded, key=lambda point: point[0])
    if i == len(points):
        return float(points[-1][1]) if expanded == points[-1][0] else None
    (before, low), (after, high) = points[i - 1], points[i]
    return low + (high - low) * (expanded - before) / (after - before)


def followed(widths: Sequence[float], first: int) -> float | None:
    """The number of states if growth goes on as it did from this layer on; None if there are too few layers."""
    growth = [log(after / before) for before, after in pairwise(widths)]
    steps = list(range(first, len(growth)))
    if len(steps) < FEWEST_LAYERS - 1:
        return None
    slope, start = linear_regression(steps, growth[first:])
    width, states = widths[-1], sum(widths)
    for step in range(len(growth), len(growth) + MOST_LAYERS):
        rate = start + slope * step
        if (slope >= 0 and rate >= 0) or states > COUNTLESS:
            return inf
        width *= exp(min(rate, 50.0))
        states += width
        if width < 1:
            return states
    return inf
