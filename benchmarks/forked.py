"""Runs commands in copies of this process, in which all modules are there already, within processor time.

For machines with other work, where the clock says little, and for many short runs: the start of Python is left out.
"""

from __future__ import annotations

import json
import math
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn

from benchmarks.beem.measure import Limits, Record
from benchmarks.folders import ROOT

SLACK = 60
"""So many times as many seconds of the clock."""
PRINTED = "printed"
WARMING = ("promela/leader.pml", "dve/mailbox_race.dve", "uppaal/fischer_b_3_faulty.xta", "murphi/peterson.m")
"""Models in whose languages the others are."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that came to an end, or to the end of its processor time."""

    printed: str
    killed: bool
    processor_s: float


def check(file: Path, asked: str | None, limits: Limits, options: Sequence[str]) -> Record:
    """What `benchmarks.beem.measure.check_with` gives, with seconds of processor time as limit and as `elapsed_s`."""
    wanted = [] if asked is None else ["--property", asked]
    told = ["--json", "--max-time", str(SLACK * limits.seconds), "--max-memory", limits.memory]
    begun = time.monotonic()
    ended = command(["check", str(file.absolute()), *wanted, *options, *told], math.ceil(limits.seconds))
    try:
        answer: Record = json.loads(ended.printed)
    except json.JSONDecodeError:
        answer = {"verdict": "unknown"} if ended.killed else {"verdict": "refused", "failed": "refused"}
    answer.pop("trace", None)
    taken = {"elapsed_s": round(ended.processor_s, 3), "clock_s": round(time.monotonic() - begun, 3)}
    return {**answer, **taken, "limit_s": limits.seconds, "limit_memory": limits.memory}


def command(arguments: Sequence[str], seconds: int) -> Ended:
    """A command line, with so many seconds of processor time."""

    def act() -> None:
        from beeline.cli import main

        sys.argv = ["beeline", *arguments]
        main()

    return copy(act, seconds)


def copy(act: Callable[[], None], seconds: int) -> Ended:
    """Has a copy of this process do something, with so many seconds of processor time, and tells what it printed."""
    warm()
    with tempfile.TemporaryDirectory() as folder:  # a way that could not be replayed in time is left there
        process = os.fork()
        if process == 0:
            _do(act, folder, seconds)
        _, status, used = os.wait4(process, 0)
        return Ended(Path(folder, PRINTED).read_text(), os.WIFSIGNALED(status), used.ru_utime + used.ru_stime)


def _do(act: Callable[[], None], folder: str, seconds: int) -> NoReturn:
    """What the copy does; it does not come back."""
    try:
        os.chdir(folder)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        os.dup2(os.open(PRINTED, os.O_WRONLY | os.O_CREAT), 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        act()
    finally:
        sys.stdout.flush()
        os._exit(0)


@cache
def warm() -> None:
    """Has the modules read that runs need."""
    from beeline import check

    for model in WARMING:
        str(check(ROOT / "models" / model, search="auto"))
