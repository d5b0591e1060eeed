"""``make bench``, ``make bench-full``: the suites one after another, with a report of all.

    python -m benchmarks                        the quick set, about ten minutes
    python -m benchmarks full                   everything, hours
    python -m benchmarks --only 'speed*'        suites by name; --list names them

Each run has a folder in benchmarks/results: runs.jsonl, whose first line tells the machine and the others a command
each; report.md with all tables; and what the runners keep. What needs a program that is not installed is skipped.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path

from benchmarks.folders import KEPT, ROOT
from benchmarks.machine import facts
from benchmarks.suites import SUITES, Command, Suite

LIMITS = {"quick": 300.0, "full": 6 * 3600.0}
"""Seconds for each command; runners have limits of their own for each search."""
NOTHING_THERE = 2
"""The exit status of a runner whose models or tools are not there."""


@dataclass(frozen=True, slots=True)
class Run:
    """One command: `outcome` is done, failed, skipped or stopped, and `said` why it is not done."""

    suite: str
    command: str
    outcome: str
    seconds: float = 0.0
    said: str = ""
    output: str = ""


def runs(suites: list[Suite], size: str, folder: Path) -> Iterator[Run]:
    """All commands of the suites, as they end."""
    for suite in suites:
        missing = [tool for tool in suite.needs if shutil.which(tool) is None]
        for command in suite.commands(size):
            told = shlex.join(("python", "-m", f"benchmarks.{command[0]}", *command[1:]))
            print(f"{suite.name}: {told}", file=sys.stderr, flush=True)
            if missing:
                yield Run(suite.name, told, "skipped", said=f"not installed: {', '.join(missing)}")
            else:
                yield run(suite, command, told, folder, LIMITS[size])


def run(suite: Suite, command: Command, told: str, folder: Path, limit: float) -> Run:
    """One command in a process of its own, on one core unless its suite is about several."""
    core = max(os.sched_getaffinity(0))
    started = time.monotonic()
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", f"benchmarks.{command[0]}", *command[1:]],
            cwd=ROOT,
            env={**os.environ, "BEELINE_RESULTS": str(folder)},
            stdout=output,
            stderr=errors,
            start_new_session=True,
            preexec_fn=None if suite.cores else lambda: os.sched_setaffinity(0, {core}),
        )
        try:
            status = process.wait(limit)
        except (subprocess.TimeoutExpired, KeyboardInterrupt) as ended:
            os.killpg(process.pid, signal.SIGKILL)  # with the searches that it started
            process.wait()
            if isinstance(ended, KeyboardInterrupt):
                raise
            status = None
        seconds = round(time.monotonic() - started, 1)
        output.seek(0)
        errors.seek(0)
        lines = errors.read().strip().splitlines()
        outcome, said = judged(status, lines[-1] if lines else "", limit)
        return Run(suite.name, told, outcome, seconds, said, output.read())


def judged(status: int | None, last: str, limit: float) -> tuple[str, str]:
    """How a command ended, and why if not well; `last` is the last line of its errors."""
    if status is None:
        return "stopped", f"not at its end after {limit:.0f} s"
    if status == 0:
        return "done", ""
    return ("skipped" if status == NOTHING_THERE else "failed"), last or f"exit status {status}"


def report(machine: dict[str, object], done: list[Run]) -> str:
    """Markdown: the machine, what was run, all tables."""
    lines = ["# Measured", "", *(f"- {name}: {value}" for name, value in machine.items()), ""]
    lines += ["| suite | command | outcome | seconds |", "|---|---|---|--:|"]
    lines += [f"| {one.suite} | `{one.command}` | {_outcome(one)} | {one.seconds} |" for one in done]
    for one in done:
        if one.output:
            lines += ["", f"## {one.suite}", "", f"`{one.command}`", "", one.output.strip()]
    return "\n".join(lines) + "\n"


def _outcome(one: Run) -> str:
    return one.outcome + (f": {one.said}" if one.said else "")


def main() -> int:
    parser = argparse.ArgumentParser(
        "python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("size", nargs="?", choices=tuple(LIMITS), default="quick")
    parser.add_argument("--only", default="*", help="a pattern for names of suites")
    parser.add_argument("--list", action="store_true", help="name the suites and run nothing")
    options = parser.parse_args()
    chosen = [suite for suite in SUITES if fnmatch(suite.name, options.only) and suite.commands(options.size)]
    if options.list or not chosen:
        print("\n".join(f"{suite.name:22}{suite.about}" for suite in (chosen or SUITES)))
        return 0 if chosen else 2
    folder = KEPT / time.strftime(f"{options.size}-%Y%m%d-%H%M%S")
    folder.mkdir(parents=True)
    machine = facts()
    done: list[Run] = []
    with (folder / "runs.jsonl").open("w", buffering=1) as file:
        file.write(json.dumps(machine) + "\n")
        for one in runs(chosen, options.size, folder):
            done.append(one)
            file.write(json.dumps(asdict(one)) + "\n")
            (folder / "report.md").write_text(report(machine, done))
            print(f"{one.output.strip()}\n\n{one.suite}: {_outcome(one)}, {one.seconds} s\n", flush=True)
    print(folder / "report.md")
    return 1 if any(one.outcome == "failed" for one in done) else 0


if __name__ == "__main__":
    sys.exit(main())
