"""Runs searches apart from everything else, and commands on one core, with the processor time that they took."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of processor time, and what was printed."""

    seconds: float
    output: str


class CommandFailed(RuntimeError):
    """A command that had to succeed did not."""


def search_alone(file: Path, *words: str) -> list[str]:
    """The command that explores a model, with macros and options in `words`, and tells what the search took."""
    return [sys.executable, "-m", "benchmarks.speed.search_alone", str(file), *words]


def explore_alone(file: Path, *words: str) -> dict[str, Any]:
    """What that command tells: states, transitions, bytes, and seconds of the engine, without limits."""
    done = subprocess.run(search_alone(file, *words), capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def timed(
    command: Sequence[str],
    core: int | None,
    folder: Path | None = None,
    expected: Sequence[int] = (0,),
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Timing:
    """Runs a command pinned to `core`, if one is given. Processor time, so that others on the machine change little.
    Python may keep its bytecode, as it does for everyone who installs a program."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment.update(variables)
    with subprocess.Popen(
        list(command),
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=None if core is None else lambda: os.sched_setaffinity(0, {core}),
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in expected:
        raise CommandFailed(f"{' '.join(command)}: exit status {process.returncode}\n{output[-500:]}")
    return Timing(used.ru_utime + used.ru_stime, output)
