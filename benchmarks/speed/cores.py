"""`python -m benchmarks.speed.cores`: one search by more and more threads, on models with more than ten million states.

    python -m benchmarks.speed.cores --threads 1 2 4 8 16
    python -m benchmarks.speed.cores at.5 anderson.3 --stores plain

All states are counted, and all searches must count the same. Most of the models are of the BEEM collection.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from statistics import median
from time import monotonic

from benchmarks.beem.tables import table
from benchmarks.gpu.cases import named

from beeline.engine import Found, Limits, core
from beeline.jit import NATIVE
from beeline.searches import find
from beeline.searches.runner import run
from beeline.stores import with_store

MODELS = (
    *("at.5", "bakery.7", "brp.6", "collision.4", "firewire_link.5", "lifts.8", "phils.6", "production_cell.6"),
    *("sorter.4", "counters N=7"),
)
COMPILED = 200_000  # states, by which the model's code is there
COUNTS = ("stored", "generated", "depth", "deadlocks")


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser("python -m benchmarks.speed.cores", description="More and more threads.")
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2, 4, 8, 16])
    parser.add_argument("--stores", nargs="+", default=["plain", "tree"])
    return parser.parse_args()


def timed(program: core.Program, store: str, threads: int, states: int | None = None) -> tuple[float, tuple[int, ...]]:
    """Seconds of a breadth-first search, and what it counted."""
    search = with_store(find("bfs"), store)
    began = monotonic()
    outcome = run(
        core.ProgramSpace(program),
        search,
        stop=Found.NOTHING,
        limits=Limits(states=states),
        threads=threads if search.threads else 1,
        tier=NATIVE,
    )
    return monotonic() - began, tuple(getattr(outcome.statistics, name) for name in COUNTS)


def row(name: str, store: str, asked: argparse.Namespace) -> tuple[list[str], dict[int, float]]:
    """The row of a model, and how many times faster than one thread the others are."""
    program = named(name).program()
    timed(program, store, max(asked.threads), COMPILED)  # compiles the model
    times: dict[int, float] = {}
    counted: set[tuple[int, ...]] = set()
    for threads in asked.threads:
        times[threads], counts = timed(program, store, threads)
        counted.add(counts)
    assert len(counted) == 1, f"{name}: threads count differently: {counted}"
    first = times[asked.threads[0]]
    gains = {threads: first / seconds for threads, seconds in times.items()}
    states = counted.pop()[0]
    return [name, f"{states:,}", f"{first:.2f}", *(f"{gains[one]:.1f}" for one in asked.threads[1:])], gains


def report(store: str, asked: argparse.Namespace) -> None:
    """Prints the table of a store."""
    rows: list[Sequence[str]] = []
    gains = []
    for name in asked.models:
        cells, gain = row(name, store, asked)
        rows.append(cells)
        gains.append(gain)
        print(*cells, file=sys.stderr, flush=True)
    middle = [f"{median(gain[one] for gain in gains):.1f}" for one in asked.threads[1:]]
    header = ("model", "states", f"{asked.threads[0]} thread, s", *(f"{one} threads" for one in asked.threads[1:]))
    print(f"store {store}, {os.cpu_count()} cores\n")
    print(table(header, [*rows, ["median", "", "", *middle]]), end="\n\n", flush=True)


def main() -> int:
    """Measures what was asked for and prints Markdown."""
    asked = options()
    for store in asked.stores:
        report(store, asked)
    return 0


if __name__ == "__main__":
    sys.exit(main())
