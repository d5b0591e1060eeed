"""Safety formulas are recognised, and their monitors find bad prefixes as soon as there are any."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from benchmarks.automata.sampling import random_formula, random_word
from hypothesis import given
from hypothesis import strategies as st

from beeline.automata import Automaton, accepts, evaluate, parse_ltl, translate
from beeline.automata.safety import bad_prefix_monitor, is_safety

NAMES = ("p", "q")
SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("[] p", True),
        ("p W q", True),
        ("[] (p -> X q)", True),
        ("p && X q", True),
        ("[] p || <> !p", True),  # it is true
        ("<> p", False),
        ("[] (p -> <> q)", False),
        ("p U q", False),
        ("[] (p -> <> !p) && [] p", True),  # it is false
        ("(p U q) || [] p", True),
    ],
)
def test_safety_is_decided(text: str, safe: bool) -> None:
    assert is_safety(parse_ltl(text)) is safe


@given(SEEDS)
def test_a_bad_prefix_has_no_continuation_and_violations_of_safety_have_one(seed: int) -> None:
    random = Random(seed)
    formula = random_formula(random, random.randint(1, 10), NAMES)
    safe = is_safety(formula)
    monitor = bad_prefix_monitor(formula, NAMES)
    informative = bad_prefix_monitor(formula, NAMES, limit=0)
    assert monitor.exact
    automaton = translate(formula, NAMES)
    for _ in range(10):
        prefix, cycle = random_word(random, NAMES)
        word = [automaton.letter(letter) for letter in prefix + cycle * 8]
        holds = evaluate(formula, prefix, cycle)
        first = monitor.first_bad(word)
        assert first is None or not holds, str(formula)
        assert first is not None or holds or not safe, str(formula)
        later = informative.first_bad(word)
        assert later is None or (first is not None and first <= later), str(formula)


def extendable(automaton: Automaton, prefix: list[frozenset[str]]) -> bool:
    letters = [
        frozenset(name for name, bit in zip(NAMES, bits, strict=True) if bit) for bits in product((0, 1), repeat=2)
    ]
    words = [list(word) for length in (0, 1, 2) for word in product(letters, repeat=length)]
    return any(accepts(automaton, prefix + more, cycle) for more in words for cycle in words if cycle)


@pytest.mark.parametrize("text", ["[] (p -> X q)", "p W (q && X p)", "X X p && [] (q -> p)", "[] p && X !p", "<> p"])
def test_a_monitor_is_neither_late_nor_early(text: str) -> None:
    formula = parse_ltl(text)
    monitor = bad_prefix_monitor(formula, NAMES)
    automaton = translate(formula, NAMES)
    for seed in range(40):
        prefix = random_word(Random(seed), NAMES)[0]
        first = monitor.first_bad([automaton.letter(letter) for letter in prefix])
        assert (first is None) == extendable(automaton, prefix), (text, prefix)


def test_monitors_are_small_and_deterministic() -> None:
    monitor = bad_prefix_monitor(parse_ltl("[] (p -> X q)"))
    assert len(monitor.edges) == 3
    assert monitor.bad is not None
    assert monitor.edges[monitor.bad] == ()
    assert bad_prefix_monitor(parse_ltl("<> p")).bad is None
