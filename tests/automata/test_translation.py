"""Automata accept exactly the words on which their formula holds, through all reductions."""

from __future__ import annotations

from random import Random

import pytest
from benchmarks.automata.sampling import random_formula, random_word, stretched
from hypothesis import given
from hypothesis import strategies as st

from beeline.automata import (
    Formula,
    accepts,
    degeneralise,
    evaluate,
    is_stutter_invariant,
    parse_ltl,
    simplify,
    strength,
    translate,
)
from beeline.automata.alternating import TooLarge
from beeline.automata.product import intersect

NAMES = ("p", "q", "r")
SEEDS = st.integers(0, 2**32 - 1)


def formula_of(random: Random) -> Formula:
    return random_formula(random, random.randint(1, 14), NAMES[: random.randint(1, 3)])


@given(SEEDS)
def test_simplification_keeps_the_language(seed: int) -> None:
    random = Random(seed)
    formula = formula_of(random)
    simple = simplify(formula)
    for _ in range(10):
        word = random_word(random, NAMES)
        assert evaluate(formula, *word) == evaluate(simple, *word), f"{formula} became {simple}"


@given(SEEDS)
def test_automata_agree_with_the_evaluator(seed: int) -> None:
    random = Random(seed)
    formula = formula_of(random)
    general = translate(formula)
    for automaton in (general, degeneralise(general), degeneralise(general, state_based=False)):
        for _ in range(10):
            word = random_word(random, NAMES)
            assert accepts(automaton, *word) == evaluate(formula, *word), str(formula)


@given(SEEDS)
def test_a_formula_and_its_negation_have_no_word_in_common(seed: int) -> None:
    formula = formula_of(Random(seed))
    assert not intersect(translate(formula, NAMES), translate(~formula, NAMES))


@given(SEEDS)
def test_degeneralised_automata_have_one_set_on_states(seed: int) -> None:
    buchi = degeneralise(translate(formula_of(Random(seed))))
    assert buchi.sets == 1
    assert all(len({edge.marks for edge in edges}) <= 1 for edges in buchi.edges)


@given(SEEDS)
def test_stutter_invariant_formulas_do_not_see_repetitions(seed: int) -> None:
    random = Random(seed)
    formula = random_formula(random, random.randint(2, 9), NAMES[:2])
    if is_stutter_invariant(formula):
        for _ in range(20):
            word = random_word(random, NAMES[:2])
            assert evaluate(formula, *word) == evaluate(formula, *stretched(random, word)), str(formula)


@pytest.mark.parametrize(
    ("text", "invariant"),
    [
        ("p U q", True),
        ("F (p && X (!p && q))", True),  # with X, and yet
        ("X G F p", True),
        ("p && X !p", False),
        ("X p", False),
        ("X <> p", False),
        ("F (p && X p)", False),
    ],
)
def test_stutter_invariance_is_decided(text: str, invariant: bool) -> None:
    assert is_stutter_invariant(parse_ltl(text)) is invariant


@pytest.mark.parametrize(
    ("text", "strong"),
    [
        ("F p", "terminal"),
        ("p U q", "terminal"),
        ("X p", "terminal"),
        ("G p", "weak"),
        ("F G p", "weak"),
        ("G F p", "strong"),
        ("G (p -> F q)", "strong"),
    ],
)
def test_strength(text: str, strong: str) -> None:
    assert strength(translate(parse_ltl(text))) == strong


@pytest.mark.parametrize(
    ("text", "general", "buchi"),
    [
        ("true", 1, 1),
        ("false", 1, 1),
        ("p", 2, 2),
        ("G F p", 1, 2),
        ("F G p", 2, 2),
        ("G (p -> F q)", 2, 2),
        ("G F p && G F q", 1, 3),
        ("G F p && G F q && G F r", 1, 4),
        ("p U (q U r)", 3, 3),
        ("G F p -> G F q", 3, 4),
        ("p U (q -> G F q)", 3, 4),
    ],
)
def test_sizes_of_well_known_formulas(text: str, general: int, buchi: int) -> None:
    automaton = translate(parse_ltl(text))
    assert (automaton.states, degeneralise(automaton).states) == (general, buchi)


def test_sixty_propositions_are_no_trouble() -> None:
    names = [f"p{index}" for index in range(60)]
    automaton = translate(parse_ltl(f"G (({' && '.join(names[:30])}) -> F ({' || '.join(names[30:])}))"))
    assert automaton.states == 2
    letter = [set(names[:30])]
    assert not accepts(automaton, letter, [set()])
    assert accepts(automaton, letter, [set(), {"p42"}])


def test_an_automaton_beyond_the_limit_is_refused() -> None:
    with pytest.raises(TooLarge, match="more than 3 states"):
        translate(parse_ltl("(p U q) && X (q U r) && X X (r U p)"), limit=3)
    with pytest.raises(TooLarge, match="transitions at one state"):
        translate(parse_ltl(" && ".join(f"G F p{index}" for index in range(40))))


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("!(a U (b U (c U (d U (e U (f U (g U (h U (i U j)))))))))", 10),
        ("<>a && <>b && <>c && <>d && <>e && <>f", 64),
        ("(G F a -> G F b) && (G F c -> G F d) && (G F e -> G F f)", 9),
    ],
)
def test_families_grow_as_they_must_and_no_more(text: str, states: int) -> None:
    assert translate(parse_ltl(text)).states == states
