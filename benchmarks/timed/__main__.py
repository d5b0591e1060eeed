"""``python -m benchmarks.timed --tchecker PATH``: the table of docs/timed-automata.md.

Breadth-first search of the zone graphs of TChecker's own benchmark families, in UPPAAL's format, next to TChecker's
covering reachability on its twins; the best of three runs of each, one after the other. Where ``tck-reach`` is
neither named nor installed, only our own columns are filled.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.folders import ROOT

from beeline.engine import Found
from beeline.languages.uppaal import load
from beeline.searches.runner import run
from beeline.timed.search import zone_graph

MODELS = ROOT.parent / "shared" / "models" / "ticktac-benchmarks" / "generated"
ROUNDS = 3


@dataclass(frozen=True)
class Count:
    """Symbolic states expanded, steps taken, expanded states per second."""

    expanded: int
    steps: int
    rate: float


def pairs() -> Iterator[tuple[str, Path, Path]]:
    """Name, our file, TChecker's file."""
    for size in range(5, 9):
        yield (
            f"fischer-{size}",
            MODELS / "uppaal" / f"fischer_{size}_10_10.xml",
            MODELS / "tchecker" / f"fischer-{size}.tck",
        )
    for size in range(5, 9):
        ours = MODELS / "uppaal" / f"csmacd-{size}-808-26.xml"
        yield f"csmacd-{size}", ours, MODELS / "tchecker" / f"csmacd-{size}.tck"
    for size in range(4, 8):
        ours = MODELS / "uppaal" / f"fddi_{size}_{50 * size}_20_0.xml"
        yield f"fddi-{size}", ours, MODELS / "tchecker" / f"fddi-{size}.tck"


def beeline(file: Path) -> Count:
    space = zone_graph(load(file)).space
    found = [run(space, "bfs", stop=Found.NOTHING).statistics for _ in range(ROUNDS)]
    best = min(found, key=lambda one: one.seconds)
    return Count(best.expanded, best.generated, best.expanded / max(best.seconds, 1e-9))


def tchecker(program: str, file: Path) -> Count:
    best = Count(0, 0, 0.0)
    for _ in range(ROUNDS):
        command = [program, "-a", "covreach", "-s", "bfs", str(file)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        numbers = {key: float(value) for key, value in re.findall(r"^(\w+) ([\d.e+-]+)$", said, re.MULTILINE)}
        visited, seconds = numbers["VISITED_STATES"], numbers["RUNNING_TIME_SECONDS"]
        count = Count(int(visited), int(numbers["VISITED_TRANSITIONS"]), visited / max(seconds, 1e-9))
        best = max(best, count, key=lambda one: one.rate)
    return best


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.timed", description=__doc__)
    parser.add_argument("--tchecker", default=shutil.which("tck-reach"), help="the program tck-reach")
    options = parser.parse_args()
    if not MODELS.is_dir():
        print("The TickTac models are not there (expected in ../shared/models).", file=sys.stderr)
        return 2
    print("| model | Beeline | TChecker | Beeline, states/s | TChecker, states/s |\n|---|---|---|---|---|")
    for name, ours, theirs in pairs():
        mine = beeline(ours)
        other = tchecker(options.tchecker, theirs) if options.tchecker else None
        peer = ("", "") if other is None else (f"{other.expanded} / {other.steps}", f"{other.rate:,.0f}")
        print(f"| {name} | {mine.expanded} / {mine.steps} | {peer[0]} | {mine.rate:,.0f} | {peer[1]} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
