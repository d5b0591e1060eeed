"""`beeline automaton` shows what becomes of a formula, and `--property hoa:FILE` takes automata from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import MODELS, Beeline
from tests.cli.test_mistakes import refused

PETERSON = MODELS.parent / "promela" / "peterson.pml"
RESPONSE = "[] (asked -> <> (x == 1))"


def test_the_text_tells_size_and_strength(beeline: Beeline) -> None:
    done = beeline("automaton", RESPONSE)
    assert done.code == 0
    head, size, facts, _, start, *rest = done.out.splitlines()
    assert head == "[](asked -> <>(x == 1))"
    assert size == "states: 2, edges: 4, acceptance sets: 1"
    assert facts == "strong, deterministic, stutter-invariant, no safety formula"
    assert start == "begins in 0"
    assert rest[:2] == ["0", "  !asked || (x == 1) -> 0 {0}"]


def test_the_facts_depend_on_the_formula(beeline: Beeline) -> None:
    assert "stutter-sensitive, safety" in beeline("automaton", "[] (p -> X q)").out
    assert "terminal, deterministic" in beeline("automaton", "<> p").out


@pytest.mark.parametrize(
    ("form", "part"),
    [
        ("hoa", 'AP: 2 "asked" "x == 1"'),
        ("never", "goto accept_init"),
        ("dot", '0 -> 0 [label="!asked || (x == 1) {0}"];'),
    ],
)
def test_other_formats(beeline: Beeline, form: str, part: str) -> None:
    done = beeline("automaton", RESPONSE, "--format", form)
    assert done.code == 0
    assert part in done.out


def test_testing_automata_read_changes(beeline: Beeline) -> None:
    text = beeline("automaton", "<> p", "--testing").out
    assert "generalised testing automaton" in text
    assert "begins in" in text and "changes of p" in text and "may stay for ever" in text
    assert "changes of p" in beeline("automaton", "<> p", "--testing", "--format", "dot").out


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["[] (p"], "FORMULA:1:4: this parenthesis is not closed"),
        (["[] (p -> X q)", "--testing"], "can tell a word from one in which a letter is repeated"),
        (["<> p", "--testing", "--format", "hoa"], "use text or dot"),
    ],
)
def test_what_cannot_be_shown_is_refused(beeline: Beeline, arguments: list[str], part: str) -> None:
    assert any(part in line for line in refused(beeline("automaton", *arguments)))


@pytest.mark.parametrize(
    "formula",
    [
        "[] (critical == 1 -> <> (critical == 0))",
        "[] (critical < 2)",
        "<> (critical == 1)",
        "[]<> (critical == 1) && []<> (critical == 0)",
        "<>[] (critical == 0)",
        "[] (critical == 0)",
    ],
)
def test_an_automaton_of_bad_runs_answers_as_the_formula_does(beeline: Beeline, formula: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.hoa"
    bad.write_text(beeline("automaton", f"!({formula})", "--format", "hoa").out)
    asked = beeline("check", PETERSON, "--property", f"ltl: {formula}", "--json").object
    found = beeline("check", PETERSON, "--property", f"hoa:{bad}", "--json").object
    assert found["verdict"] == asked["verdict"]
    assert found["property_kind"] == "claim"
    if found["trace"] is not None:
        assert found["cycle_start"] is not None


HOA = """HOA: v1
States: 1
Start: 0
AP: 2 "critical == 0"
      "{}"
Acceptance: {} Inf(0)
--BODY--
State: 0
[0 & 1] 0 {{0}}
--END--
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HOA.format("nobody == 1", 1), ":5:8: no variable, channel or process called 'nobody'"),
        (HOA.format("critical ==", 1), ":5:"),
        (HOA.format("critical < 1", 0), ":6:"),
        ("never { }", ":1:"),
    ],
)
def test_mistakes_in_an_automaton_are_said_with_file_and_line(
    beeline: Beeline, text: str, said: str, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.hoa"
    bad.write_text(text)
    done = beeline("check", PETERSON, "--property", f"hoa:{bad}")
    assert refused(done)[0].startswith(f"error: {bad}{said}")
    assert done.err.splitlines()[-1] == "  see: docs/ltl-automata.md"


def test_a_file_that_is_not_there_is_named(beeline: Beeline) -> None:
    assert "nowhere.hoa: No such file" in refused(beeline("check", PETERSON, "--property", "hoa:nowhere.hoa"))[0]
