"""How strong an automaton is: what the search for an accepting lasso may leave out."""

from __future__ import annotations

from typing import Literal, cast

from beeline.automata.automaton import Automaton
from beeline.automata.graph import Graph
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
