"""``python -m benchmarks.beem``: measure the collection, and print the tables of docs/dve.md.

    python -m benchmarks.beem explore --time 60 --memory 4G     all instances, states and transitions
    python -m benchmarks.beem goals --only 'frogs*'             shortest lengths of the goals
    python -m benchmarks.beem properties | twins | speed | sizes

Results are kept in benchmarks/results and not measured twice; ``--again`` starts afresh.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import TypeVar

from benchmarks.beem import suite, tables
from benchmarks.beem.collection import Instance, find_collection, read_checked, read_collection
from benchmarks.beem.measure import Limits, Notebook

Series = TypeVar("Series")


def main() -> int:
    options = _arguments()
    folder = find_collection(options.models)
    if folder is None:
        print("The BEEM files are not there: name their folder with --models.", file=sys.stderr)
        return 2
    instances = [i for i in read_collection(folder) if _wanted(i, options)]
    limits = Limits(options.time, options.memory)
    book = Notebook(f"beem-{options.series}", options.again)
    checked = read_checked(folder)
    match options.series:
        case "explore":
            runs = list(_told(suite.explorations(instances, limits, book)))
            for part in (tables.by_family(runs, checked), tables.differences(runs, checked), tables.beyond(runs)):
                print(part, end="\n\n")
        case "goals":
            print(tables.goal_lengths(_told(suite.goals(instances, limits, book))))
        case "properties":
            print(tables.property_verdicts(_told(suite.properties(instances, limits, book))))
        case "twins":
            print(tables.twin_verdicts(_told(suite.twins(instances, limits, book))))
        case "speed":
            print(tables.speed(_told(suite.speeds(instances, book))))
        case "sizes":
            suite.write_sizes(suite.explorations(instances, limits, Notebook("beem-explore")))
            print(tables.classes(suite.read_sizes()))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.beem", description="The BEEM suite.")
    parser.add_argument("series", choices=("explore", "goals", "properties", "twins", "speed", "sizes"))
    parser.add_argument("--models", type=Path, help="folder of the collection (default ../shared/models/beem)")
    parser.add_argument("--time", type=float, default=60.0, help="seconds for each run (60)")
    parser.add_argument("--memory", default="4G", help="memory for each run (4G)")
    parser.add_argument("--only", default="*", help="pattern for instances, such as 'bakery.*'")
    parser.add_argument("--largest", type=int, help="leave out instances with more published states")
    parser.add_argument("--known", action="store_true", help="only instances whose number of states is published")
    parser.add_argument("--again", action="store_true", help="forget earlier results")
    return parser.parse_args()


def _wanted(instance: Instance, options: argparse.Namespace) -> bool:
    small = options.largest is None or (instance.published.states or 0) <= options.largest
    known = instance.published.complete or not options.known
    return small and known and fnmatch(instance.name, options.only)


def _told(series: Iterable[Series]) -> Iterator[Series]:
    """Passes a series on, with a count on a terminal."""
    for number, item in enumerate(series, start=1):
        if sys.stderr.isatty():
            print(f"\r{number} done", end="", file=sys.stderr, flush=True)
        yield item
    if sys.stderr.isatty():
        print(file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
