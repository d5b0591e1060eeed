"""Runs `beeline` on one model at a time, each in a process of its own, and keeps what it answers."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.folders import RESULTS

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use."""

    seconds: float = 60.0
    memory: str = "4G"


def explore(file: Path, limits: Limits) -> Record:
    """The one object that ``beeline explore --json`` prints, or a record with ``failed``."""
    return _run(["explore", str(file.absolute())], limits)


def check(file: Path, asked: str, limits: Limits, search: str = "bfs") -> Record:
    """The one object that ``beeline check --json`` prints, or a record with ``failed``."""
    return check_with(file, asked, limits, ["--search", search])


def check_with(file: Path, asked: str | None, limits: Limits, options: Sequence[str]) -> Record:
    """The same with any options; without `asked` it is what the model says."""
    wanted = [] if asked is None else ["--property", asked]
    return _run(["check", str(file.absolute()), *wanted, *options], limits)


def _run(arguments: list[str], limits: Limits) -> Record:
    command = [str(Path(sys.executable).with_name("beeline")), *arguments, "--json"]
    command += ["--max-time", str(limits.seconds), "--max-memory", limits.memory]
    started = time.monotonic()
    try:
        # The engine keeps its own limits; this one only catches a run that does not.
        with tempfile.TemporaryDirectory() as folder:  # a way that could not be replayed in time is left there
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, timeout=limits.seconds * 2 + 60, check=False
            )
    except subprocess.TimeoutExpired:
        return {"failed": f"no answer after {limits.seconds * 2 + 60:.0f} s"}
    elapsed = round(time.monotonic() - started, 2)
    try:
        answer: Record = json.loads(done.stdout)
    except json.JSONDecodeError:
        said = done.stderr.strip().splitlines()
        return {"failed": said[0] if said else f"exit code {done.returncode}", "elapsed_s": elapsed}
    answer.pop("trace", None)
    return {**answer, "elapsed_s": elapsed, "limit_s": limits.seconds, "limit_memory": limits.memory}


class Notebook:
    """Results by key in one JSON file, written after every run so that a long series can be resumed."""

    def __init__(self, name: str, again: bool = False) -> None:
        self.file = RESULTS / f"{name}.json"
        self.records: dict[str, Record] = {}
        if self.file.is_file() and not again:
            self.records = json.loads(self.file.read_text())

    def fill(self, key: str, measure: Callable[[], Record], limits: Limits | None = None) -> Record:
        """The record of `key`, measured now if it is not there, was an accident, or has no answer and now may have more
        time. (What was answered within a limit is answered within a larger one.)"""
        record = self.records.get(key)
        if record is None or _accident(record) or (limits is not None and _open_at_less(record, limits)):
            self.records[key] = measure()
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text(json.dumps(self.records, indent=1))
        return self.records[key]


def _accident(record: Record) -> bool:
    """A fault of ours, or a run that somebody ended."""
    return str(record.get("failed", "")).startswith(("internal error", "exit code -"))


def _open_at_less(record: Record, limits: Limits) -> bool:
    """No answer, though with less time."""
    return record.get("verdict") == "unknown" and record.get("limit_s", limits.seconds) < limits.seconds
