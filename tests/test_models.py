"""The bundled models give the answers that are written beside them."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from beeline import check, explore
from beeline.languages import LoadOptions, load
from beeline.searches import all_searches

FOLDER = Path(__file__).parent.parent / "models" / "python"
ANSWERS: list[dict[str, Any]] = tomllib.loads((FOLDER / "answers.toml").read_text())["answer"]


def read(answer: dict[str, Any]) -> Any:
    defines = dict((*text.split("=", 1), "1")[:2] for text in answer.get("defines", []))
    return load(FOLDER / answer["model"], options=LoadOptions(defines))


COMPLETE = [name for name, search in all_searches().items() if search.promises.complete and not search.needs_sets]


def label(answer: dict[str, Any]) -> str:
    return " ".join([answer["model"], *answer.get("defines", []), answer.get("property", "")]).strip()


def test_every_model_has_an_answer() -> None:
    assert {answer["model"] for answer in ANSWERS} == {file.name for file in FOLDER.glob("*.py")}


@pytest.mark.parametrize("answer", ANSWERS, ids=label)
@pytest.mark.parametrize("search", COMPLETE)
def test_the_verdict_is_the_known_one_by_every_search(answer: dict[str, Any], search: str) -> None:
    result = check(read(answer), answer.get("property"), search=search)
    assert result.verdict == answer["verdict"]
    if "length" in answer:
        assert result.trace is not None
        assert len(result.trace) >= answer["length"]
        if result.shortest:
            assert len(result.trace) == answer["length"]


@pytest.mark.parametrize("answer", [answer for answer in ANSWERS if "states" in answer], ids=label)
def test_the_space_has_the_known_size(answer: dict[str, Any]) -> None:
    found = explore(read(answer))
    assert found.complete
    assert found.statistics.stored == answer["states"]
    assert found.statistics.depth == answer.get("depth", found.statistics.depth)
    assert found.statistics.deadlocks == answer.get("deadlocks", found.statistics.deadlocks)


def test_a_search_claims_a_shortest_trace_only_if_it_can() -> None:
    answer = next(answer for answer in ANSWERS if answer["model"] == "hanoi.py")
    assert check(read(answer), "moved", search="iddfs:1").shortest
    assert not check(read(answer), "moved", search="iddfs:10").shortest
