"""The project's Promela models give the answers that were measured with SPIN: states, verdicts, shortest errors."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from benchmarks.conformance.corpus import OWN_MODELS
from benchmarks.conformance.tool import Beeline, Inside

ANSWERS: list[dict[str, Any]] = tomllib.loads((OWN_MODELS / "answers.toml").read_text())["answer"]
SMALL = 30_000


def name_of(answer: dict[str, Any]) -> str:
    return " ".join([answer["model"], *answer["macros"]])


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(
            answer, id=name_of(answer), marks=() if answer.get("states", SMALL + 1) <= SMALL else pytest.mark.slow
        )
        for answer in ANSWERS
    ],
)
def test_a_model_gives_its_known_answer(answer: dict[str, Any]) -> None:
    path = OWN_MODELS / answer["model"]
    beeline = Beeline(Inside())
    explored = beeline.explore(path, answer["macros"])
    assert explored.values.get("complete"), explored.message
    assert explored.values["states"] == answer["states"]
    checked = beeline.check(path, [*answer["macros"], "--property=safety"])
    assert checked.values["verdict"] == answer["verdict"]
    if "kind" in answer and "shortest" in answer:
        assert checked.values["trace_length"] == answer["shortest"]
    if "two_step" in answer:
        assert checked.values["trace_moves"] == answer["two_step"]
