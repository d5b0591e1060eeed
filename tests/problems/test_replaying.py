"""A replay that a limit or an interrupt ends: no verdict, and what was found is kept and can be replayed later."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from beeline import check
from beeline.engine import Statistics
from beeline.engine.budget import LimitReached
from beeline.languages import load
from beeline.model.network import Network
from beeline.problems import replaying
from beeline.problems.replaying import UNFINISHED
from beeline.problems.settings import Result
from beeline.trace.trail import follow_shown

UP = """byte x; chan c = [0] of { byte };
active proctype S() { do :: x < 20 -> c!x od }
active proctype R() { byte y; do :: atomic { c?y -> x = y + 1 } :: x == 20 -> assert(false) od }
"""
TIMED = """int[0,30] n; chan tick;
process P() { clock x; state a { x <= 5 }; init a; trans a -> a { guard x >= 2; sync tick!; assign x = 0; }; }
process Q() { state b; init b; trans b -> b { guard n < 30; sync tick?; assign n = n + 1; }; }
system P, Q;"""


def ended_by(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has every replay end at its seventh step."""

    def watch(self: object, number: int, total: int) -> None:
        if number == 7:
            raise error

    monkeypatch.setattr(replaying._Watcher, "__call__", watch)


def model(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def written(result: Result) -> dict[str, Any]:
    assert result.unverified is not None
    stream = io.StringIO()
    result.unverified.write(stream)
    found: dict[str, Any] = json.loads(stream.getvalue())
    return found


@pytest.mark.parametrize("search", ["bfs", "dfs"])
def test_what_was_not_replayed_can_be_read_back_and_replayed(
    search: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = model(tmp_path, "up.pml", UP)
    whole = check(path, search=search)
    assert whole.trace is not None
    ended_by(replaying.ReplayUnfinished(UNFINISHED), monkeypatch)
    result = check(path, search=search)
    assert (result.verdict, result.reason, result.trace) == ("unknown", UNFINISHED, None)
    told = written(result)
    assert (told["verdict"], told["unverified"]) == ("unknown", True)
    network = load(path)
    assert isinstance(network, Network)
    trail = follow_shown(result.property.watched(network), told["trace"])
    assert [step.changes for step in trail.shown()] == [step.changes for step in whole.trace]
    assert trail.shown().steps[-1].error == whole.trace.steps[-1].error


def test_a_timed_path_is_kept_with_all_who_take_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = model(tmp_path, "tick.xta", TIMED)
    ended_by(replaying.ReplayUnfinished(UNFINISHED), monkeypatch)
    result = check(path, "n < 20", search="dfs")
    assert (result.verdict, result.reason) == ("unknown", UNFINISHED)
    trace = written(result)["trace"]
    assert len(trace) == 20
    assert trace[0]["process"] == "P"
    assert trace[0]["partners"][0]["process"] == "Q"
    assert trace[-1]["changes"] == {"n": ["19", "20"]}


@pytest.mark.parametrize(
    ("error", "reason"), [(KeyboardInterrupt(), f"interrupted: {UNFINISHED}"), (MemoryError(), UNFINISHED)]
)
def test_an_interrupt_or_lack_of_memory_leaves_the_path(
    error: BaseException, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended_by(error, monkeypatch)
    result = check(model(tmp_path, "up.pml", UP), search="dfs")
    assert (result.verdict, result.reason) == ("unknown", reason)
    assert len(written(result)["trace"]) > 20


def test_an_exception_of_a_limit_that_was_not_reached_is_a_fault_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended_by(LimitReached(), monkeypatch)
    with pytest.raises(LimitReached):
        check(model(tmp_path, "up.pml", UP), search="dfs")


def test_who_watches_is_told_how_far_the_replay_is(tmp_path: Path) -> None:
    text = "int x; active proctype P() { do :: x < 500 -> x++ :: else -> break od; assert(false) }"
    phases: list[str] = []

    def progress(statistics: Statistics) -> None:
        phases.append(statistics.phase)

    check(model(tmp_path, "count.pml", text), search="dfs", progress=progress)
    assert "replaying 100 of 1,001" in phases
    assert "replaying 1,000 of 1,001" in phases
