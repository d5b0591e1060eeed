"""How strong an automaton is: what the search for an accepting lasso may leave out."""

from __future__ import annotations

from typing import Literal, cast

from beeline.automata.automaton import Automaton
from beeline.automata.graph import Graph, components
from beeline.automata.letters import Letters
from beeline.automata.structure import strength_of

Strength = Literal["terminal", "weak", "strong"]


def strength(automaton: Automaton) -> Strength:
    """The strength of an automaton.

    ``terminal``: once an accepting component is entered, every continuation is accepted; finding a state is enough.
    ``weak``: in each component all cycles are accepting or none; one search for any cycle is enough.
    ``strong``: everything else.
    """
    return cast(Strength, strength_of(Graph.of(automaton, Letters())))


def is_weak_by_states(automaton: Automaton) -> bool:
    """Whether in each component all states are accepting or none is. More than ``weak``: there an accepting cycle may
    pass states that are not, which a search that looks at two states of it would not tell.

    >>> from beeline.automata.automaton import Edge
    >>> ring = tuple((Edge(((0, 0),), int(state == 0), (state + 1) % 3),) for state in range(3))
    >>> is_weak_by_states(Automaton((), 0, ring, 1, state_based=True))
    False
    """
    found = components([automaton.initial], lambda state: (edge.target for edge in automaton.edges[state]))
    return all(len({automaton.is_accepting(state) for state in states}) == 1 for states in found)
