"""From the command to the verdict on small models, and what it takes to define and make a record.

    python -m benchmarks.start
    python -m benchmarks.start --other ../before/.venv/bin/python

Processor time of whole commands, each on one core: the least of some runs and the median. With another installation,
both are run in turns.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from timeit import repeat

from benchmarks.beem.tables import table
from benchmarks.folders import ROOT
from benchmarks.speed.processes import timed

from beeline.records import Record
from beeline.records import replace as changed

MODELS = ROOT / "models"
COMMANDS: dict[str, tuple[str, ...]] = {
    "--version": ("--version",),
    "Promela: peterson": ("check", "promela/peterson.pml"),
    "Promela: philosophers N=9": ("check", "promela/philosophers.pml", "-D", "N=9"),
    "DVE: mailbox": ("check", "dve/mailbox.dve"),
    "UPPAAL: fischer_b_3_faulty": ("check", "uppaal/fischer_b_3_faulty.xta"),
    "Python: peterson": ("check", "python/peterson.py"),
}
"""By the name of the row; files are those of models/."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Milliseconds of some runs, and of the search in the quickest of them."""

    runs: tuple[float, ...]
    search: float

    @property
    def cells(self) -> tuple[str, str]:
        return f"{min(self.runs):.0f}", f"{median(self.runs):.0f}"


def beeline_of(python: Path) -> Path:
    """The command of an installation."""
    return python.with_name("beeline")


def once(beeline: Path, words: Sequence[str], core: int) -> tuple[float, float]:
    """Milliseconds of the whole command, and of its search as it says itself."""
    done = timed([str(beeline), *words], core, MODELS, expected=(0, 1))
    found = re.search(r"^([\d.]+) s, ", done.output, re.MULTILINE)
    return 1000 * done.seconds, 1000 * float(found[1]) if found else 0.0


def measured(beelines: Sequence[Path], words: Sequence[str], repeats: int, core: int) -> list[Taken]:
    """One for each installation, run in turns. A first run, which may write bytecode, does not count."""
    for beeline in beelines:
        once(beeline, words, core)
    taken = [[once(beeline, words, core) for beeline in beelines] for _ in range(repeats)]
    return [Taken(tuple(whole for whole, _ in runs), min(runs)[1]) for runs in zip(*taken, strict=True)]


def commands(beelines: Sequence[Path], repeats: int, core: int) -> Iterator[tuple[str, ...]]:
    for name, words in COMMANDS.items():
        taken = measured(beelines, words, repeats, core)
        yield name, *(cell for one in taken for cell in one.cells), f"{taken[0].search:.0f}"


def define_dataclass() -> type:
    @dataclass(frozen=True, slots=True)
    class Point:
        """A place."""

        x: int
        y: int
        name: str = ""

    return Point


def define_record() -> type:
    class Point(Record, frozen=True):
        """A place."""

        x: int
        y: int
        name: str = ""

    return Point


def microseconds(work: Callable[[], object], times: int) -> float:
    return min(repeat(work, number=times, repeat=5)) / times * 1e6


def records() -> Iterator[tuple[str, ...]]:
    """What dataclasses and records of three fields take."""
    plain, record = define_dataclass(), define_record()
    one, other = plain(1, 2), record(1, 2)
    pairs: dict[str, tuple[Callable[[], object], Callable[[], object], int]] = {
        "define the class": (define_dataclass, define_record, 100),
        "make one": (lambda: plain(1, 2), lambda: record(1, 2), 100_000),
        "a changed copy": (lambda: replace(one, x=3), lambda: changed(other, x=3), 100_000),
        "compare two": (lambda: one == one, lambda: other == other, 100_000),
        "hash": (lambda: hash(one), lambda: hash(other), 100_000),
    }
    for name, (slow, quick, times) in pairs.items():
        yield name, f"{microseconds(slow, times):.2f}", f"{microseconds(quick, times):.2f}"


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.start", description=__doc__)
    parser.add_argument("--other", type=Path, help="the python of another installation")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    options = parser.parse_args()
    beelines = [beeline_of(Path(sys.executable))]
    header = ["command", "least, ms", "median, ms"]
    if options.other is not None:
        beelines.append(beeline_of(options.other.absolute()))
        header += ["other, least", "other, median"]
    print(table((*header, "of which search"), commands(beelines, options.repeats, options.core)), end="\n\n")
    print(table(("microseconds", "frozen dataclass", "record"), records()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
