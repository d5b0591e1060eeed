"""A* by every estimate that never says too much, next to breadth-first search: the papers' families and models of BEEM
that are like planning problems."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from math import exp, log

from benchmarks.beem.measure import Limits, Notebook, Record, check_with
from benchmarks.directed import families
from benchmarks.directed.configurations import Configuration
from benchmarks.directed.families import Instance
from benchmarks.directed.tables import answered, cell

ESTIMATES = ("hL", "lmcut", "hAA", "pdb:cegar", "cartesian", "scp")
COLUMNS = (Configuration("bfs"), *(Configuration("astar", name) for name in ESTIMATES))
GENERATED = "fischer [AB] 15", "arbiter [2-4]", "hanoi [4-7]", "random [5-7].[123]", "*track *", "*mutex *"
PLANNING = "blocks", "elevator_planning", "frogs", "hanoi", "loyd", "peg_solitaire", "pouring", "rushhour", "sokoban"


def instances(only: str) -> Iterator[Instance]:
    """The rows; `only` is the beginning of their names."""
    for pattern in GENERATED:
        yield from (one for one in families.generated(pattern) if one.name.startswith(only))
    for family in PLANNING:
        yield from (one for one in families.reachable_goals(f"{family}.*") if one.name.startswith(only))


def built(record: Record) -> float:
    """Seconds that the estimate's tables took."""
    return sum(float(seconds) for seconds in re.findall(r", ([\d.]+) s", record.get("heuristic_note") or ""))


def measure(rows: Sequence[Instance], options: argparse.Namespace) -> dict[tuple[str, str], Record]:
    """All columns of a row one after the other."""
    limits = Limits(options.time, "2G")
    book = Notebook("abstraction-shortest", options.again)
    results = {}
    for row in rows:
        for column in COLUMNS:
            run = partial(check_with, row.file, row.asked, limits, [*row.options, *column.options()])
            results[row.name, str(column)] = book.fill(f"{row.name} | {column}", run, limits)
            print(f"{row.name:26} {column!s:18} {cell(results[row.name, str(column)])}", file=sys.stderr, flush=True)
    return results


def mean_share(rows: Sequence[str], column: str, results: dict[tuple[str, str], Record], what: str) -> str:
    """The geometric mean of states, or of seconds, next to breadth-first search, where both have an answer."""
    shares = []
    for row in rows:
        ours, plain = results[row, column], results[row, "bfs"]
        if answered(ours) and answered(plain):
            shares.append(log(max(1e-3, _value(ours, what)) / max(1e-3, _value(plain, what))))
    return f"{exp(sum(shares) / len(shares)):.2f} ({len(shares)})" if shares else "-"


def _value(record: Record, what: str) -> float:
    return float(max(1, record["states"]["expanded"])) if what == "states" else float(record["elapsed_s"])


def print_tables(options: argparse.Namespace) -> None:
    """Explored states and seconds, and what is left of breadth-first search's."""
    rows = list(instances(options.only))
    results = measure(rows, options)
    head = "| | " + " | ".join(map(str, COLUMNS)) + " |\n" + "|---" * (len(COLUMNS) + 1) + "|"
    print(head)
    for row in rows:
        cells = []
        for column in COLUMNS:
            record = results[row.name, str(column)]
            told = cell(record)
            cells.append(told if not answered(record) else f"{told}, {record['elapsed_s']:.1f} s")
        print(f"| {row.name} | " + " | ".join(cells) + " |")
    names = [row.name for row in rows]
    print("\n| | answered | states next to bfs | time next to bfs | tables (s) |\n|---|---|---|---|---|")
    for search in map(str, COLUMNS):
        solved = sum(answered(results[name, search]) for name in names)
        spent = sum(built(results[name, search]) for name in names)
        shares = [mean_share(names, search, results, what) for what in ("states", "time")]
        print(f"| {search} | {solved}/{len(names)} | {shares[0]} | {shares[1]} | {spent:.1f} |")
