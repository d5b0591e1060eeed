"""What the proof rules have in common: their components, their counts, and what they come to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from beeline.compositional.premises import Premises
from beeline.compositional.systems import Automaton, System, Word
from beeline.records import Record


class Learned(Record, frozen=True):
    """An assumption: what the component `owner` needs of the others."""

    owner: str
    automaton: Automaton


class Effort(Record):
    """What learning took."""

    queries: int = 0
    conjectures: int = 0
    """Assumptions that were tried with their component (oracle 1)."""
    environments: int = 0
    """Assumptions that were tried with the environment (oracle 2)."""
    refinements: int = 0
    """Labels that had to be added to an alphabet."""
    most_states: int = 0
    """States of the largest premise that was searched."""


class Conclusion(Record, frozen=True):
    """What a rule comes to: assumptions that prove the property, or a word of all components that breaks it."""

    assumptions: tuple[Learned, ...] = ()
    word: Word | None = None


class Broken(Exception):
    """The property is broken, by a word of all components."""

    def __init__(self, word: Word) -> None:
        self.word = word


class Rule(ABC):
    """A proof rule at work on some components."""

    def __init__(self, learner: str, refines: bool = True) -> None:
        self.learner, self.refines = learner, refines
        self.effort = Effort()
        self._premises: dict[str, Premises] = {}

    @abstractmethod
    def prove(self, systems: Sequence[System], asked: Automaton) -> Conclusion:
        """Assumptions from which the property follows, or a word of all components that breaks it."""

    def violation(self, system: System, asked: Automaton, assumption: Automaton | None = None) -> Word | None:
        """A shortest word that breaks a premise; None if it holds."""
        if system.name not in self._premises:
            self._premises[system.name] = Premises(system)
        found = self._premises[system.name].check(asked, assumption)
        self.effort.most_states = max(self.effort.most_states, found.states)
        return found.word


def labels_of(systems: Sequence[System]) -> frozenset[str]:
    """The labels in which some system takes part."""
    return frozenset().union(*(system.alphabet for system in systems))


def shared_labels(systems: Sequence[System]) -> frozenset[str]:
    """The labels in which several systems take part."""
    found: set[str] = set()
    for number, system in enumerate(systems):
        found |= system.alphabet & labels_of(systems[:number])
    return frozenset(found)
