"""What only a process of its own can show: signals, pipes, terminals and the installed command."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.conftest import MODELS
from tests.cli.test_contract import HUGE

BEELINE = [sys.executable, "-c", "from beeline.cli import main; main()"]


@pytest.fixture
def huge(tmp_path: Path) -> Path:
    file = tmp_path / "huge.py"
    file.write_text(HUGE)
    return file


def say_when_read(file: Path) -> None:
    with file.open("a") as text:
        text.write("import sys\nsys.stderr.write('ready\\n')\nsys.stderr.flush()\n")


@pytest.mark.parametrize(
    "command", [["check", "--search", "bfs"], ["check", "--search", "dfs", "--shrink", "none"], ["explore"]]
)
def test_ctrl_c_gives_what_is_known_and_exits_with_three(huge: Path, command: list[str]) -> None:
    say_when_read(huge)
    arguments = [*BEELINE, *command, str(huge), "--json", "--max-memory", "2G"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "ready\n"
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 3, err
    found = json.loads(out)
    assert found["reason"] == "interrupted"
    stored = found["states"] if command[0] == "explore" else found["states"]["stored"]
    assert stored > 0
    assert err == ""


def test_ctrl_c_while_the_model_is_read_gives_an_object_too(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text("import sys, time\nsys.stderr.write('ready\\n')\nsys.stderr.flush()\ntime.sleep(60)\n")
    arguments = [*BEELINE, "check", str(file), "--json"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    assert process.returncode == 3
    assert json.loads(out)["verdict"] == "unknown"
    assert json.loads(out)["reason"] == "interrupted"


def test_a_reader_that_leaves_early_is_no_fault() -> None:
    command = " ".join(f"'{part}'" for part in [*BEELINE, "simulate", str(MODELS / "peterson.py"), "--steps", "3000"])
    done = subprocess.run(["sh", "-c", f"{command} | head -1"], capture_output=True, text=True, timeout=60)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_progress_is_shown_on_a_terminal_and_nowhere_else(huge: Path) -> None:
    arguments = [*BEELINE, "check", str(huge), "--search", "bfs", "--max-time", "1"]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    ours, theirs = pty.openpty()
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        process.communicate(timeout=60)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert process.returncode == 3
    for word in ("reading", "preparing", "searching", " states  ", "/s", " open  ", "iB  ", " s"):
        assert word in shown, word
    assert shown.endswith("\r\x1b[2K"), "the line is taken back"


@pytest.mark.skipif(not (Path(sys.executable).parent / "beeline").exists(), reason="not installed here")
def test_the_installed_command_works() -> None:
    command = [str(Path(sys.executable).parent / "beeline"), "check", str(MODELS / "jugs.py"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert json.loads(done.stdout)["trace_length"] == 6
