"""The front end: suites name runners that exist, and every end of a command is told."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path

import pytest
from benchmarks.machine import facts
from benchmarks.plots.results import read
from benchmarks.suites import SUITES, Suite

from benchmarks import __main__ as front


def test_every_suite_names_a_runner() -> None:
    commands = [command for suite in SUITES for size in front.LIMITS for command in suite.commands(size)]
    assert commands
    for command in commands:
        assert importlib.util.find_spec(f"benchmarks.{command[0]}") is not None, command
    assert all(suite.full for suite in SUITES) and any(suite.quick for suite in SUITES)


def test_what_the_machine_is_can_be_written() -> None:
    told = json.loads(json.dumps(facts()))
    assert told["cores"] >= 1 and told["memory"] > 2**20 and told["python"] == sys.version.split()[0]
    assert {name for name, version in told["tools"].items() if version} == {
        name for name in told["tools"] if shutil.which(name)
    }


@pytest.mark.parametrize(
    ("status", "outcome", "said"),
    [
        (0, "done", ""),
        (1, "failed", "the last line"),
        (2, "skipped", "the last line"),
        (-9, "failed", "the last line"),
        (None, "stopped", "not at its end after 5 s"),
    ],
)
def test_every_end_has_a_name(status: int | None, outcome: str, said: str) -> None:
    assert front.judged(status, "the last line", 5) == (outcome, said)


def test_a_suite_without_its_program_is_skipped_by_name(tmp_path: Path) -> None:
    suite = Suite("peer", "a tool of nobody", (("speed",),), needs=("no-such-program",))
    (run,) = front.runs([suite], "quick", tmp_path)
    assert (run.outcome, run.said) == ("skipped", "not installed: no-such-program")


def test_results_go_into_the_folder_of_the_run(tmp_path: Path) -> None:
    quick = ("directed", "families", "--only", "hanoi 4", "--configurations", "[bg]*s", "--time", "5")
    (run,) = front.runs([Suite("directed", "one instance", (quick,))], "quick", tmp_path)
    assert run.outcome == "done" and "| hanoi 4 |" in run.output
    assert read(tmp_path, "directed-families")["states"]["bfs"]["hanoi 4"]
    text = front.report({"cores": 2}, [run])
    assert "- cores: 2" in text and "| directed | `python -m benchmarks.directed families" in text


def test_a_command_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    command = ("directed", "families", "--only", "hanoi 4")
    run = front.run(Suite("slow", "too slow", (command,)), command, "told", tmp_path, 0.01)
    assert run.outcome == "stopped"
