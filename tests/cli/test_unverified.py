"""What `check` found and could not replay in time is in a file, and `improve` replays it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Beeline

from beeline.problems import replaying

MODEL = "int x; active proctype P() { do :: x < 9 -> x++ :: else -> break od; assert(x != 9) }"


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    def watch(self: object, number: int, total: int) -> None:
        raise replaying.ReplayUnfinished(replaying.UNFINISHED)

    monkeypatch.setattr(replaying._Watcher, "__call__", watch)
    monkeypatch.chdir(tmp_path)
    Path("count.pml").write_text(MODEL)
    return "count.pml"


def test_the_file_is_named_and_improve_replays_it(beeline: Beeline, model: str) -> None:
    done = beeline("check", model, "--search", "dfs")
    assert done.code == 3
    assert "safety: unknown (replay did not finish)" in done.out
    assert "what was found is in count.unverified.json, not replayed" in done.out
    replayed = beeline("improve", model, "count.unverified.json", "--reorder", "--json")
    assert (replayed.code, replayed.object["length_before"]) == (1, 20)  # a violation
    assert replayed.object["trace"][-1]["error"] == "assertion failed: x!=9"


def test_json_names_the_file(beeline: Beeline, model: str) -> None:
    done = beeline("check", model, "--search", "dfs", "--json")
    assert (done.code, done.object["verdict"], done.object["unverified_trace"]) == (
        3,
        "unknown",
        "count.unverified.json",
    )


def test_a_folder_that_cannot_be_written_costs_no_verdict(
    beeline: Beeline, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("count.unverified.part").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "elsewhere"))
    done = beeline("check", model, "--search", "dfs")
    assert (done.code, "not replayed" in done.out) == (3, False)
    (tmp_path / "elsewhere").mkdir()
    assert str(tmp_path / "elsewhere" / "count.unverified.json") in beeline("check", model, "--search", "dfs").out


def test_an_unverified_trace_that_ends_in_no_violation_is_refused(beeline: Beeline, model: str) -> None:
    assert beeline("check", model, "--search", "dfs").code == 3
    left = Path("count.unverified.json")
    lines = left.read_text().splitlines()
    left.write_text("\n".join([*lines[:-2], *lines[-1:]]).replace("},\n]}", "}\n]}"))
    done = beeline("improve", model, str(left), "--reorder")
    assert done.code == 2
    assert "does not end in a violation" in done.err
