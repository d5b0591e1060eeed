"""`beeline guideline` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from beeline.cli.main import main

FEVER = Path(__file__).parents[2] / "src" / "beeline" / "cli" / "examples" / "asbru" / "fever.asbru"


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["guideline", *arguments])
    out, err = capsys.readouterr()
    return int(end.value.code or 0), out, err


def test_a_violated_intention_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run([str(FEVER), "--intentions", "--chart"], capsys)
    assert code == 1
    assert "drug.maintain-intermediate-state  violated" in out
    assert "macro-step" in out


def test_the_json_object_says_model_and_triage(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run([str(FEVER), "--property", "drug.activated", "--json"], capsys)
    (answer,) = json.loads(out)["answers"]
    assert code == 0
    assert (answer["verdict"], answer["triage"], answer["model"]) == ("holds", "real", "over-approximation")
    assert answer["run"]["states"][0]["tick"] == 1


def test_with_exact_time_the_answer_is_exact(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run([str(FEVER), "--property", "drug.maintain-intermediate-state", "--exact", "--json"], capsys)
    (answer,) = json.loads(out)["answers"]
    assert (answer["verdict"], answer["model"], answer["spurious"]) == ("violated", "exact", [])


def test_no_time_gives_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run([str(FEVER), "--max-time", "0.0001"], capsys)
    assert code == 3
    assert "time limit" in out


def test_a_misspelt_question_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run([str(FEVER), "--property", "drug.activatd"], capsys)
    assert code == 2
    assert "did you mean 'drug.activated'?" in err
