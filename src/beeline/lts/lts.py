"""Labelled transition systems: states that are only numbers, and arcs that say what is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from beeline.records import Record

TAU = "tau"
"""The label of internal steps."""

Arc = tuple[int, str, int]
"""From a state, by a label, to a state."""


class Lts(Record, frozen=True):
    """A labelled transition system. States are the numbers below `states`; two arcs are never the same.

    >>> Lts.of(2, 0, [(0, "put", 1), (1, "get", 0), (0, "put", 1)])
    Lts(states=2, initial=0, arcs=((0, 'put', 1), (1, 'get', 0)))
    """

    states: int
    initial: int
    arcs: tuple[Arc, ...]

    @classmethod
    def of(cls, states: int, initial: int, arcs: Iterable[Arc]) -> Lts:
        """A system whose arcs may be given more than once; they keep their order."""
        return cls(states, initial, tuple(dict.fromkeys(arcs)))

    @property
    def labels(self) -> list[str]:
        """The labels that occur, in the order of the alphabet."""
        return sorted({label for _, label, _ in self.arcs})

    def relabelled(self, name: Callable[[str], str]) -> Lts:
        """The same system with other labels."""
        names = {label: name(label) for label in self.labels}
        if all(label == other for label, other in names.items()):
            return self
        return Lts.of(
            self.states, self.initial, ((source, names[label], target) for source, label, target in self.arcs)
        )

    def successors(self) -> list[list[tuple[str, int]]]:
        """By state: the labels and targets of its arcs."""
        found: list[list[tuple[str, int]]] = [[] for _ in range(self.states)]
        for source, label, target in self.arcs:
            found[source].append((label, target))
        return found

    def beside(self, other: Lts) -> Lts:
        """Both systems as one that begins where this one does; the other's states come after this one's."""
        shifted = ((source + self.states, label, target + self.states) for source, label, target in other.arcs)
        return Lts(self.states + other.states, self.initial, (*self.arcs, *shifted))
