"""`beeline run`: all checks of a project, each in a process of its own, with one table at the end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import click

from beeline.cli import guard
from beeline.cli.main import HOLDS, INTERNAL, UNKNOWN, USAGE, VIOLATED
from beeline.cli.project import Project, Task, read_project
from beeline.cli.reports import check_writable, report
from beeline.columns import look
from beeline.engine.limits import default_memory
from beeline.model.source import Source
from beeline.report.junit import to_junit
from beeline.report.sarif import to_sarif
from beeline.report.verdicts import Case
from beeline.trace import Trace, TraceStep
from beeline.trace.table import to_table

GRACE = 30.0  # seconds beyond its time limit that a check may take to start, replay and end
BEGIN = [sys.executable, "-c", "from beeline.start import command; command()", "check", "--json"]


@click.command("run")
@click.argument("project", default=".", type=click.Path())
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Checks at once [default: as many as processors].")
@click.option("--only", metavar="PATTERN", help="Models whose path fits, such as '*/leader*'.")
@click.option("--junit", type=click.Path(dir_okay=False, writable=True), metavar="FILE", help="Write a JUnit report.")
@click.option("--sarif", type=click.Path(dir_okay=False, writable=True), metavar="FILE", help="Write a SARIF log.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def run_project(
    project: str, jobs: int | None, only: str | None, junit: str | None, sarif: str | None, as_json: bool
) -> int:
    """Check all that beeline.toml in the folder PROJECT asks for.

    Exit codes: 0 everything as expected, 1 another verdict than expected, 2 a model or the project has a mistake,
    3 some checks ended at a limit, 4 internal error."""
    check_writable("--junit", junit)
    check_writable("--sarif", sarif)
    found = read_project(Path(project))
    tasks = [task for task in found.tasks if only is None or fnmatch(_shown(task.file), only)]
    if not tasks:
        raise click.UsageError(f"no model fits '{only}'")
    cases = check_all(tasks, _jobs(found, jobs), _told if sys.stderr.isatty() and not as_json else None)
    guard.answer = exit_code(cases)
    if as_json:
        click.echo(json.dumps({"ok": all(case.as_expected for case in cases), "cases": [_object(c) for c in cases]}))
    else:
        _show(cases)
    for option, target, text in (("--junit", junit, to_junit), ("--sarif", sarif, to_sarif)):
        if target is not None:
            with report(option):
                Path(target).write_text(text(cases), encoding="utf-8")
    return guard.answer


def _jobs(project: Project, asked: int | None) -> int:
    return asked or project.jobs or len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else [0]) or 1


def _told(case: Case) -> None:
    click.echo(f"{case.model}  {case.asked}: {_word(case, case.verdict)}", err=True)


def check_all(tasks: Sequence[Task], jobs: int, told: Callable[[Case], None] | None = None) -> list[Case]:
    """What became of each task, in their order. Ctrl-C ends the processes."""
    runner = _Runner(default_memory() // max(1, min(jobs, len(tasks))))

    def one(task: Task) -> Case:
        case = runner.run(task)
        if told is not None:
            told(case)
        return case

    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(one, task) for task in tasks]
        try:
            return [future.result() for future in futures]
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

    def run(self, task: Task) -> Case:
        arguments = list(task.arguments)
        if not task.has_memory:
            arguments.append(f"--max-memory={max(self.memory, 2**26)}")  # shared fairly among the jobs
        begun = time.monotonic()
        with self.lock:
            if self.stopped:
                return _failed(task, "interrupted", 0.0)
            process = subprocess.Popen(
                [*BEGIN, *arguments, "--", _shown(task.file)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
            self.running.add(process)
        try:
            limit = None if task.max_time is None else task.max_time + GRACE
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return _failed(task, "did not end at its time limit", time.monotonic() - begun)
        finally:
            with self.lock:
                self.running.discard(process)
        return _case(task, process.returncode, out, err, time.monotonic() - begun)


def _case(task: Task, code: int, out: str, err: str, seconds: float) -> Case:
    if code in (HOLDS, VIOLATED, UNKNOWN):
        try:
            return _answered(task, json.loads(out))
        except (ValueError, KeyError, TypeError):
            return _failed(task, "internal error: no result", seconds)
    said = err.strip().removeprefix("error: ") or (f"killed by signal {-code}" if code < 0 else "no reason given")
    return _failed(task, said if code == USAGE else f"internal error: {said}", seconds)


def _failed(task: Task, reason: str, seconds: float) -> Case:
    first, _, rest = reason.partition("\n")
    model = _shown(task.file)
    return Case(model, task.name or "model", "error", first, seconds, task.expected, source=Source(model), details=rest)


def _answered(task: Task, told: dict[str, Any]) -> Case:
    """The case of an answer; an unexpected length or number of states is not the expected verdict either."""
    trace = trace_of(told)
    length, states = told["trace_length"], told["states"]["stored"]
    reason = told["reason"]
    expected = task.expected
    for what, wanted, got in (("steps", task.length, length), ("states", task.states, states)):
        if wanted is not None and got != wanted and told["verdict"] == expected:
            reason, expected = f"{got} {what} instead of {wanted}", f"{expected}, {wanted} {what}"
    places = [step.source for step in trace.steps if step.source.line] if trace is not None else []
    model = _shown(task.file)
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
        places[-1] if places else Source(model),
        "" if trace is None else to_table(trace),
    )


def trace_of(told: dict[str, Any]) -> Trace | None:
    """The trace inside a result that was written with ``--json``."""
    if told.get("trace") is None:
        return None
    steps = []
    for step in told["trace"]:
        place = step.get("source") or {}
        source = Source(place.get("file") or "", place.get("line") or 0, place.get("column") or 0)
        changes = {name: (before, after) for name, (before, after) in step["changes"].items()}
        partners = tuple((one["process"], one["action"]) for one in step["partners"])
        steps.append(
            TraceStep(step["step"], step["process"], step["action"], changes, source, partners,
                      tuple(step["output"]), step["error"] or "")
        )  # fmt: skip
    return Trace(told.get("initial") or {}, tuple(steps))


def exit_code(cases: Sequence[Case]) -> int:
    """The worst that happened."""
    wrong = [case for case in cases if not case.as_expected]
    if any(case.verdict == "error" and case.reason.startswith("internal error") for case in wrong):
        return INTERNAL
    if any(case.verdict == "error" for case in wrong):
        return USAGE
    if any(case.verdict != "unknown" for case in wrong):
        return VIOLATED
    return UNKNOWN if wrong else HOLDS


def _shown(file: Path) -> str:
    """A path as a person in this folder would write it."""
    try:
        return os.path.relpath(file)
    except ValueError:  # another drive
        return str(file)


# What a person sees


def _show(cases: Sequence[Case]) -> None:
    how = look()
    rows = [("", "model", "property", "verdict", "expected", "steps", "states", "time")]
    for case in cases:
        rows.append(
            (
                "ok" if case.as_expected else "WRONG",
                case.model,
                case.asked,
                _word(case, case.verdict),
                _word(case, case.expected),
                "" if case.length is None else str(case.length),
                f"{case.states:,}" if case.states else "",
                f"{case.seconds:.2f} s",
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for number, row in enumerate(rows):
        line = "  ".join(
            cell.rjust(width) if i >= 5 else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        colour = None if number == 0 else "green" if row[0] == "ok" else "red"
        click.echo(click.style(line, fg=colour, bold=number == 0) if how.colour else line, color=how.colour)
    wrong = [case for case in cases if not case.as_expected]
    for case in wrong:
        click.echo(f"\n{case.model}, {case.asked}: {_word(case, case.verdict)}, "
                   f"expected {_word(case, case.expected)}: {case.reason}")  # fmt: skip
        if case.details and case.verdict == "error":
            click.echo(case.details)
    click.echo(f"\n{len(cases)} checks, {len(cases) - len(wrong)} as expected, {len(wrong)} not")


def _word(case: Case, verdict: str) -> str:
    """Goals are reached or not; everything else holds or is violated."""
    words = {"holds": "reached", "violated": "unreachable"} if case.kind == "goal" else {}
    return words.get(verdict, verdict)


def _object(case: Case) -> dict[str, Any]:
    return {
        "model": case.model,
        "property": case.asked,
        "property_kind": case.kind or None,
        "verdict": case.verdict,
        "expected": case.expected,
        "ok": case.as_expected,
        "reason": case.reason,
        "trace_length": case.length,
        "states": case.states,
        "time_s": case.seconds,
        "source": {"file": case.source.file, "line": case.source.line or None},
    }
