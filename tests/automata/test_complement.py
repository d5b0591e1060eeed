"""The complement accepts what the automaton does not, and decides whether repetitions of letters matter."""

from __future__ import annotations

from random import Random

import pytest
from benchmarks.automata.sampling import random_formula, random_word

from beeline.automata import Automaton, Edge, accepts, degeneralise, is_stutter_invariant, parse_ltl, translate
from beeline.automata.complement import complement
from beeline.automata.letters import Letters
from beeline.automata.stuttering import accepts_stuttered

NAMES = ("p", "q")


def random_automaton(random: Random) -> Automaton:
    """Not deterministic, and not the automaton of any formula as a rule."""
    letters, states = Letters(), random.randint(1, 3)

    def edge() -> Edge:
        true = random.choice((0, 0, 1, 2))
        guard = letters.cubes(letters.cube(true, random.choice((0, 0, 1, 2)) & ~true))
        return Edge(guard, random.randrange(2), random.randrange(states))

    rows = tuple(tuple(edge() for _ in range(random.randint(1, 3))) for _ in range(states))
    return Automaton(NAMES, 0, rows, 1)


@pytest.mark.parametrize("first", [0, pytest.param(1000, marks=pytest.mark.slow)])
def test_every_word_is_accepted_by_one_of_both(first: int) -> None:
    verdicts = set()
    for seed in range(first, first + (1000 if first else 60)):
        random = Random(seed)
        automaton = random_automaton(random) if seed % 2 else translate(random_formula(random, 6, NAMES), NAMES)
        other = complement(automaton)
        assert other is not None
        for _ in range(20):
            word = random_word(random, NAMES)
            assert accepts(other, *word) != accepts(automaton, *word), seed
            verdicts.add(accepts(other, *word))
    assert verdicts == {True, False}


@pytest.mark.parametrize("first", [0, pytest.param(1000, marks=pytest.mark.slow)])
def test_an_automaton_counts_repetitions_if_its_formula_does(first: int) -> None:
    found = set()
    for seed in range(first, first + (500 if first else 40)):
        random = Random(seed)
        formula = random_formula(random, random.randint(2, 7), NAMES)
        counts = accepts_stuttered(degeneralise(translate(formula, NAMES)))
        assert counts in (None, is_stutter_invariant(formula)), formula
        found.add(counts)
    assert {True, False} <= found


def test_what_would_be_too_large_is_left_undecided() -> None:
    names = tuple(f"p{index}" for index in range(6))
    formula = parse_ltl(" || ".join(f"(<>[] {left} && []<> {right})" for left in names for right in names))
    assert complement(translate(formula)) is None
    assert accepts_stuttered(translate(formula)) is None
