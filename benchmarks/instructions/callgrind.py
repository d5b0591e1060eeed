"""Runs the rows under callgrind, and reads what the engine's own code executed from what callgrind writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.instructions.rows import MARKER, ROWS

ENGINE = "_native"


@dataclass(frozen=True, slots=True)
class Count:
    """States stored by one search, and instructions of the engine."""

    states: int
    instructions: int


class CallgrindFailed(RuntimeError):
    """The rows did not run to their end."""


def count() -> dict[str, Count]:
    """All rows in one process, since Python's start takes longest."""
    with tempfile.TemporaryDirectory(prefix="beeline-instructions-") as folder:
        profile, states = Path(folder) / "profile", Path(folder) / "states"
        command = ["valgrind", "--tool=callgrind", f"--dump-before={MARKER}", f"--callgrind-out-file={profile}"]
        command += ["--compress-strings=no", sys.executable, "-m", "benchmarks.instructions.rows", str(states)]
        # The order of Python's sets is that of their hashes; some tables of a program are built from sets.
        done = subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise CallgrindFailed(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr[-1000:]}")
        stored = json.loads(states.read_text())
        # What comes before the first mark, Python's start, is in the first part.
        parts = [profile.with_name(f"profile.{number}") for number in range(2, len(ROWS) + 2)]
        return {row.name: Count(stored[row.name], _read(part)) for row, part in zip(ROWS, parts, strict=True)}


def _read(part: Path) -> int:
    with part.open(errors="replace") as lines:
        return engine_instructions(lines)


def engine_instructions(lines: Iterable[str]) -> int:
    """Instructions within the engine's object in a profile of callgrind. A line of costs is a position and a number;
    the one that follows `calls=` repeats what was spent in the called function, and is counted there."""
    within = called = False
    total = 0
    for line in lines:
        if line.startswith("ob="):
            within = ENGINE in Path(line[3:]).name
        elif line.startswith("calls="):
            called = True
        elif line[:1] in "0123456789+-*":
            if within and not called and line.strip():
                total += int(line.split()[1])
            called = False
    return total
