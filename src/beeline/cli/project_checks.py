"""The checks of a project, each in a process of its own, and the cases that they make."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from beeline.cli.main import HOLDS, UNKNOWN, USAGE, VIOLATED
from beeline.cli.project import Task
from beeline.engine.limits import default_memory
from beeline.model.source import Source
from beeline.report.objects import read_trace
from beeline.report.verdicts import Case, place_of

GRACE = 30.0  # seconds beyond its time limit that a check may take to start, replay and end
BEGIN = [sys.executable, "-c", "from beeline.start import command; command()", "check", "--json"]


def check_all(tasks: Sequence[Task], jobs: int, told: Callable[[Case], None] | None = None) -> list[Case]:
    """The cases of each task, in their order. Ctrl-C ends the processes."""
    runner = _Runner(default_memory() // max(1, min(jobs, len(tasks))))

    def one(task: Task) -> list[Case]:
        cases = runner.run(task)
        if told is not None:
            for case in cases:
                told(case)
        return cases

    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(one, task) for task in tasks]
        try:
            return [case for future in futures for case in future.result()]
        except BaseException:
            for future in futures:
                future.cancel()
            runner.stop()
            raise


class _Runner:
    """Starts processes, and can end those that run."""

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self.running: set[subprocess.Popen[str]] = set()
        self.lock = threading.Lock()
        self.stopped = False

    def stop(self) -> None:
        with self.lock:
            self.stopped = True
            for process in self.running:
                process.kill()

    def run(self, task: Task) -> list[Case]:
        arguments = list(task.arguments)
        if not task.has_memory:
            arguments.append(f"--max-memory={max(self.memory, 2**26)}")  # shared fairly among the jobs
        begun = time.monotonic()
        with self.lock:
            if self.stopped:
                return [_failed(task, "interrupted", 0.0)]
            process = subprocess.Popen(
                [*BEGIN, *arguments, "--", shown(task.file)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                env={**os.environ, "GITHUB_ACTIONS": ""},  # one summary for all
            )
            self.running.add(process)
        try:
            limit = None if task.max_time is None else task.max_time + GRACE
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return [_failed(task, "did not end at its time limit", time.monotonic() - begun)]
        finally:
            with self.lock:
                self.running.discard(process)
        return _cases(task, process.returncode, out, err, time.monotonic() - begun)


def _cases(task: Task, code: int, out: str, err: str, seconds: float) -> list[Case]:
    """What became of a task: a case for each answer."""
    if code in (HOLDS, VIOLATED, UNKNOWN):
        try:
            return [_answered(task, told) for told in _answers(task, json.loads(out))]
        except (ValueError, KeyError, TypeError):
            return [_failed(task, "internal error: no result", seconds)]
    said = err.strip().removeprefix("error: ") or (f"killed by signal {-code}" if code < 0 else "no reason given")
    return [_failed(task, said if code == USAGE else f"internal error: {said}", seconds)]


def _failed(task: Task, reason: str, seconds: float) -> Case:
    first, _, rest = reason.partition("\n")
    model = shown(task.file)
    return Case(model, task.name or "model", "error", first, seconds, task.expected, source=Source(model), details=rest)


def _answers(task: Task, told: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers that count: all that a model asks are to hold; where something else is expected of it as a whole,
    that is the answer that matters most."""
    if task.asked or task.expected != "holds":
        return [told]
    found = {one["property"]: one for one in (told, *told["others"])}
    return [found[answer["property"]] for answer in told["answers"]]


def _answered(task: Task, told: dict[str, Any]) -> Case:
    """The case of an answer; an unexpected length or number of states is not the expected verdict either."""
    trace = read_trace(told)
    length, states = told["trace_length"], told["states"]["stored"]
    reason = told["reason"]
    expected = task.expected
    for what, wanted, got in (("steps", task.length, length), ("states", task.states, states)):
        if wanted is not None and got != wanted and told["verdict"] == expected:
            reason, expected = f"{got} {what} instead of {wanted}", f"{expected}, {wanted} {what}"
    model = shown(task.file)
    return Case(
        model,
        task.name or told["property"],
        told["verdict"],
        reason,
        told["time_s"],
        expected,
        told["property_kind"],
        length,
        states,
        place_of(trace, model),
        details=told["certificate_text"],
        trace=trace,
    )


def shown(file: Path) -> str:
    """A path as a person in this folder would write it."""
    try:
        return os.path.relpath(file)
    except ValueError:  # another drive
        return str(file)
