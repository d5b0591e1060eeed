"""Queries of the learner: may the environment do a word, without that the component breaks the property?

A word that the component cannot follow is harmless. Answers are kept by their words, and so are the states of component
and property in which a word may end, so that a longer word costs one step more.
"""

from __future__ import annotations

from beeline.compositional.systems import Automaton, System, Word
from beeline.lts import TAU

Places = frozenset[tuple[int, int]]
"""States of the component and the property, after a word."""


class Membership:
    """The weakest assumption of a component about the labels `alphabet` of its environment, asked word by word."""

    def __init__(self, system: System, asked: Automaton, alphabet: frozenset[str]) -> None:
        self._arcs = system.lts.successors()
        self._own, self._asked, self._alphabet = system.alphabet, asked, alphabet
        self._unseen = sorted(asked.alphabet - system.alphabet - alphabet)
        self._steps: dict[tuple[Places, str], Places | None] = {}
        self._known: dict[Word, Places | None] = {(): self._closed({(system.lts.initial, 0)})}
        self.queries = 0

    def allows(self, word: Word) -> bool:
        """Whether nothing is broken while the environment does a word, nor before or after it."""
        if word not in self._known:
            self.queries += 1
        return self.places(word) is not None

    def places(self, word: Word) -> Places | None:
        """Where a word may end; None if something is broken."""
        length = len(word)
        while word[:length] not in self._known:
            length -= 1
        places = self._known[word[:length]]
        for position in range(length, len(word)):
            places = None if places is None else self._step(places, word[position])
            self._known[word[: position + 1]] = places
        return places

    def _step(self, places: Places, label: str) -> Places | None:
        if (places, label) not in self._steps:
            self._steps[places, label] = self._made(places, label)
        return self._steps[places, label]

    def _made(self, places: Places, label: str) -> Places | None:
        found: set[tuple[int, int]] = set()
        for state, kept in places:
            targets = [to for own, to in self._arcs[state] if own == label] if label in self._own else [state]
            after = self._asked.follow(kept, label)
            if targets and after is None:
                return None
            found |= {(target, after) for target in targets if after is not None}
        return self._closed(found)

    def _closed(self, places: set[tuple[int, int]]) -> Places | None:
        """With all that the component can do while the environment does nothing of the alphabet."""
        waiting = list(places)
        while waiting:
            state, kept = waiting.pop()
            free = [(label, target) for label, target in self._arcs[state] if label not in self._alphabet]
            for label, target in (*free, *((label, state) for label in self._unseen)):
                after = kept if label == TAU else self._asked.follow(kept, label)
                if after is None:
                    return None
                if (target, after) not in places:
                    places.add((target, after))
                    waiting.append((target, after))
        return frozenset(places)
