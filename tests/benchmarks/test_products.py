"""Products with random systems: the engine's are those that are written down state by state."""

from random import Random

import pytest
from benchmarks.automata.kripke import random_kripke, with_automaton
from benchmarks.automata.products import CONTESTANTS, explored, network_of, product_size, question

from beeline.automata import degeneralise, parse_ltl, translate


@pytest.mark.parametrize("text", ["<>p && <>q", "[](p -> <>q)", "p U q", "[]<>p -> []<>q"])
def test_all_contestants_agree_and_the_plain_product_has_its_size(text: str) -> None:
    formula = parse_ltl(text)
    automaton = degeneralise(translate(formula))
    for seed in range(3):
        system = random_kripke(Random(seed), 30, len(automaton.propositions), 1.5, 0.5, 1)
        network = network_of(system)
        asked = question(network, formula, automaton.propositions)
        assert len({explored(network, asked, *contestant).verdict for contestant in CONTESTANTS}) == 1
        assert product_size(network, asked, "tlba") == with_automaton(system, automaton).size
