"""Puts steps of one process next to each other, because people read blocks: fewer switches at equal length."""

from __future__ import annotations

from beeline.model.property import Property
from beeline.trace.trail import Moves, Replayer, Trail

Unit = tuple[Moves, ...]


def group(trail: Trail, asked: Property) -> Trail:
    """The same steps in an order with fewer context switches: each is moved forward behind the last step of its process
    or backward to the next one, as long as the trail still is one and ends in a violation. The violating step stays
    the last."""
    replayer = Replayer(trail.network, asked)
    best = trail
    while True:
        better = _one_pass(best, replayer)
        if better.switches >= best.switches:
            return best
        best = better


def _one_pass(trail: Trail, replayer: Replayer) -> Trail:
    best = trail
    position = 0
    while position < len(best.units):  # a move can bring the parts of an uninterrupted run together
        units = best.units
        for place in _places(units, position):
            moved = units[:position] + units[position + 1 :]
            moved.insert(place, units[position])
            other = replayer.follow(moved)
            if other is not None and len(other) == len(best) and other.switches < best.switches:
                best = other
                break
        position += 1
    return best


def _places(units: list[Unit], position: int) -> list[int]:
    """Where a unit would stand next to others of its process."""
    movers = [_mover(unit) for unit in units]
    before = [i + 1 for i in range(position) if movers[i] == movers[position]]
    after = [i - 1 for i in range(position + 1, len(units)) if movers[i] == movers[position]]
    return [place for place in (*before[-1:], *after[:1]) if place != position]


def _mover(unit: Unit) -> int:
    """The process that begins it; a monitor moves along with everyone."""
    return next((move.pid for move in unit[0] if move.pid >= 0), -1)
