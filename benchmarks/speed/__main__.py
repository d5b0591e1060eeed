"""`python -m benchmarks.speed`: Beeline next to SPIN, and the tables of docs/performance.md.

    python -m benchmarks.speed                              search, command and memory
    python -m benchmarks.speed search --models leader pots  the rate of the search alone
    python -m benchmarks.speed command | memory             from command to verdict; bytes per state
    python -m benchmarks.speed profile                      what costs most (needs `perf`)
    python -m benchmarks.speed stores | threads             other stores; two threads next to one (without SPIN)
    python -m benchmarks.speed growth | limit               time and memory over size; next to the bare store

Times are processor time on one core, but for threads. Each figure is the median of some repeats that take turns, fewer
for the largest models; every run is checked to find the number of states that SPIN finds.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import partial
from itertools import product
from typing import Any

from benchmarks.folders import RESULTS
from benchmarks.speed import growth as sizes
from benchmarks.speed.contestants import Contest, in_turns
from benchmarks.speed.limit import limit_table, share
from benchmarks.speed.models import LARGE, MEDIUM, SMALL, Model
from benchmarks.speed.processes import CommandFailed
from benchmarks.speed.profile import hottest
from benchmarks.speed.tables import Row, command_table, memory_table, profile_table, search_table
from benchmarks.speed.variants import stores, stores_table, threads, threads_table


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser("python -m benchmarks.speed", description="Beeline next to SPIN.")
    parts = ("all", "search", "command", "memory", "profile", "stores", "threads", "growth", "limit")
    parser.add_argument("part", nargs="?", default="all", choices=parts)
    parser.add_argument("--models", nargs="+", default=[""], metavar="NAME", help="whose name contains one of these")
    parser.add_argument("--largest", type=int, default=5 * 10**7, metavar="N", help="only models with at most N states")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)), help="the core to run on [the last]")
    return parser.parse_args()


def chosen(models: Iterable[Model], asked: argparse.Namespace) -> list[Model]:
    """Those that were asked for."""
    return [
        model for model in models if any(name in model.name for name in asked.models) and model.states <= asked.largest
    ]


def repeats(model: Model, asked: argparse.Namespace) -> int:
    """Fewer where one run takes long enough to tell."""
    return max(1, min(int(asked.repeats), 12_000_000 // model.states))


def search(model: Model, asked: argparse.Namespace) -> Row:
    """The search alone."""
    contest = Contest(model, asked.core)
    runs: dict[str, Callable[[], float]] = {
        "pan": contest.pan_search,
        "beeline": contest.beeline_search,
        "native": contest.native_search,
    }
    try:
        return Row(model, in_turns(runs, repeats(model, asked)))
    finally:
        contest.close()


def command(model: Model, asked: argparse.Namespace) -> Row:
    """From command to verdict."""
    contest = Contest(model, asked.core)
    quick = partial(contest.pan_command, ("-O0",))
    contest.beeline_command()  # the first run of all writes bytecode
    runs: dict[str, Callable[[], float]] = {
        "pan": contest.pan_command,
        "pan -O0": quick,
        "beeline": contest.beeline_command,
    }
    try:
        return Row(model, in_turns(runs, asked.repeats))
    finally:
        contest.close()


def memory(model: Model, asked: argparse.Namespace) -> Row:
    """Bytes per state; they are the same in every run."""
    contest = Contest(model, asked.core)
    try:
        pan, beeline = contest.pan_bytes(), contest.beeline_bytes()
        return Row(model, {"pan": [pan.states], "pan total": [pan.total], "beeline": [beeline.total]})
    finally:
        contest.close()


def keep(part: str, name: str, figures: dict[str, Any]) -> None:
    """Adds one line to the results."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    with (RESULTS / "speed.jsonl").open("a") as file:
        stamp = time.strftime("%Y-%m-%d %H:%M:%S")
        file.write(json.dumps({"part": part, "model": name, **figures, "at": stamp}) + "\n")


def measured(
    part: str, models: Iterable[Model], measure: Callable[[Model, argparse.Namespace], Row], asked: argparse.Namespace
) -> list[Row]:
    """One part on those of the models that were asked for; results are also kept as JSON lines."""
    rows: list[Row] = []
    for model in chosen(models, asked):
        row = measure(model, asked)
        rows.append(row)
        spread = {name: round(row.spread(name), 3) for name in row.taken}
        keep(part, model.name, {"taken": row.taken, "spread": spread})
    return rows


def variants(asked: argparse.Namespace) -> None:
    """Beeline next to itself."""
    measure, shown = (stores, stores_table) if asked.part == "stores" else (threads, threads_table)
    rows = []
    for model in chosen(LARGE, asked):
        rows.append(measure(model, repeats(model, asked)))
        keep(asked.part, model.name, {"runs": rows[-1].runs})
    print(shown(rows))


def growth(asked: argparse.Namespace) -> None:
    """Families over their sizes, the table and the pictures."""
    points = []
    for family, members in sizes.FAMILIES.items():
        if any(name in family for name in asked.models):
            for macros, store in product(members, sizes.STORES):
                points.append(sizes.measured(family, macros, store, asked.repeats))
                keep("growth", family, asdict(points[-1]))
    print(sizes.growth_table(points))
    for file in sizes.draw(points, RESULTS / "plots" / "growth"):
        print(f"\n![{file.stem}]({file})")


def limit(asked: argparse.Namespace) -> None:
    """The search next to the bare store."""
    rows = []
    for model in chosen(LARGE, asked):
        rows.append(share(model, asked.core))
        keep("limit", model.name, asdict(rows[-1]))
    print(limit_table(rows))


def main() -> int:
    """Measures what was asked for and prints Markdown."""
    asked = options()
    alone = {"stores": variants, "threads": variants, "growth": growth, "limit": limit}
    if asked.part in alone:
        alone[asked.part](asked)
        return 0
    missing = [tool for tool in ("spin", "cc") if shutil.which(tool) is None]
    if missing:
        print(f"not installed: {', '.join(missing)}", file=sys.stderr)
        return 2
    try:
        if asked.part in ("all", "search"):
            print(search_table(measured("search", MEDIUM + LARGE, search, asked)), end="\n\n", flush=True)
        if asked.part in ("all", "command"):
            print(command_table(measured("command", SMALL + MEDIUM, command, asked)), end="\n\n", flush=True)
        if asked.part in ("all", "memory"):
            print(memory_table(measured("memory", MEDIUM + LARGE, memory, asked)), end="\n\n", flush=True)
        if asked.part == "profile":
            print(profile_table({model.name: hottest(model, asked.core) for model in chosen(MEDIUM + LARGE, asked)}))
    except CommandFailed as failed:
        print(failed, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
