"""`python -m benchmarks.liveness`: formulas next to `pan -a`.

    python -m benchmarks.liveness speed [--models leader] [--repeats 3]   proofs of a formula that holds
    python -m benchmarks.liveness same [--models leader] [--repeats 3]    proofs on products of the same size
    python -m benchmarks.liveness memory [--models leader]                bytes of a product state, next to safety
    python -m benchmarks.liveness threads [--repeats 3]                   nested search by one thread and by two
    python -m benchmarks.liveness reduction                               with steps left out
    python -m benchmarks.liveness sets                                    with one acceptance set and with several
    python -m benchmarks.liveness lassos [--models elevators]             lassos, search by search

In `speed` every model has a formula that it satisfies though accepting states are reached, so that both tools have to
search from these once more; without reduction (`-DNOREDUCE`, `-O3`). `same` asks a formula that never reaches an
accepting state, so that both visit the same product, state for state. Times are processor time on one core, of the
search alone.
"""

from __future__ import annotations

import argparse
import os
import statistics
from typing import Any

from benchmarks.conformance.spin import PLAIN_SPIN, read_pan
from benchmarks.liveness.checks import FORMULA, HOLDING, NAME, asked_models, asking, ours
from benchmarks.liveness.lassos import show_lassos
from benchmarks.liveness.variants import show_memory, show_reduction, show_sets, show_threads
from benchmarks.speed.models import Model
from benchmarks.speed.processes import timed

BUILD = ("gcc", "-O3", "-w", "-march=native", "-DNOREDUCE", "-DNOFAIR", "-DNOBOUNDCHECK", "-DMEMLIM=16000")
RUN = ("./pan", "-a", "-m10000000", "-w26", "-N", NAME)


def speed(model: Model, formula: str, repeats: int, core: int) -> dict[str, Any] | None:
    """Both tools on one model; None where its assertions fail, so that a search ends before it has seen everything."""
    with asking(model, formula) as file:
        folder = file.parent
        timed(["spin", "-a", *PLAIN_SPIN, *model.options, file.name], core, folder)
        timed([*BUILD, "-o", "pan", "pan.c"], core, folder)
        pans, own = [], []
        for _ in range(repeats):
            pan = timed(RUN, core, folder)
            mine = ours(file, NAME, "ndfs", "600", model.macros, core)
            pans.append(pan.seconds)
            own.append(mine["seconds"])
            if mine["verdict"] != "holds" or not read_pan(pan.output).complete or read_pan(pan.output).error:
                return None
        return {
            "model": model.name,
            "pan states": read_pan(pan.output).states,
            "states": mine["states"],
            "again": mine["expanded"] - mine["states"],
            "pan": statistics.median(pans),
            "ours": statistics.median(own),
            "bytes": mine["memory"] / mine["states"],
        }


def show_speed(asked: argparse.Namespace) -> None:
    _show_rows([pair for pair in HOLDING if any(word in pair[0].name for word in asked.models)], asked)


def show_same(asked: argparse.Namespace) -> None:
    _show_rows([(model, FORMULA) for model in asked_models(asked)], asked)


def _show_rows(asking: list[tuple[Model, str]], asked: argparse.Namespace) -> None:
    print(
        "| model | formula | pan's states | our states | expanded again | pan -a, s | ndfs, s | times faster | bytes |"
    )
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    ratios = []
    for model, formula in asking:
        row = speed(model, formula, asked.repeats, asked.core)
        if row is None:
            continue
        ratios.append(row["pan"] / row["ours"])
        print(
            f"| {row['model']} | `{formula}` | {row['pan states']:,} | {row['states']:,} | {row['again']:,} "
            f"| {row['pan']:.2f} | {row['ours']:.2f} | {ratios[-1]:.2f} | {row['bytes']:.0f} |",
            flush=True,
        )
    print(f"\nmedian {statistics.median(ratios):.2f}, least {min(ratios):.2f}, of {len(ratios)} models")


PARTS = {
    "speed": show_speed,
    "same": show_same,
    "memory": show_memory,
    "threads": show_threads,
    "reduction": show_reduction,
    "sets": show_sets,
    "lassos": show_lassos,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.liveness", description=__doc__)
    parser.add_argument("part", choices=tuple(PARTS))
    parser.add_argument("--models", nargs="+", default=[""], metavar="NAME")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    asked = parser.parse_args()
    PARTS[asked.part](asked)


if __name__ == "__main__":
    main()
