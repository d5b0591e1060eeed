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
