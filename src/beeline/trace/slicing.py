"""Keeps what an error needs: deletes steps as long as the rest still leads to a violation.

Every attempt is replayed, so that nothing need be known about independence: what can be deleted was not a cause. After
Zeller and Hildebrandt, Simplifying and isolating failure-inducing input, IEEE TSE 28, 2002.
"""

from __future__ import annotations

from beeline.model.property import Property
from beeline.trace.trail import Moves, Replayer, Trail

Unit = tuple[Moves, ...]


def slice_trail(trail: Trail, asked: Property) -> Trail:
    """The trail without what can be deleted: all steps of a process from some point on, then single ones, from the end
    backwards, until nothing more can go."""
    replayer = Replayer(trail.network, asked)
    best = trail
    while True:
        shorter = _without_rest_of_process(best, replayer)
        shorter = _without_single_units(shorter, replayer)
        if len(shorter) >= len(best):
            return best
        best = shorter


def _without_rest_of_process(trail: Trail, replayer: Replayer) -> Trail:
    best = trail
    movers = sorted({unit[0][0].pid for unit in trail.units})
    for pid in movers:
        units = best.units
        own = [i for i, unit in enumerate(units) if unit[0][0].pid == pid]
        for first in own:
            shorter = replayer.follow([unit for i, unit in enumerate(units) if i < first or i not in own])
            if shorter is not None and len(shorter) < len(best):
                best = shorter
                break
    return best


def _without_single_units(trail: Trail, replayer: Replayer) -> Trail:
    best, units = trail, trail.units
    position = len(units) - 1
    while position >= 0:
        shorter = replayer.follow(units[:position] + units[position + 1 :])
        if shorter is not None and len(shorter) < len(best):
            best, units = shorter, shorter.units
        position = min(position, len(units)) - 1
    return best
