"""Random formulas on random lasso words: every automaton must say what the evaluator says."""

from __future__ import annotations

import sys
import time
from random import Random

from benchmarks.automata import ltl3ba
from benchmarks.automata.sampling import random_formula, random_word

from beeline.automata import Formula, accepts, degeneralise, evaluate, translate
from beeline.automata.hoa import from_hoa, to_hoa

FOREIGN = 1000
"""Formulas of which LTL3BA's automata are asked as well, where it is installed: it writes HOA as others do."""

NAMES = ("p", "q", "r", "s")
WORDS = 10


def run(formulas: int, seed: int) -> int:
    """Checks `formulas` many, prints what differs and a summary; 1 if anything differed."""
    begin = time.monotonic()
    wrong = words = states = foreign = 0
    for number in range(formulas):
        random = Random(seed * 1_000_003 + number)
        names = NAMES[: random.randint(1, 4)]
        formula = random_formula(random, random.randint(1, 14), names)
        general = translate(formula)
        buchi = degeneralise(general)
        automata = [general, buchi, degeneralise(general, state_based=False), from_hoa(to_hoa(buchi))]
        states += general.states
        if number < FOREIGN and ltl3ba.is_present():
            others = ltl3ba.automata(formula) or ()
            automata += others
            foreign += len(others)
        for _ in range(WORDS):
            word = random_word(random, names)
            words += 1
            truth = evaluate(formula, *word)
            if any(accepts(automaton, *word) != truth for automaton in automata):
                wrong += 1
                _report(formula, word)
        if number % 5000 == 4999:
            print(f"{number + 1} formulas, {wrong} differences, {time.monotonic() - begin:.0f} s", file=sys.stderr)
    seconds = time.monotonic() - begin
    print(f"{formulas} formulas, {words} words, 4 automata each: {wrong} differences; {states} states, {seconds:.0f} s")
    print(f"{foreign} automata of LTL3BA among them")
    return int(wrong > 0)


def _report(formula: Formula, word: tuple[list[frozenset[str]], list[frozenset[str]]]) -> None:
    prefix, cycle = ([sorted(letter) for letter in part] for part in word)
    print(f"DIFFERENT: {formula} on {prefix} then {cycle} for ever")
