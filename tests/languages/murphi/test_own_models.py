"""The project's own Murphi models give the answers that are written beside them, which are Rumur's."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from beeline import check, explore
from beeline.languages.murphi import load_murphi
from beeline.model.network import Network

FOLDER = Path(__file__).resolve().parents[3] / "models" / "murphi"
ANSWERS: list[dict[str, Any]] = tomllib.loads((FOLDER / "answers.toml").read_text())["answer"]
SMALL = [answer for answer in ANSWERS if answer.get("states", 0) <= 100_000]


def read(answer: dict[str, Any]) -> Network:
    return load_murphi(FOLDER / answer["model"], dict(text.split("=") for text in answer["constants"]))


def label(answer: dict[str, Any]) -> str:
    return " ".join([answer["model"], *answer["constants"]])


def test_every_model_has_an_answer() -> None:
    assert {answer["model"] for answer in ANSWERS} == {file.name for file in FOLDER.glob("*.m")}


@pytest.mark.parametrize("answer", SMALL, ids=label)
def test_the_verdict_is_the_known_one(answer: dict[str, Any]) -> None:
    result = check(read(answer), "safety", search="bfs")
    assert result.verdict == answer["verdict"]
    if "shortest" in answer:
        assert result.trace is not None and len(result.trace) == answer["shortest"]
        assert answer["kind"] in result.reason
    assert check(read(answer), "safety").verdict == answer["verdict"], "by the default search"


@pytest.mark.parametrize("answer", [answer for answer in SMALL if "states" in answer], ids=label)
def test_the_space_has_the_known_size(answer: dict[str, Any]) -> None:
    found = explore(read(answer))
    assert found.complete and found.statistics.stored == answer["states"]
