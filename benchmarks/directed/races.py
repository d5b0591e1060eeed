"""``python -m benchmarks.directed.races``: searches that race, next to `auto` alone.

    python -m benchmarks.directed.races --first 120 --time 3 --threads 2 [--search auto] [--only 'hanoi*']

Models with an error are those of `benchmarks/directed/corpus.py`, in its order by chance. Each thread has so many
seconds of processor time, reading and replay included. Seconds are those of the searches: of the thread that `auto`
itself runs in, which is what the clock would show if every thread had a core, and of all.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import median

from benchmarks.beem.tables import table
from benchmarks.directed.corpus import everything
from benchmarks.directed.threads import Case, measure
from benchmarks.forked import copy

FIRST = "auto:improve=0"
MOST_STATES = 10**9
WON = "first was "


@dataclass(frozen=True, slots=True)
class Run:
    """One check. `length` is None where nothing was found."""

    length: int | None = None
    shortest: bool = False
    expanded: int = 0
    own_s: float = 0.0
    all_s: float = 0.0
    note: str = ""

    @property
    def winner(self) -> str:
        return self.note.partition(WON)[2]

    def __str__(self) -> str:
        if self.length is None:
            return "open"
        shortest = " (shortest)" if self.shortest else ""
        return f"{self.length:,} steps{shortest}, {self.expanded:,} states, {self.own_s:.2f} s"


@dataclass(frozen=True, slots=True)
class Pair:
    """A model by one thread and by several."""

    group: str
    name: str
    one: Run
    several: Run

    @property
    def raced(self) -> bool:
        """Whether it was not over before the others began."""
        return self.several.winner != "" or self.several.length is None

    @property
    def answered(self) -> bool:
        return None not in (self.one.length, self.several.length)


def measure_apart(case: Case, threads: int, seconds: int) -> Run:
    """In a copy of this process. Where it comes to the end of its time, nothing is found."""

    def act() -> None:
        found = measure(case, threads, MOST_STATES)
        _, _, shortest, length, _, expanded, *_ = found["told"]
        told = {"length": length, "shortest": shortest, "expanded": expanded, "note": found["note"]}
        print(json.dumps({**told, "own_s": found["own"], "all_s": found["all"]}))

    printed = copy(act, threads * seconds).printed
    return Run(**json.loads(printed)) if printed else Run()


def measured(options: argparse.Namespace) -> Iterator[Pair]:
    """Models without an error, or with one that nobody finds, are left out."""
    for group, instance in islice(everything(options.groups, options.only), options.first):
        case = Case(instance, options.search, None)
        one, several = (measure_apart(case, threads, options.time) for threads in (1, options.threads))
        if one.length is not None or several.length is not None:
            yield Pair(group, instance.name, one, several)


def summary(pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    """All, and group by group."""
    yield _line("all", pairs)
    for group in dict.fromkeys(pair.group for pair in pairs):
        yield _line(group, [pair for pair in pairs if pair.group == group])


def _line(name: str, pairs: Sequence[Pair]) -> tuple[str, ...]:
    both = [pair for pair in pairs if pair.raced and pair.answered]
    counts = (
        len(pairs),
        sum(pair.raced for pair in pairs),
        sum(pair.one.length is None for pair in pairs),
        sum(pair.several.length is None for pair in pairs),
        sum(pair.several.shortest and not pair.one.shortest for pair in pairs),
        sum(pair.one.shortest and not pair.several.shortest for pair in pairs),
    )
    faster = [pair.one.own_s / max(pair.several.own_s, 1e-4) for pair in both]
    work = [pair.several.all_s / max(pair.one.all_s, 1e-4) for pair in both]
    return (name, *map(str, counts), *(f"{median(ratios):.2f}" if ratios else "" for ratios in (faster, work)))


def winners(pairs: Sequence[Pair]) -> list[tuple[str, str]]:
    """Who was first, without the estimates that it went by."""
    counts = Counter(pair.several.winner.partition(" ")[0] for pair in pairs if pair.several.winner)
    return [(name, str(count)) for name, count in counts.most_common()]


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.directed.races", description=__doc__)
    parser.add_argument("--first", type=int, help="so many models")
    parser.add_argument("--time", type=int, default=10, help="seconds of processor time for each thread")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--search", default=FIRST)
    parser.add_argument("--groups", default="*", help="a pattern")
    parser.add_argument("--only", default="*", help="a pattern for names of models")
    options = parser.parse_args()
    pairs = []
    for pair in measured(options):
        pairs.append(pair)
        print(pair.group, pair.name, pair.one, pair.several, pair.several.note, sep=" | ", file=sys.stderr)
    if not pairs:
        print("No such model, or none is there.", file=sys.stderr)
        return 2
    header = (
        "group",
        "models",
        "raced",
        "open to 1",
        f"open to {options.threads}",
        f"shortest to {options.threads} only",
    )
    print(table((*header, "to 1 only", "times faster", "times the work"), summary(pairs)), end="\n\n")
    print(table(("first", "races"), winners(pairs)), end="\n\n")
    rows = [(pair.name, str(pair.one), str(pair.several), pair.several.winner) for pair in pairs if pair.raced]
    print(table(("model", "1 thread", f"{options.threads} threads", "first"), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
