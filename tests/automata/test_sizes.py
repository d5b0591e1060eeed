"""Automata stay as small as they are: next to Spot's published sizes, and never larger than SPIN's claims."""

from __future__ import annotations

import pytest
from benchmarks.automata import ltl3ba, spin
from benchmarks.automata.formulas import SETS
from benchmarks.automata.published import SPOT
from benchmarks.automata.sizes import measure, random_set

from beeline.automata import degeneralise, is_next_free, parse_ltl, translate


def sums(name: str, negated: bool) -> tuple[int, int]:
    general = buchi = 0
    for text, published in zip(SETS[name], SPOT["!" * negated + name], strict=True):
        if published is not None:
            formula = parse_ltl(text)
            automaton = translate(~formula if negated else formula)
            general += automaton.states
            buchi += degeneralise(automaton).states
    return general, buchi


@pytest.mark.parametrize(
    ("name", "negated", "general", "buchi"),
    [
        ("Etessami-Holzmann", False, 34, 43),  # as Spot's
        ("Etessami-Holzmann", True, 47, 51),  # as Spot's
        ("Somenzi-Bloem", False, 75, 85),  # Spot: 71, 81
        ("Somenzi-Bloem", True, 45, 48),  # as Spot's
        pytest.param("Dwyer", False, 215, 228, marks=pytest.mark.slow),  # Spot: 206, 214
        pytest.param("Dwyer", True, 220, 221, marks=pytest.mark.slow),  # Spot: 218, 221
    ],
)
def test_sizes_on_the_sets_of_the_literature(name: str, negated: bool, general: int, buchi: int) -> None:
    found = sums(name, negated)
    assert found[0] <= general
    assert found[1] <= buchi


@pytest.mark.skipif(not spin.is_present(), reason="SPIN is not installed")
def test_no_automaton_is_larger_than_spins_claim() -> None:
    texts = [text for name in ("Etessami-Holzmann", "Somenzi-Bloem") for text in SETS[name]]
    formulas = [formula for formula in map(parse_ltl, texts) if is_next_free(formula)] + random_set(30, 0)
    row = measure("some", formulas, [None] * len(formulas))
    assert row.spin.formulas > 40
    assert row.spin.larger == 0


@pytest.mark.skipif(not ltl3ba.is_present(), reason="LTL3BA is not installed")
def test_on_the_sets_of_the_literature_two_automata_are_larger_than_ltl3bas() -> None:
    formulas = [parse_ltl(text) for name in ("Etessami-Holzmann", "Somenzi-Bloem") for text in SETS[name]]
    formulas += [~formula for formula in formulas]
    assert measure("some", formulas, [None] * len(formulas)).ltl3ba.larger <= 2
