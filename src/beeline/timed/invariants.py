"""Invariants along a run: when what they say about clocks begins to count, and when it ceases to.

While an atom counts and none of its clocks is set, these only grow, and differences stay the same unless clocks are
stopped: an atom that holds when it begins to count and when it ceases to holds all the time between. So a step makes
work for those who take part in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from beeline.model.state import State
from beeline.timed.atoms import Atom
from beeline.timed.semantics import TimedSemantics


class Invariants:
    """The atoms that count in a state of a run."""

    def __init__(self, semantics: TimedSemantics, start: State) -> None:
        self._semantics = semantics
        self._state = start
        self._atoms: dict[int, list[Atom]] = {}
        self._count(semantics.steps_of.bounded(start))

    def all(self) -> list[Atom]:
        """What counts now."""
        return list(chain.from_iterable(self._atoms.values()))

    def follow(self, target: State, resets: Iterable[int]) -> tuple[list[Atom], list[Atom]]:
        """Goes on to the state after a step that sets some clocks: what ceases to count, and what begins to."""
        pids = self._semantics.affected(self._state, target, resets)
        ceasing = [atom for pid in sorted(pids) for atom in self._atoms.pop(pid, ())]
        self._state = target
        return ceasing, self._count(pids)

    def _count(self, pids: Iterable[int]) -> list[Atom]:
        begun: list[Atom] = []
        for pid in sorted(pids):
            self._atoms[pid] = self._semantics.invariant_atoms(self._state, [pid])
            begun += self._atoms[pid]
        return begun
