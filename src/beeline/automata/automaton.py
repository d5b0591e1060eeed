"""Automata over infinite words: transition-based generalised Büchi automata, of which Büchi automata are the special
case of one acceptance set."""

from __future__ import annotations

from beeline.automata.letters import Guard
from beeline.records import Record


class Edge(Record, frozen=True):
    """A transition: the letters that it reads, the acceptance sets that it is in (a mask), and where it leads."""

    guard: Guard
    marks: int
    target: int

    def reads(self, letter: int) -> bool:
        """Whether a letter (a mask of true propositions) fits the guard."""
        return any(letter & true == true and not letter & false for true, false in self.guard)


class Automaton(Record, frozen=True):
    """An automaton: a run is accepting if it takes edges of each of the `sets` acceptance sets infinitely often.

    Letters are masks: bit ``i`` stands for ``propositions[i]``. States are numbers; ``edges[s]`` leave state ``s``. A
    run may end where no edge fits: it accepts nothing. With no acceptance set, every infinite run is accepting.
    """

    propositions: tuple[str, ...]
    initial: int
    edges: tuple[tuple[Edge, ...], ...]
    sets: int
    state_based: bool = False
    """Whether all edges of a state are in the same acceptance sets."""

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.edges)

    @property
    def transitions(self) -> int:
        """The number of edges."""
        return sum(map(len, self.edges))

    @property
    def accepting(self) -> int:
        """The mask of all acceptance sets."""
        return (1 << self.sets) - 1

    def is_accepting(self, state: int) -> bool:
        """Whether a state of a state-based automaton is in all acceptance sets."""
        return self.sets == 0 or any(edge.marks == self.accepting for edge in self.edges[state])

    def letter(self, true: set[str] | frozenset[str]) -> int:
        """The mask of a set of true propositions; those that the automaton does not know are left out."""
        return sum(1 << index for index, name in enumerate(self.propositions) if name in true)

    def is_deterministic(self) -> bool:
        """Whether at most one edge of each state fits any letter."""
        return not any(
            _meet(left.guard, right.guard)
            for edges in self.edges
            for index, left in enumerate(edges)
            for right in edges[:index]
        )


def _meet(left: Guard, right: Guard) -> bool:
    return any(not (t & f2 or t2 & f) for t, f in left for t2, f2 in right)
