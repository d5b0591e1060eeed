"""The fixed set of small searches whose instructions are counted; `main` runs them inside callgrind."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.directed import families
from benchmarks.speed.models import FOLDER

from beeline import checking
from beeline.languages import LoadOptions, load

MARKER = "getpriority"
"""A function of the C library that nothing else calls here: callgrind writes out its counts whenever it is entered."""

TIER = "bytecode"
"""When native code is there, and whether its source is written at all, depends on how busy the machine is."""


@dataclass(frozen=True, slots=True)
class Row:
    """One search; `run` returns how many states it stored."""

    name: str
    run: Callable[[], int]


def explore(model: str, store: str = "plain", **macros: str) -> Row:
    """The whole space of a Promela model, breadth-first."""

    def run() -> int:
        network = load(FOLDER / f"{model}.pml", options=LoadOptions(macros))
        return checking.explore(network, store=store, tier=TIER).statistics.stored

    told = " ".join([model, *(f"{name}={value}" for name, value in macros.items())])
    return Row(f"explore {told}" + ("" if store == "plain" else f", {store} store"), run)


def check(name: str, search: str, heuristic: str | None = None) -> Row:
    """A member of one of the families with an error, or a faulty Promela model."""

    def run() -> int:
        instance = next(found for suite in (families.generated, families.promela) for found in suite(name))
        macros = dict(word.partition("=")[::2] for word in instance.options if word != "-D")
        network = load(instance.file, options=LoadOptions({key: value or "1" for key, value in macros.items()}))
        result = checking.check(network, instance.asked, search=search, heuristic=heuristic, tier=TIER)
        return result.statistics.stored

    return Row(" ".join(filter(None, ("check", name, search, heuristic))), run)


ROWS = (
    explore("peterson"),
    explore("elevator", N="7"),
    explore("sliding_window"),
    explore("philosophers", "tree", N="8"),
    check("fischer A 10", "bfs"),
    check("fischer A 15", "astar", "hL"),
    check("arbiter 4", "astar", "hU"),
    check("arbiter 4", "ut", "hU"),
    check("hanoi 5", "greedy", "hL"),
    check("leader N=5 FAULTY", "greedy"),
)


def mark() -> None:
    """Ends what is counted together."""
    os.getpriority(os.PRIO_PROCESS, 0)


def main(out: Path) -> None:
    """Every row between two marks, and the states of each into a file."""
    stored: dict[str, int] = {}
    for row in ROWS:
        mark()
        stored[row.name] = row.run()
    mark()
    out.write_text(json.dumps(stored))


if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m benchmarks.instructions.rows", description=__doc__)
    parser.add_argument("out", type=Path, help="the file for the numbers of states")
    main(parser.parse_args().out)
