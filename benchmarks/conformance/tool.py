"""Runs Beeline on one model through its command line, and reads the JSON objects that the contract promises."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from .corpus import ROOT

HOLDS, VIOLATED, BAD_MODEL, UNKNOWN, INTERNAL = 0, 1, 2, 3, 4


@dataclasses.dataclass(frozen=True)
class ToolLimits:
    """What one run of Beeline may use."""

    time_s: float = 30
    memory: str = "2G"


@dataclasses.dataclass(frozen=True)
class Answer:
    """An exit status, the JSON object if there was one, and the first line of what else was said."""

    status: int
    values: dict[str, Any]
    message: str = ""

    @property
    def refused(self) -> bool:
        """Whether the model was not accepted."""
        return self.status == BAD_MODEL


class Runner(Protocol):
    """Anything that takes the arguments of the command line and returns status, output and messages."""

    def __call__(self, arguments: Sequence[str], time_s: float) -> tuple[int, str, str]:
        """Runs one command."""
        ...


def default_command() -> list[str]:
    """The project's own `beeline`, else the one on the path."""
    own = ROOT / ".venv" / "bin" / "beeline"
    return [str(own)] if own.exists() else ["beeline"]


class Command:
    """Runs Beeline as a process of its own."""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        self.command = list(command or default_command())

    def __call__(self, arguments: Sequence[str], time_s: float) -> tuple[int, str, str]:
        """Runs one command; a process that outlives its own limit by far is stopped and counts as a fault."""
        try:
            done = subprocess.run(
                [*self.command, *arguments],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=3 * time_s + 60,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return INTERNAL, "", "did not stop at its time limit"
        return done.returncode, done.stdout, done.stderr


class Inside:
    """Runs Beeline in this process: no start-up time, which matters for a thousand small programs."""

    def __call__(self, arguments: Sequence[str], time_s: float) -> tuple[int, str, str]:
        """Runs one command with standard output and error caught."""
        from beeline.cli.main import main

        output, messages = io.StringIO(), io.StringIO()
        status = 0
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(messages):
            try:
                main(list(arguments))
            except SystemExit as leaving:
                status = leaving.code if isinstance(leaving.code, int) else int(bool(leaving.code))
        return status, output.getvalue(), messages.getvalue()


class Beeline:
    """Asks Beeline the two questions that SPIN was asked.

    >>> Beeline().explore(Path("models/promela/counters.pml")).values["states"]  # doctest: +SKIP
    10000
    """

    def __init__(self, runner: Runner | None = None, limits: ToolLimits | None = None) -> None:
        self.runner = runner or Command()
        self.limits = limits or ToolLimits()

    def explore(self, path: Path, macros: Sequence[str] = (), time_s: float | None = None) -> Answer:
        """`beeline explore`: the number of states."""
        return self.ask("explore", path, macros, time_s)

    def check(self, path: Path, macros: Sequence[str] = (), time_s: float | None = None, search: str = "bfs") -> Answer:
        """`beeline check`: the verdict and the length of the trace, which is the shortest unless asked otherwise."""
        return self.ask("check", path, [*macros, "--search", search], time_s)

    def ask(self, what: str, path: Path, options: Sequence[str] = (), time_s: float | None = None) -> Answer:
        """Any command about a model, with options; a file whose suffix tells nothing is taken for Promela."""
        time_s = self.limits.time_s if time_s is None else time_s
        limits = ["--max-time", str(time_s), "--max-memory", self.limits.memory]
        language = {".dve": "dve", ".m": "murphi"}.get(path.suffix, "promela")
        arguments = [what, str(path), "--language", language, *options, *limits, "--json"]
        try:
            status, output, messages = self.runner(arguments, time_s)
        except FileNotFoundError as missing:
            print(f"cannot run {missing.filename}: build Beeline first or give --beeline", file=sys.stderr)
            raise SystemExit(2) from missing
        lines = [line for line in messages.splitlines() if line.strip()]
        try:
            values = json.loads(output) if output.strip() else {}
        except json.JSONDecodeError:
            return Answer(INTERNAL, {}, "the output is not one JSON object: " + output[:100])
        return Answer(status, values, lines[0] if lines else "")
