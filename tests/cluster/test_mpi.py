"""The command in several processes of MPI: one answer, the same as that of one process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from beeline.checking import check, explore
from beeline.cluster.mpi import is_installed
from beeline.languages import LoadOptions, load

BIN = Path(sys.executable).parent
MODELS = Path(__file__).parents[2] / "models"
PHILOSOPHERS = MODELS / "promela" / "philosophers.pml"
LAUNCHER = BIN / "mpiexec"
TIMEOUT = 60

pytestmark = pytest.mark.skipif(
    not is_installed() or not LAUNCHER.exists(), reason="mpi4py and mpich (beeline[cluster]) are not installed"
)


def cluster(ranks: int, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [LAUNCHER, "-n", str(ranks), BIN / "beeline", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)


def answer(ranks: int, *arguments: str | Path) -> tuple[int, dict[str, Any]]:
    done = cluster(ranks, *arguments, "--json")
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_the_counts_are_those_of_one_process(ranks: int) -> None:
    _, told = answer(ranks, "explore", PHILOSOPHERS, "-D", "N=6", "--engine", "mpi:line=64")
    expected = explore(load(PHILOSOPHERS, options=LoadOptions({"N": "6"}))).statistics
    assert told["complete"]
    assert (told["states"], told["transitions"]) == (expected.stored, expected.generated)
    assert (told["depth"], told["deadlocks"]) == (expected.depth, expected.deadlocks)


def test_a_violation_is_replayed_and_has_the_shortest_trace() -> None:
    code, told = answer(2, "check", PHILOSOPHERS, "-D", "N=5", "--engine", "mpi:line=8")
    expected = check(load(PHILOSOPHERS, options=LoadOptions({"N": "5"})), search="bfs")
    assert code == 1
    assert expected.trace is not None
    assert told["verdict"] == "violated"
    assert told["trace_is_shortest"]
    assert told["trace_length"] == len(expected.trace)


def test_a_model_of_murphi() -> None:
    _, told = answer(2, "explore", MODELS / "murphi" / "peterson.m", "--engine", "mpi")
    expected = explore(load(MODELS / "murphi" / "peterson.m")).statistics
    assert (told["states"], told["transitions"]) == (expected.stored, expected.generated)


@pytest.mark.parametrize(("formula", "verdict"), [("AG EF leaders > 0", "holds"), ("AG leaders == 0", "violated")])
def test_a_formula_is_solved_by_all_processes(formula: str, verdict: str) -> None:
    code, told = answer(
        2, "check", MODELS / "promela" / "leader.pml", "--engine", "mpi", "--property", f"mu: {formula}"
    )
    assert (told["verdict"], told["engine"]) == (verdict, "mpi")
    assert code == (verdict == "violated") and (told["trace"] is None) == (verdict == "holds")


def test_threads_share_the_states_of_a_process() -> None:
    _, told = answer(2, "explore", PHILOSOPHERS, "-D", "N=9", "--engine", "mpi", "--threads", "2")
    _, expected = answer(1, "explore", PHILOSOPHERS, "-D", "N=9", "--engine", "mpi")
    assert [told[name] for name in ("states", "transitions", "depth")] == [
        expected[name] for name in ("states", "transitions", "depth")
    ]


def test_mistakes_are_told_once() -> None:
    done = cluster(3, "check", "missing.pml", "--engine", "mpi")
    assert done.returncode == 2
    assert done.stderr.count("no such file") == 1


@pytest.mark.parametrize(
    ("options", "remedy"),
    [
        (("--search", "greedy"), "--search"),
        (("--store", "tree", "--search", "bfs"), "--store plain"),
        (("--reduce", "ample"), "--reduce none"),
        (("--threads", "2", "--search", "astar", "--heuristic", "blind"), "--search bfs"),
    ],
)
def test_what_it_cannot_do_is_refused_with_a_remedy(options: tuple[str, ...], remedy: str) -> None:
    done = cluster(2, "check", PHILOSOPHERS, "--engine", "mpi", *options)
    assert done.returncode == 2
    assert remedy in done.stderr


def test_a_limit_ends_all_processes() -> None:
    code, told = answer(2, "explore", PHILOSOPHERS, "-D", "N=12", "--engine", "mpi", "--max-states", "5000")
    assert (code, told["complete"], told["reason"]) == (3, False, "state limit")


def test_a_limit_of_states_tells_what_was_counted() -> None:
    _, told = answer(1, "check", PHILOSOPHERS, "-D", "N=8", "--engine", "mpi", "--search", "bfs", "--max-states", "100")
    assert (told["verdict"], told["reason"]) == ("unknown", "state limit")
    assert told["states"]["stored"] >= 100


@pytest.mark.parametrize("rank", [0, 1])
def test_a_process_that_is_killed_leaves_the_answer_unknown_and_nothing_behind(rank: int, tmp_path: Path) -> None:
    # Each process writes down its number before it becomes the command.
    script = 'echo $$ > "$0/${PMI_RANK}.part" && mv "$0/${PMI_RANK}.part" "$0/$PMI_RANK" && exec "$@"'
    beeline: list[str | Path] = [BIN / "beeline", "explore", PHILOSOPHERS, "-D", "N=30", "--engine", "mpi"]
    command = [LAUNCHER, "-n", "2", "sh", "-c", script, tmp_path, *beeline]
    with (
        (tmp_path / "output").open("w") as output,
        subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE, text=True) as running,
    ):
        pids = [_read_pid(tmp_path / str(number)) for number in range(2)]
        time.sleep(4)  # until it searches, and native code is made for it
        os.kill(pids[rank], signal.SIGKILL)
        running.communicate(timeout=TIMEOUT)
    _wait_for(tmp_path / "output", "incomplete (a process of the cluster was killed)")
    assert running.returncode != 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def _read_pid(file: Path) -> int:
    while not file.exists():
        time.sleep(0.01)
    return int(file.read_text())


def _wait_for(file: Path, text: str) -> None:
    """What is said when the launcher is gone, in a moment."""
    last = time.monotonic() + TIMEOUT
    while text not in file.read_text():
        assert time.monotonic() < last, file.read_text()
        time.sleep(0.01)
