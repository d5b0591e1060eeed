"""One check in a process of its own, and the models and the formula that are measured."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.speed.models import LARGE, Model
from benchmarks.speed.processes import timed

NAME = "live"
FORMULA = "[]<> (_nr_pr > 0)"
"""Every run satisfies it: the product is as large as the model."""
MOST_STATES = 12_000_000


def passes(before: str, after: str, between: str) -> str:
    """What goes again and again from one side to the other passes what lies between."""
    return f"([]<> ({before}) && []<> ({after})) -> []<> ({between})"


def settles(condition: str) -> str:
    """A condition that holds again and again holds for ever from some time on."""
    return f"[]<> ({condition}) -> <>[] ({condition})"


def started(processes: int) -> str:
    """More processes than these are there from some time on. Only the states before that are accepting, and what comes
    behind goes round for ever: the second search has to go through all of it."""
    return f"<>[] (_nr_pr > {processes})"


HOLDING = (
    (Model("steam_generators.pml", ("N=8",), 0), started(3)),
    (Model("giop.pml", ("N=2", "M=2", "CALLS=1", "FIXED"), 0), started(3)),
    (Model("pipeline.pml", (), 0), passes("len(pipe[1]) == 0", "len(pipe[1]) == 2", "len(pipe[1]) == 1")),
    (Model("sieve.pml", ("N=30",), 0), "<>[] (primes == 10)"),
    (
        Model("philosophers_response.pml", ("N=12",), 0),
        passes("mood[0] == thinking", "mood[0] == eating", "mood[0] == hungry"),
    ),
    (Model("sliding_window.pml", ("N=6",), 0), passes("len(data) == 0", "len(data) == 2", "len(data) == 1")),
    (Model("job_queue.pml", ("N=3", "JOBS=8"), 0), settles("finished > 0")),
    (Model("elevator.pml", ("N=11",), 0), passes("floor == 0", "floor == 2", "floor == 1")),
    (Model("leader.pml", ("N=9",), 0), "<>[] (leaders == 1)"),
    (
        Model("philosophers.pml", ("N=9", "ORDERED"), 0),
        passes("taken[0] && taken[1]", "!taken[0] && !taken[1]", "taken[0] != taken[1]"),
    ),
    (Model("two_phase_commit.pml", ("N=5",), 0), settles("commits > 0")),
    (Model("counters.pml", ("N=5", "M=14"), 0), passes("value[0] == 0", "value[0] == 2", "value[0] == 1")),
)
"""Formulas that hold, with automata that are not weak, so that the second search cannot be left out."""


@contextmanager
def asking(model: Model, formula: str = FORMULA) -> Iterator[Path]:
    """The model's text with a formula behind it."""
    with tempfile.TemporaryDirectory(prefix="beeline-live-") as name:
        file = Path(name) / "model.pml"
        file.write_text(f"{model.path.read_text()}\nltl {NAME} {{ {formula} }}\n")
        yield file


def ours(file: Path, asked: str, search: str, limit: str, macros: tuple[str, ...], core: int | None) -> dict[str, Any]:
    """One check in a process of its own; `search` may be followed by --threads=N and --reduce=NAME."""
    command = [sys.executable, "-m", "benchmarks.liveness.alone", str(file), asked, *search.split(), limit, *macros]
    answer: dict[str, Any] = json.loads(timed(command, core).output.splitlines()[-1])
    return answer


def asked_models(asked: argparse.Namespace) -> list[Model]:
    """The large models whose names were given, up to the size that pan has memory for."""
    return [m for m in LARGE if m.states <= MOST_STATES and any(word in m.name for word in asked.models)]
