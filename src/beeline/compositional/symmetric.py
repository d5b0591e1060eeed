"""The symmetric rule: an assumption for each component alone, and no word that breaks the property is outside of all:

    <A1> M1 <P>,  ..,  <An> Mn <P>,  not A1 || .. || not An |= P   =>   <true> M1 || .. || Mn <P>

(Barringer, Giannakopoulou and Pasareanu, Proof rules for automated compositional verification through learning, 2003.)
All assumptions speak of all labels that components share, and of those of the property.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from beeline.compositional.learner import Teacher, learn
from beeline.compositional.membership import Membership
from beeline.compositional.rules import Broken, Conclusion, Learned, Rule, shared_labels
from beeline.compositional.systems import Automaton, System, Word, project

Place = tuple[int | None, ...]
"""States of the assumptions, None for those that refused, and of the property."""


class _For(Exception):
    """A word about which another component's assumption is wrong."""

    def __init__(self, number: int, word: Word) -> None:
        self.number, self.word = number, word


class Symmetric(Rule):
    """The symmetric rule for a list of components."""

    def prove(self, systems: Sequence[System], asked: Automaton) -> Conclusion:
        """Assumptions for all components, or a word of all of them that breaks the property."""
        alphabet = shared_labels(systems) | asked.alphabet
        memberships = [Membership(system, asked, alphabet) for system in systems]
        try:
            found = self._learned(systems, memberships, asked, ())
        except Broken as broken:
            return Conclusion(word=broken.word)
        finally:
            self.effort.queries += sum(membership.queries for membership in memberships)
        return Conclusion(tuple(map(Learned, (system.name for system in systems), found)))

    def _learned(
        self, systems: Sequence[System], memberships: list[Membership], asked: Automaton, known: tuple[Automaton, ...]
    ) -> tuple[Automaton, ...]:
        """Assumptions of all components, given those of the first ones."""
        number = len(known)
        if number == len(systems):
            self._judge(known, memberships, asked)
            return known
        rest: tuple[Automaton, ...] = ()

        def teach(conjecture: Automaton) -> Word | None:
            nonlocal rest
            self.effort.conjectures += 1
            word = self.violation(systems[number], asked, conjecture)
            if word is not None:
                return project(word, conjecture.alphabet)
            try:
                rest = self._learned(systems, memberships, asked, (*known, conjecture))
            except _For as wrong:
                if wrong.number != number:
                    raise
                return wrong.word
            return None

        teacher: Teacher = teach
        alphabet = shared_labels(systems) | asked.alphabet
        return (*known, learn(self.learner, memberships[number], alphabet, teacher), *rest[number + 1 :])

    def _judge(self, known: tuple[Automaton, ...], memberships: list[Membership], asked: Automaton) -> None:
        """Raises what is wrong with the last premise, if anything is."""
        self.effort.environments += 1
        word = outside_of_all(known, asked)
        if word is None:
            return
        for number, membership in enumerate(memberships):
            if membership.allows(word):
                raise _For(number, word)
        raise Broken(word)


def outside_of_all(assumptions: Sequence[Automaton], asked: Automaton) -> Word | None:
    """A shortest word that breaks the property and that every assumption refuses."""
    labels = sorted(asked.alphabet.union(*(one.alphabet for one in assumptions)))
    start: Place = (*(0 for _ in assumptions), 0)
    words: dict[Place, Word] = {start: ()}
    waiting = deque([start])
    while waiting:
        place = waiting.popleft()
        for label in labels:
            pairs = zip((*assumptions, asked), place, strict=True)
            target = tuple(None if state is None else one.follow(state, label) for one, state in pairs)
            if target not in words:
                words[target] = (*words[place], label)
                waiting.append(target)
                if not any(state is not None for state in target):
                    return words[target]
    return None
