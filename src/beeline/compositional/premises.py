"""The premise ``<A> M <P>``: where the environment does what A says, does the component M keep the property P?"""

from __future__ import annotations

from collections import deque

from beeline.compositional.systems import Automaton, System, Word
from beeline.lts import TAU
from beeline.records import Record

Place = tuple[int, int, int]
"""States of the component, the assumption and the property."""


class Checked(Record, frozen=True):
    """What became of a premise: a shortest word that breaks the property, if there is one, and the states looked at."""

    word: Word | None
    states: int


class Premises:
    """Checks premises about one component by breadth-first search, and counts them."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._arcs = system.lts.successors()
        self.checks, self.most_states = 0, 0

    def check(self, asked: Automaton, assumption: Automaton | None = None) -> Checked:
        """Whether the component keeps a property under an assumption."""
        self.checks += 1
        found = _Search(self.system, self._arcs, asked, assumption or _FREE).run()
        self.most_states = max(self.most_states, found.states)
        return found


_FREE = Automaton(({},), frozenset())


class _Search:
    def __init__(
        self, system: System, arcs: list[list[tuple[str, int]]], asked: Automaton, assumption: Automaton
    ) -> None:
        self._arcs, self._asked, self._assumption = arcs, asked, assumption
        # What the component has no part in, its environment may do at any time.
        self._others = sorted((asked.alphabet | assumption.alphabet) - system.alphabet)
        start = system.lts.initial, 0, 0
        self._came_from: dict[Place, tuple[Place, str] | None] = {start: None}
        self._waiting = deque([start])

    def run(self) -> Checked:
        while self._waiting:
            place = self._waiting.popleft()
            for label, state in self._moves(place[0]):
                assumed = self._assumption.follow(place[1], label)
                if assumed is None:
                    continue
                kept = self._asked.follow(place[2], label)
                if kept is None:
                    return Checked((*self._word(place), label), len(self._came_from))
                target = state, assumed, kept
                if target not in self._came_from:
                    self._came_from[target] = place, label
                    self._waiting.append(target)
        return Checked(None, len(self._came_from))

    def _moves(self, state: int) -> list[tuple[str, int]]:
        return [*self._arcs[state], *((label, state) for label in self._others)]

    def _word(self, place: Place) -> Word:
        """The labels on the way to a place, hidden ones left out."""
        labels = []
        step = self._came_from[place]
        while step is not None:
            labels.append(step[1])
            step = self._came_from[step[0]]
        return tuple(label for label in reversed(labels) if label != TAU)
