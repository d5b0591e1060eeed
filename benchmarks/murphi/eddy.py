"""Murphi models by threads and by processes that share the states, as Eddy's runs were: the same counts as by one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.beem.tables import grouped, table
from benchmarks.murphi.models import SMALL, with_constants

BIN = Path(sys.executable).parent
COUNTS = ("states", "transitions", "depth", "deadlocks", "errors")
WAYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "2 threads": ((), ("--threads", "2")),
    "4 threads": ((), ("--threads", "4")),
    "2 processes": ((str(BIN / "mpiexec"), "-n", "2"), ("--engine", "mpi")),
    "4 processes": ((str(BIN / "mpiexec"), "-n", "4"), ("--engine", "mpi")),
    "4 processes, lines of 7 states": ((str(BIN / "mpiexec"), "-n", "4"), ("--engine", "mpi:line=7")),
}
"""What starts the command, and its options."""


def counts(path: Path, launcher: Sequence[str], options: Sequence[str]) -> tuple[int, ...]:
    """What `explore` counts; nothing where it says nothing."""
    done = subprocess.run(
        [*launcher, str(BIN / "beeline"), "explore", str(path), "--json", *options],
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    return tuple(found[name] for name in COUNTS if name in found)


def eddy(symmetry: str) -> str:
    """Counts by one thread, and for each other way whether they are the same."""
    folded = ("--symmetry", symmetry)
    rows = []
    for model, constants in SMALL:
        with with_constants(model, constants) as path:
            alone = counts(path, (), folded)
            others = [counts(path, launcher, (*options, *folded)) for launcher, options in WAYS.values()]
        same = ("same" if other == alone else f"{other or 'no answer'}" for other in others)
        rows.append((" ".join([model, *constants]), *map(grouped, alone[:3]), *same))
        print(" | ".join(rows[-1]), flush=True)
    return table(("model", "states", "firings", "depth", *WAYS), rows)
