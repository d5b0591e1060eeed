"""`python -m benchmarks.speed`: Beeline next to SPIN, and the tables of docs/performance.md.

    python -m benchmarks.speed                        all three parts
    python -m benchmarks.speed search --only leader   the rate of the search alone
    python -m benchmarks.speed command | memory       from command to verdict; bytes per state
    python -m benchmarks.speed profile                what costs most (needs `perf`)
    python -m benchmarks.speed stores | threads       other stores; two threads next to one (without SPIN)

Times are processor time on one core. Each figure is the median of some repeats that take turns; every run is checked
to find the number of states that SPIN finds.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from functools import partial

from benchmarks.folders import RESULTS
from benchmarks.speed.contestants import Contest, in_turns
from benchmarks.speed.models import LARGE, SMALL, Model
from benchmarks.speed.processes import CommandFailed
from benchmarks.speed.profile import hottest
from benchmarks.speed.tables import Row, command_table, memory_table, profile_table, search_table
from benchmarks.speed.variants import LARGE_FROM, stores, stores_table, threads, threads_table


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser("python -m benchmarks.speed", description="Beeline next to SPIN.")
    parts = ("all", "search", "command", "memory", "profile", "stores", "threads")
    parser.add_argument("part", nargs="?", default="all", choices=parts)
    parser.add_argument("--only", default="", help="only models whose name contains this")
    parser.add_argument("--largest", type=int, default=10**7, metavar="N", help="only models with at most N states")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)), help="the core to run on [the last]")
    return parser.parse_args()


def search(model: Model, asked: argparse.Namespace) -> Row:
    """The search alone."""
    contest = Contest(model, asked.core)
    try:
        return Row(model, in_turns({"pan": contest.pan_search, "beeline": contest.beeline_search}, asked.repeats))
    finally:
        contest.close()


def command(model: Model, asked: argparse.Namespace) -> Row:
    """From command to verdict."""
    contest = Contest(model, asked.core)
    quick = partial(contest.pan_command, "-O0")
    contest.beeline_command()  # the first run of all writes bytecode
    runs = {"pan": contest.pan_command, "pan -O0": quick, "beeline": contest.beeline_command}
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


def measured(
    part: str, models: tuple[Model, ...], measure: Callable[[Model, argparse.Namespace], Row], asked: argparse.Namespace
) -> list[Row]:
    """One part on those of the models that were asked for; results are also kept as JSON lines."""
    rows: list[Row] = []
    RESULTS.mkdir(parents=True, exist_ok=True)
    with (RESULTS / "speed.jsonl").open("a") as file:
        for model in models:
            if asked.only in model.name and model.states <= asked.largest:
                row = measure(model, asked)
                rows.append(row)
                spread = {name: round(row.spread(name), 3) for name in row.taken}
                stamp = time.strftime("%Y-%m-%d %H:%M:%S")
                record = {"part": part, "model": model.name, "taken": row.taken, "spread": spread, "at": stamp}
                file.write(json.dumps(record) + "\n")
                file.flush()
    return rows


def variants(asked: argparse.Namespace) -> int:
    """Beeline next to itself."""
    chosen = [model for model in LARGE if asked.only in model.name and model.states <= asked.largest]
    if asked.part == "stores":
        print(stores_table([stores(model, asked.repeats) for model in chosen]))
    else:
        large = [model for model in chosen if model.states >= LARGE_FROM]
        print(threads_table([threads(model, asked.repeats) for model in large]))
    return 0


def main() -> int:
    """Measures what was asked for and prints Markdown."""
    asked = options()
    if asked.part in ("stores", "threads"):
        return variants(asked)
    missing = [tool for tool in ("spin", "cc") if shutil.which(tool) is None]
    if missing:
        print(f"not installed: {', '.join(missing)}", file=sys.stderr)
        return 2
    try:
        if asked.part in ("all", "search"):
            print(search_table(measured("search", LARGE, search, asked)), end="\n\n", flush=True)
        if asked.part in ("all", "command"):
            print(command_table(measured("command", SMALL + LARGE, command, asked)), end="\n\n", flush=True)
        if asked.part in ("all", "memory"):
            print(memory_table(measured("memory", LARGE, memory, asked)), end="\n\n", flush=True)
        if asked.part in ("all", "profile"):
            chosen = [model for model in LARGE if asked.only in model.name]
            print(profile_table({model.name: hottest(model, asked.core) for model in chosen}))
    except CommandFailed as failed:
        print(failed, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
