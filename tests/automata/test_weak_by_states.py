"""A search that closes a cycle at any two states may only be used where all states of a component are alike."""

import pytest

from beeline.automata import degeneralise, parse_ltl, translate
from beeline.automata.automaton import Automaton, Edge
from beeline.automata.strength import is_weak_by_states, strength


def test_an_accepting_cycle_through_other_states_is_weak_but_not_by_states() -> None:
    ring = tuple((Edge(((0, 0),), int(state == 0), (state + 1) % 3),) for state in range(3))
    automaton = Automaton((), 0, ring, 1, state_based=True)
    assert strength(automaton) != "strong"
    assert not is_weak_by_states(automaton)


@pytest.mark.parametrize(("text", "weak"), [("<>[] p", True), ("<> p", True), ("[]<> p", False)])
def test_formulas_are_told_apart(text: str, weak: bool) -> None:
    assert is_weak_by_states(degeneralise(translate(parse_ltl(text)))) == weak
