"""The fuzz of command lines finds nothing in a sample, and would find what it looks for."""

import signal
from pathlib import Path
from random import Random

import pytest
from benchmarks.commands.__main__ import campaign
from benchmarks.commands.judge import Done, came_too_soon, faults, run
from benchmarks.commands.lines import Line, make_line

LINE = Line(("check", "model.pml"), (), seconds=1.0, memory=200 * 2**20)
FINE = Done(0, "safety: holds (exhausted)\n", "", 1.5, 1.0, 50 * 2**20)


def test_a_sample_of_commands_has_no_fault() -> None:
    assert campaign(runs=12, seed=2026) == []


def test_a_command_that_keeps_its_limits_has_no_fault() -> None:
    assert faults(LINE, FINE) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"code": 4}, "exit code 4"),
        ({"code": -6}, "exit code -6"),
        ({"err": "Traceback (most recent call last):\n  ..\nKeyError: 1\n"}, "KeyError: 1"),
        ({"err": "internal error: AssertionError\nThis is a fault of Beeline"}, "internal error"),
        ({"seconds": 9.0}, "9.0 s under a limit of 1.0 s"),
        ({"processor": 4.0}, "4.0 s of processor time under a limit of 1.0 s"),
        ({"memory": 300 * 2**20}, "300 MiB under a limit of 200 MiB"),
    ],
)
def test_each_kind_of_fault_is_seen(change: dict[str, object], fault: str) -> None:
    fields = {name: getattr(FINE, name) for name in ("code", "out", "err", "seconds", "processor", "memory")}
    assert fault in faults(LINE, Done(**{**fields, **change}))[0]


def test_the_memory_of_the_process_that_starts_a_command_is_not_the_commands() -> None:
    held = b"x" * (400 * 2**20)
    assert 0 < run(Line(("--help",), (), seconds=1.0)).memory < len(held)


def test_only_a_signal_before_our_first_line_may_kill_the_process() -> None:
    line = Line(("check", "model.pml"), (), seconds=1.0, signal=(signal.SIGTERM, 0.0))
    killed = Done(-signal.SIGTERM, "", "", 0.1, 0.1, 10 * 2**20)
    assert came_too_soon(line, killed)
    assert not came_too_soon(LINE, killed)
    interrupted = Line(("check", "model.pml"), (), seconds=1.0, signal=(signal.SIGINT, 0.0))
    for place, soon in (("<frozen site>", True), ("/src/beeline/cli/main.py", False)):
        modules = "install({'beeline.cli': '/src/beeline/cli/main.py'})"
        said = f'  File "{place}", line 1\n    {modules}\nKeyboardInterrupt\n'
        assert came_too_soon(interrupted, Done(1, "", said, 0.1, 0.1, 10 * 2**20)) == soon
    assert not came_too_soon(line, Done(-signal.SIGTERM, "safety: holds\n", "", 1.0, 1.0, 2**20))


def test_a_seed_always_makes_the_same_command(tmp_path: Path) -> None:
    assert [make_line(tmp_path, Random(f"7/{i}")) for i in range(20)] == [
        make_line(tmp_path, Random(f"7/{i}")) for i in range(20)
    ]
