"""The order of a program's cells: those that one step touches should stand together.

FORCE (Aloul, Markov and Sakallah, FORCE: a fast and easy-to-implement variable-ordering heuristic, 2003): each set of
cells that belong together pulls them to its middle, again and again, while that makes the sets narrower.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

ROUNDS = 200
Net = frozenset[int]


def order_of(cells: int, nets: Counter[Net]) -> list[int]:
    """All cells in the order in which they should stand."""
    declared = list(range(cells))
    return min((force(declared, nets), declared), key=lambda order: total_span(order, nets))


def force(order: Sequence[int], nets: Counter[Net]) -> list[int]:
    """The best order that is met on the way from this one."""
    best = list(order)
    least = total_span(best, nets)
    current = best
    for _ in range(ROUNDS):
        place = {cell: position for position, cell in enumerate(current)}
        pulls: dict[int, list[float]] = {cell: [] for cell in current}
        for net, times in nets.items():
            middle = sum(place[cell] for cell in net) / len(net)
            for cell in net:
                pulls[cell] += [middle] * times
        wanted = {cell: sum(pull) / len(pull) if pull else place[cell] for cell, pull in pulls.items()}
        current = sorted(current, key=lambda cell: (wanted[cell], place[cell]))
        span = total_span(current, nets)
        if span >= least:
            break
        best, least = current, span
    return best


def total_span(order: Sequence[int], nets: Counter[Net]) -> int:
    """How far apart the cells of the sets stand, in sum."""
    place = {cell: position for position, cell in enumerate(order)}
    spans = ((max(place[c] for c in net) - min(place[c] for c in net), times) for net, times in nets.items())
    return sum(span * times for span, times in spans)
