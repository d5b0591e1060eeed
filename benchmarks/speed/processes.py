"""Runs a command on one core and tells the processor time that it and its children took."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of processor time, and what was printed."""

    seconds: float
    output: str


class CommandFailed(RuntimeError):
    """A command that had to succeed did not."""


def timed(command: Sequence[str], core: int, folder: Path | None = None, expected: Sequence[int] = (0,)) -> Timing:
    """Runs a command pinned to `core`. Processor time, so that others on the machine change little. Python may keep its
    bytecode, as it does for everyone who installs a program."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(
        list(command),
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
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
