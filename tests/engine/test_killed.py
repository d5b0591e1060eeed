"""A search that is ended from outside, at any moment, leaves no file behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

MODEL = Path(__file__).parents[2] / "models" / "promela" / "peterson.pml"
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]


def killed(folder: Path, dice: random.Random) -> int:
    """The exit status of an exploration that is sent a signal after a short while, with all folders in `folder`."""
    places = {name: str(folder) for name in ("TMPDIR", "HOME", "XDG_CACHE_HOME")}
    command = [str(Path(sys.executable).with_name("beeline")), "explore", str(MODEL), "-D", "N=5"]
    command += ["--threads", str(dice.randint(1, 2))]
    process = subprocess.Popen(
        command, cwd=folder, env={**os.environ, **places}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(dice.uniform(0.05, 1.5))
    process.send_signal(dice.choice(SIGNALS))
    return process.wait(timeout=60)


def check_kills(folder: Path, runs: int) -> None:
    dice = random.Random(runs)
    ends = [killed(folder, dice) for _ in range(runs)]
    assert any(end in (-signal.SIGTERM, -signal.SIGKILL) for end in ends), ends
    assert list(folder.iterdir()) == []


def test_searches_ended_by_signals_leave_nothing_behind(tmp_path: Path) -> None:
    check_kills(tmp_path, 4)


@pytest.mark.slow
def test_fifty_searches_ended_by_signals_leave_nothing_behind(tmp_path: Path) -> None:
    check_kills(tmp_path, 50)
