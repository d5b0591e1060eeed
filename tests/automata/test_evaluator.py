"""The evaluator follows the definitions of the operators."""

from __future__ import annotations

import pytest

from beeline.automata import evaluate, parse_ltl


@pytest.mark.parametrize(
    ("formula", "prefix", "cycle", "truth"),
    [
        ("X p", ["", "p"], [""], True),
        ("X p", ["p"], [""], False),
        ("X p", [], ["p"], True),
        ("X X p", ["", "p"], ["", ""], False),
        ("F p", ["", "", "p"], [""], True),
        ("F p", [], ["", "", "p"], True),
        ("F p", ["q"], [""], False),
        ("G p", ["p", "p"], ["p"], True),
        ("G p", ["p"], ["p", ""], False),
        ("G F p", ["p"], [""], False),
        ("F G p", [""], ["p", "p"], True),
        ("p U q", ["p"], ["p"], False),
        ("p W q", ["p"], ["p"], True),
        ("p U q", ["q"], [""], True),
        ("p U q", ["p", ""], ["q"], False),
        ("p V q", ["q", "pq"], [""], True),
        ("p V q", ["q", "p"], [""], False),
        ("p V q", ["q"], ["q"], True),
        ("p M q", ["q"], ["q"], False),
        ("p M q", ["q", "pq"], [""], True),
        ("p <-> q", ["pq"], [""], True),
        ("p -> q", ["p"], ["q"], False),
    ],
)
def test_formulas_on_words(formula: str, prefix: list[str], cycle: list[str], truth: bool) -> None:
    assert evaluate(parse_ltl(formula), prefix, cycle) is truth


def test_a_word_needs_a_cycle() -> None:
    with pytest.raises(ValueError, match="cycle"):
        evaluate(parse_ltl("p"), ["p"], [])
