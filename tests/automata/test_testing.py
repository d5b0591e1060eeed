"""Testing automata give the verdicts of Büchi automata, on systems with stuttering steps and deadlocks."""

from __future__ import annotations

from random import Random

import pytest
from benchmarks.automata.kripke import Kripke, accepts_something, livelock_or_visits, random_kripke, with_testing
from benchmarks.automata.sampling import random_formula
from benchmarks.automata.testing import automata_of
from hypothesis import given
from hypothesis import strategies as st

from beeline.automata import LtlError, is_stutter_invariant, parse_ltl, propositions, testing

SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS)
def test_all_kinds_of_automata_give_the_same_verdict(seed: int) -> None:
    random = Random(seed)
    formula = random_formula(random, random.randint(2, 9), ("p", "q", "r")[: random.randint(1, 3)])
    if not is_stutter_invariant(formula):
        return
    automata = automata_of(formula)
    for _ in range(5):
        system = random_kripke(
            random, random.randint(1, 14), len(propositions(formula)), random.choice((0.5, 0.8, 1.5))
        )
        sizes, verdicts = automata.explore(system)
        assert len(set(verdicts)) == 1, f"{formula}: {verdicts}"
        assert sizes[1] <= sizes[0], str(formula)  # one letter of foresight never costs states


def test_the_automaton_of_the_papers_first_figure() -> None:
    """F G p: two states, both initial, none accepting by visits, one where staying is accepting."""
    automaton = testing.testing_automaton(parse_ltl("<>[] p"))
    assert automaton.initial == ((0, 0), (1, 1))
    assert automaton.accepting == frozenset()
    assert automaton.livelock == {1}
    assert [[(edge.change, edge.target) for edge in edges] for edges in automaton.edges] == [[(1, 1)], [(1, 0)]]


def test_staying_counts_in_livelock_states_alone() -> None:
    automaton = testing.testing_automaton(parse_ltl("[]<> p && []<> !p"))
    assert automaton.accepting
    assert not automaton.livelock
    for labels, accepted in (((1, 1), False), ((0, 1), True)):
        system = Kripke(labels, ((1,), (0,)))
        assert livelock_or_visits(with_testing(system, automaton), automaton) is accepted


def test_a_deadlock_is_a_livelock() -> None:
    system = Kripke((0, 1), ((1,), (1,)))
    for text, accepted in (("<>[] p", True), ("[]<> !p", False)):
        automaton = testing.testing_automaton(parse_ltl(text))
        assert livelock_or_visits(with_testing(system, automaton), automaton) is accepted
        general = testing.generalised_testing_automaton(parse_ltl(text))
        full = (1 << general.sets) - 1
        assert accepts_something(with_testing(system, general), full) is accepted


def test_the_clause_of_the_paper_that_enlarges_the_language_is_not_followed() -> None:
    """!b W (a && !b) does not hold on {} {b} {b} ..: the printed clause on initial states would accept it."""
    automaton = testing.testing_automaton(parse_ltl("!b W (a && !b)"))
    system = Kripke((0, 2), ((1,), (1,)))
    assert not livelock_or_visits(with_testing(system, automaton), automaton)


@pytest.mark.parametrize("make", [testing.testing_automaton, testing.generalised_testing_automaton])
def test_a_stutter_sensitive_formula_is_refused_with_the_reason(make: object) -> None:
    assert callable(make)
    with pytest.raises(LtlError, match="can tell a word from one in which a letter is repeated"):
        make(parse_ltl("p && X !p"))


def test_too_many_propositions_are_refused() -> None:
    with pytest.raises(LtlError, match="too many"):
        testing.testing_automaton(parse_ltl(" || ".join(f"<>p{index}" for index in range(9))))
