"""The comparison of formulas with pan: its programs and questions are what they should be."""

import re

import pytest
from benchmarks.conformance.liveness import live_program_of, questions


def test_a_seed_always_makes_the_same_program() -> None:
    assert [live_program_of(seed) for seed in range(5)] == [live_program_of(seed) for seed in range(5)]


@pytest.mark.parametrize("seed", range(12))
def test_every_formula_and_kind_of_label_is_asked_about(seed: int) -> None:
    text = live_program_of(seed)
    asked = {question.name for question in questions(text)}
    formulas = set(re.findall(r"^ltl (\w+)", text, re.MULTILINE))
    labels = {name for word, name in (("accept_", "acceptance"), ("progress_", "progress")) if word in text}
    claims = {"claim"} if "never {" in text else set()
    assert asked == (claims or formulas | labels)
    assert "assert(" not in text
