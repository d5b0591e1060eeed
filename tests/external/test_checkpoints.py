"""A search that was ended, or killed, goes on from its checkpoint as if nothing had been; others are refused."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.explicit import graphs

from beeline import _native
from beeline.engine import Found, Outcome, Status
from beeline.heuristics import build

ROOT = Path(__file__).parents[2]
NETWORKS = int(os.environ.get("BEELINE_DISK", "20"))  # BEELINE_DISK=500 asks for a long run
KILLS = int(os.environ.get("BEELINE_KILLS", "3"))  # BEELINE_KILLS=50 asks for a long run
BEELINE = [str(Path(sys.executable).with_name("beeline"))]
BFS, ASTAR, DISK = ["--search", "bfs"], ["--search", "astar", "--heuristic", "blind"], ["--store", "disk:states"]
SEARCHES = {
    "bfs": [*BFS, *DISK],
    "astar": [*ASTAR, *DISK],
    "cycles": ["--property", "leaves", "--search", "owcty", *DISK],
    "bfs in memory": BFS,
    "astar in memory": ASTAR,
    "greedy in memory": ["--search", "greedy:lazy=1", "--heuristic", "hU"],
    "auto in memory": ["--search", "auto"],
    "two threads in memory": [*BFS, "--threads", "2"],
    "stubborn sets in memory": [*BFS, "--reduce", "stubborn"],
    "symmetry in memory": [*BFS, "--symmetry", "exact"],
}
MODEL = """
byte a, b, c, d, e, f;
active proctype P() {
  do
  :: a < 8 -> a++ :: b < 8 -> b++ :: c < 8 -> c++ :: d < 8 -> d++ :: e < 8 -> e++ :: f < 8 -> f++
  :: a + b + c + d + e + f == 44 -> assert(f != 5 || a != 7)
  od
}
"""


HARMLESS = MODEL.replace(":: a + b + c + d + e + f == 44 -> assert(f != 5 || a != 7)", ":: f == 8 -> a = 0; f = 0")
ALIKE = """
byte a, b, c, d, e, f;
active [2] proctype P() {
  byte own;
  do :: own < 3 -> own++ :: own == 3 -> own = 0 od
}
active proctype Q() {
  do
  :: a < 6 -> a++ :: b < 6 -> b++ :: c < 6 -> c++ :: d < 6 -> d++; assert(d < 9)
  od
}
"""
ENDLESS = """
byte a, b, c, d, e;
active proctype P() {
  do
  :: a < 8 -> a++ :: b < 8 -> b++ :: c < 8 -> c++ :: d < 8 -> d++ :: e < 8 -> e++
  :: e == 8 -> a = 0; e = 0
  od
}
ltl leaves { [] (a == 7 -> <> (a != 7)) }
"""
MODELS = {
    "auto in memory": HARMLESS,
    "cycles": ENDLESS,
    "stubborn sets in memory": ALIKE,
    "symmetry in memory": ALIKE.replace("< 6", "< 9"),
}


def told(outcome: Outcome) -> tuple[Any, ...]:
    counts = outcome.statistics
    numbers = (counts.stored, counts.expanded, counts.generated, counts.deadlocks, counts.errors, counts.goals)
    return outcome.status, outcome.found, numbers, counts.depth, outcome.path


@pytest.mark.parametrize("informed", [False, True])
def test_many_limits_end_in_what_none_ends_in(informed: bool, tmp_path: Path) -> None:
    file = tmp_path / "search"
    for number, graph in enumerate(graphs(NETWORKS, 5000)):
        stop = Found.GOAL if informed or number % 2 == 0 else Found.NOTHING
        native = build("Hf", graph.context(Found.GOAL))[0].native
        order = _native.BestFirst([native], priority="sum", prune=True) if informed else None
        every, buffer = random.Random(number).choice([0.0, 1000.0]), 3 + 50 * (number % 3)

        def search(states: int | None, resumes: bool) -> Outcome:
            request = _native.Request(stop=stop.value, states=states)  # noqa: B023
            options: dict[str, Any] = {"checkpoint": str(file), "every": every, "identity": "one", "resumes": resumes}  # noqa: B023
            return Outcome(
                _native.disk_search(graph.space(), request, str(tmp_path), buffer, order, **options)  # noqa: B023
            )

        expected = told(search(None, False))
        states, outcome = 3, search(3, False)
        while outcome.status is Status.STATES:
            assert outcome.statistics.stored == states
            states += 1 + states // 2
            outcome = search(states, True)
        assert told(outcome) == expected
        assert list(tmp_path.iterdir()) == []


def started(folder: Path, *more: str, model: str = MODEL) -> subprocess.Popen[str]:
    (folder / "model.pml").write_text(model)
    command = [*BEELINE, *more, "--json"]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def check(folder: Path, search: str, *more: str) -> subprocess.Popen[str]:
    options = [*SEARCHES[search], "--every", "0.1s"]
    return started(folder, "check", "model.pml", *options, *more, model=MODELS.get(search, MODEL))


def answer(process: subprocess.Popen[str]) -> dict[str, Any]:
    printed, said = process.communicate(timeout=300)
    assert process.returncode in (0, 1, 3), said
    found: dict[str, Any] = json.loads(printed)
    return {name: found[name] for name in ("verdict", "reason", "states", "trace", "initial")}


def left_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")} - {"model.pml", "states"}


@pytest.mark.parametrize("search", SEARCHES)
def test_a_killed_search_goes_on(search: str, tmp_path: Path) -> None:
    expected = answer(check(tmp_path, search))
    chance, kills = random.Random(7), 0
    while kills < KILLS:
        process = check(tmp_path, search, "--checkpoint", "kept")
        while process is not None and kills < KILLS:
            time.sleep(chance.uniform(0.2, 1.2 if "memory" in search else 2.5))
            if process.poll() is not None:
                break
            process.send_signal(chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
            process.communicate()
            kills += 1
            begun = (tmp_path / "kept/search").exists()
            if begun:
                process = started(tmp_path, "resume", "kept", model=MODELS.get(search, MODEL))
            else:
                process = check(tmp_path, search, "--checkpoint", "kept")
        assert answer(process) == expected
        assert left_in(tmp_path) == set()


def interrupted(folder: Path) -> None:
    found = answer(check(folder, "bfs", "--checkpoint", "kept", "--max-states", "5000"))
    assert (found["verdict"], found["reason"]) == ("unknown", "state limit")
    assert left_in(folder) >= {"kept/search", "kept/command.json"}


def refusal(folder: Path, model: str = MODEL) -> str:
    process = started(folder, "resume", "kept", "--max-states", "100000000", model=model)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 2, said
    return said


def test_a_limit_can_be_raised(tmp_path: Path) -> None:
    interrupted(tmp_path)
    resumed = started(tmp_path, "resume", "kept", "--max-states", "100000000")
    assert answer(resumed) == answer(check(tmp_path, "bfs"))
    assert left_in(tmp_path) == set()


def test_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    interrupted(tmp_path)
    whole = (tmp_path / "kept/search").read_bytes()
    (tmp_path / "kept/search").write_bytes(whole.replace(b"closed", b"closes", 1))
    assert "it is damaged: its checksum does not fit" in refusal(tmp_path)
    (tmp_path / "kept/search").write_bytes(whole)
    states = max(tmp_path.glob("states/*/[0-9]*"), key=lambda path: path.stat().st_size)
    content = bytearray(states.read_bytes())
    content[len(content) // 2] ^= 4
    states.write_bytes(content)
    assert "does not hold what was written to it" in refusal(tmp_path)
    content[len(content) // 2] ^= 4
    content[:4] = (1).to_bytes(4, "little")  # the number of records of the first block
    states.write_bytes(content)
    assert "does not hold what was written to it" in refusal(tmp_path)
    states.unlink()
    assert "No such file" in refusal(tmp_path)


def test_foreign_checkpoints_are_refused(tmp_path: Path) -> None:
    process = started(tmp_path, "resume", "kept")
    assert "there is none" in process.communicate()[1]
    interrupted(tmp_path)
    kept = tmp_path / "kept/command.json"
    said = kept.read_text()
    kept.write_text(said.replace('"version":"', '"version":"0'))
    assert "it is of version 0" in refusal(tmp_path)
    kept.write_text("{")
    assert "is damaged" in refusal(tmp_path)
    kept.write_text(said)
    assert "the model has changed" in refusal(tmp_path, MODEL.replace("< 8", "< 9"))


def test_searches_that_leave_none_say_so(tmp_path: Path) -> None:
    for wrong, said in {
        "--search=dfs": "checkpoints are left by",
        "--search=bfs --store=tree": "checkpoints are left by",
        "--search=bfs --reduce=ample:visited": "depends on how far a search has come",
        "--search=astar --cost=P=2": "leaves no checkpoints",
        "--engine=bdd --search=bfs": "the engine bdd leaves no checkpoints",
    }.items():
        process = started(tmp_path, "check", "model.pml", *wrong.split(), "--checkpoint", "kept")
        assert said in process.communicate()[1]
        assert process.returncode == 2


def test_damaged_checkpoints_of_memory_are_refused(tmp_path: Path) -> None:
    found = answer(check(tmp_path, "bfs in memory", "--checkpoint", "kept", "--max-states", "50000"))
    assert (found["verdict"], found["reason"]) == ("unknown", "state limit")
    file = tmp_path / "kept/search"
    whole = file.read_bytes()
    for damaged in (
        whole[:-1],
        whole + b"x",
        whole[: len(whole) // 2],
        bytes([*whole[:-9], whole[-9] ^ 1, *whole[-8:]]),
    ):
        file.write_bytes(damaged)
        assert "it is damaged: its checksum does not fit" in refusal(tmp_path)
    file.write_bytes(whole)
    resumed = started(tmp_path, "resume", "kept", "--max-states", "100000000")
    assert answer(resumed) == answer(check(tmp_path, "bfs in memory"))
    assert left_in(tmp_path) == set()


def test_another_question_is_refused(tmp_path: Path) -> None:
    interrupted(tmp_path)
    for option in ("--property=deadlock", "--max-depth", "--search"):
        process = started(tmp_path, "resume", "kept", option, "2")
        assert "cannot change when a check goes on" in process.communicate()[1]
    assert answer(started(tmp_path, "resume", "kept", "--max-states", "100000000")) == answer(check(tmp_path, "bfs"))


def test_a_folder_serves_one_check_at_a_time(tmp_path: Path) -> None:
    first = check(tmp_path, "bfs", "--checkpoint", "kept")
    while not (tmp_path / "kept/search").exists():
        time.sleep(0.01)
    try:
        for other in (check(tmp_path, "astar", "--checkpoint", "kept"), started(tmp_path, "resume", "kept")):
            assert "another check is using" in other.communicate(timeout=300)[1]
            assert other.returncode == 2
    finally:
        found = answer(first)
    assert found == answer(check(tmp_path, "bfs"))
    assert left_in(tmp_path) == set()


@pytest.mark.parametrize("name", ["search", "command.json"])
def test_files_of_others_are_left_alone(name: str, tmp_path: Path) -> None:
    own = tmp_path / "kept" / name
    own.parent.mkdir()
    own.write_text("important")
    process = check(tmp_path, "bfs", "--checkpoint", "kept")
    assert "is no checkpoint: choose another folder" in process.communicate()[1]
    assert process.returncode == 2 and own.read_text() == "important"
