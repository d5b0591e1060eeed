"""LTL formulas and automata over infinite words. Nothing here knows models or searches.

    formula = parse_ltl("[] (p -> <> q)")         # Formula; atoms are read by a callback of the model's language
    automaton = translate(~formula)               # Automaton: transition-based generalised Büchi, of the violations
    buchi = degeneralise(automaton)               # Automaton with one acceptance set, on states
    strength(automaton)                           # "terminal", "weak" or "strong"
    is_stutter_invariant(formula)                 # exact; testing automata and reduction need it
    evaluate(formula, prefix, cycle)              # the truth on a lasso word, without automata

An `Automaton` has `propositions` (names; bit ``i`` of a letter stands for the ``i``-th), `initial`, `edges[state]`
(each with `guard`, `marks`, `target`) and `sets`, the number of acceptance sets. A guard is a tuple of cubes
``(true, false)``: a letter fits if ``letter & true == true and not letter & false`` for one of them. A run is accepting
if it meets the marks of every set infinitely often.
"""

from __future__ import annotations

from beeline.automata.automaton import Automaton, Edge
from beeline.automata.degeneralisation import degeneralise
from beeline.automata.evaluator import evaluate
from beeline.automata.formula import FALSE, TRUE, Formula, is_next_free, propositions
from beeline.automata.membership import accepts
from beeline.automata.parser import LtlError, parse_ltl
from beeline.automata.simplify import simplify
from beeline.automata.strength import strength
from beeline.automata.stuttering import is_stutter_invariant
from beeline.automata.translate import translate

__all__ = [
    "FALSE",
    "TRUE",
    "Automaton",
    "Edge",
    "Formula",
    "LtlError",
    "accepts",
    "degeneralise",
    "evaluate",
    "is_next_free",
    "is_stutter_invariant",
    "parse_ltl",
    "propositions",
    "simplify",
    "strength",
    "translate",
]
