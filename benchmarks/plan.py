"""How far the sizes that plans tell are from the truth.

    python -m benchmarks.plan [--states 10000000] [--shares 0.5 0.2 0.1 0.05]

Instances of the BEEM collection whose size is known are searched breadth-first until a share of their states is
stored, and the size is told from that: how often the truth lies in the interval, and how far off what is likely is.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import inf, log2
from pathlib import Path

from benchmarks.beem.collection import find_collection, read_collection
from benchmarks.beem.suite import read_sizes
from benchmarks.beem.tables import table

from beeline import Limits
from beeline.engine import Found
from beeline.languages import load
from beeline.model.property import Property
from beeline.planning import Size, size_of
from beeline.problems import problem_of
from beeline.searches.runner import run

FEWEST = 50_000
"""States that must be seen: in a few milliseconds a search notes too little of how it went."""
HEAD = (
    "share seen",
    "models",
    "in the interval",
    "no end told",
    "factor off, median",
    "in nine of ten",
    "width, median",
)


def told(file: Path, states: int) -> Size:
    """The size after so many states."""
    space = problem_of(load(file), Property("states", "how many there are")).counted_space()
    outcome = run(space, "bfs", stop=Found.NOTHING, limits=Limits(states=states))
    return size_of(outcome.history, outcome.statistics.stored, outcome.complete)


def known_sizes(most: int) -> Iterator[tuple[Path, int]]:
    folder = find_collection()
    if folder is None:
        raise SystemExit("the BEEM collection is not here: set BEELINE_MODELS")
    sizes = read_sizes()
    for instance in read_collection(folder):
        states, is_exact = sizes.get(instance.name, (0, False))
        if is_exact and FEWEST <= states <= most:
            yield instance.file, states


def factor(logarithm: float) -> str:
    return f"{2**logarithm:.1f}"


def row(share: float, found: list[tuple[Size, int]]) -> tuple[str, ...]:
    inside = sum(size.low <= truth <= size.high for size, truth in found)
    off = sorted(abs(log2(size.likely / truth)) for size, truth in found if size.has_end)
    wide = sorted(log2(size.high / size.low) if size.high < inf else inf for size, _ in found)
    ends = len(found) - len(off)
    median, most = off[len(off) // 2], off[int(0.9 * (len(off) - 1))]
    middle = wide[len(wide) // 2]
    share_of = f"{inside} ({inside / len(found):.0%})"
    return f"{share:.0%}", str(len(found)), share_of, str(ends), factor(median), factor(most), factor(middle)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=10_000_000, help="of the largest instances")
    parser.add_argument("--shares", type=float, nargs="+", default=[0.5, 0.2, 0.1, 0.05, 0.02])
    given = parser.parse_args()
    sizes, rows = list(known_sizes(given.states)), []
    for share in given.shares:
        found = [(told(file, int(share * states)), states) for file, states in sizes if share * states >= FEWEST]
        if any(size.has_end for size, _ in found):
            rows.append(row(share, found))
    print(table(list(HEAD), rows))


if __name__ == "__main__":
    main()
