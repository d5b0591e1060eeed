"""``python -m benchmarks.docs_figures``: runs a sample of the searches behind tables of docs/directed.md again.

Shows each cell whose explored states or length are other than on the page. Seconds are no part of it: they differ on
every machine. Exits with 1 if something is stale."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator

from benchmarks.beem.measure import Limits
from benchmarks.directed import families, tables
from benchmarks.directed.configurations import SETS, Configuration
from benchmarks.directed.families import Instance
from benchmarks.folders import ROOT
from benchmarks.forked import check

PAGE = ROOT / "docs" / "directed.md"
Suite = Callable[[str], Iterator[Instance]]
SAMPLE: tuple[tuple[str, Suite, tuple[str, ...]], ...] = (
    ("families", families.generated, ("fischer A 5", "fischer B 5", "arbiter 2", "arbiter 3", "hanoi 4")),
    ("originals", families.originals, ("leader0 3", "leader0 4", "mutex 2")),
)


def documented(text: str, instance: str, column: str) -> str | None:
    """The cell of the first table with this column that has a row for the instance, without seconds and the published
    figure.

    >>> documented("| instance | bfs | dfs |\\n|---|---|---|\\n| a | 3, 2 (4, 2) | - |", "a", "bfs")
    '3, 2'
    >>> documented("| instance | bfs |\\n|---|---|\\n| a | 3, 2, 0.01 s |", "a", "bfs")
    '3, 2'
    >>> documented("| instance | bfs |\\n|---|---|\\n| a | 3, 2 |", "a", "dfs") is None
    True
    """
    header: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            header = []
        elif not header:
            header = cells
        elif cells[0] == instance and column in header:
            return re.sub(r", [\d.]+ s$", "", cells[header.index(column)].partition(" (")[0])
    return None


def stale(text: str, instance: Instance, configuration: Configuration, limits: Limits) -> str | None:
    """What the page says and what comes out now, if that differs; a dash or an empty cell says nothing."""
    told = documented(text, instance.name, str(configuration))
    if not told or told == "-":
        return None
    now = tables.cell(check(instance.file, instance.asked, limits, [*instance.options, *configuration.options()]))
    return None if now == told else f"{instance.name} | {configuration} | {told} | {now}"


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.docs_figures", description=__doc__)
    parser.add_argument("--time", type=float, default=10.0, help="seconds of processor time for each run")
    options = parser.parse_args()
    limits, text = Limits(options.time, "2G"), PAGE.read_text()
    found = 0
    for name, suite, instances in SAMPLE:
        for instance in (one for wanted in instances for one in suite(wanted)):
            for configuration in SETS[name]:
                line = stale(text, instance, configuration, limits)
                if line is not None:
                    found += 1
                    print(f"| {line} |", flush=True)
    print(f"{found} cells of {PAGE.name} are stale", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
