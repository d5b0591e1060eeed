"""``python -m benchmarks.directed.threads``: directed searches by several threads next to one.

    python -m benchmarks.directed.threads [--repeats 3] [--threads 2] [--only 'arbiter*']

One thread and several take turns, each run in a process of its own; answers and counts must be the same. Shown are
seconds of the clock (the least of all runs), processor seconds of the thread that searches, and of all. On a machine
that others use as well the clock says little; the searching thread's processor time is what the clock would say if
every thread had a core.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from statistics import median
from typing import Any
from unittest.mock import patch

from benchmarks.beem.tables import grouped, table
from benchmarks.directed import families
from benchmarks.directed.families import Instance

from beeline.checking import check
from beeline.engine import Limits, Outcome
from beeline.languages import LoadOptions, load
from beeline.problems import settings
from beeline.searches import runner

SUITES = (
    families.generated,
    families.correct,
    families.promela,
    families.reachable_goals,
    families.unreachable_goals,
)
STATES = 100_000
CASES: tuple[tuple[str, str, str | None], ...] = (
    ("arbiter 5 correct", "greedy", "hU"),
    ("arbiter 5 correct", "astar", "hL"),
    ("arbiter 5 correct", "ut", "hU"),
    ("arbiter 5 correct", "auto:race=0", None),
    ("arbiter 4 correct", "greedy", "hFF"),
    ("fischer B 15 correct", "greedy", "hU"),
    ("fischer B 15 correct", "astar", "hL"),
    ("hanoi 8", "greedy", "hU"),
    ("hanoi 8", "astar", "hL"),
    ("hanoi 8", "auto:race=0", None),
    ("leader N=5 FAULTY", "astar", "hL"),
    ("elevator_planning.3 goal1", "astar", "hL"),
    ("sokoban.2 goal1", "greedy", "hU"),
    ("sokoban.2 goal1", "astar", "hL"),
    ("leader_filters.6 goal1", "greedy", "hU"),
    ("krebs.3 goal1", "greedy", "hCEA"),
    ("leader_election.3 goal1", "greedy", "hU"),
    ("elevator.4 goal1", "multi", "hU, hFF"),
    ("lifts.6 goal1", "greedy", "hFF"),
    ("peg_solitaire.4 goal1", "greedy", "hU"),
    ("firewire_tree.4 goal1", "astar", "hL"),
)


@dataclass(frozen=True, slots=True)
class Case:
    """An instance with a way to search it."""

    instance: Instance
    search: str
    heuristic: str | None

    @property
    def name(self) -> str:
        return " ".join(part for part in (self.instance.name, self.search, self.heuristic) if part)


def cases(pattern: str) -> Iterator[Case]:
    """Those whose models are there."""
    for name, search, heuristic in CASES:
        found = (instance for suite in SUITES for instance in suite(name))
        instance = next(found, None)
        if instance is not None and fnmatch(name, pattern):
            yield Case(instance, search, heuristic)


def measure(case: Case, threads: int, states: int) -> dict[str, Any]:
    """One search: its answer, its counts and its seconds, without what comes before and after it."""
    seconds: dict[str, float] = {}
    search = runner.run

    def timed(*arguments: Any, **options: Any) -> Outcome:
        wall, own, all_threads = time.perf_counter(), time.thread_time(), time.process_time()
        outcome = search(*arguments, **options)
        seconds.update(wall=time.perf_counter() - wall, own=time.thread_time() - own)
        seconds.update(all=time.process_time() - all_threads)
        return outcome

    defines = dict(_macro(word) for word in case.instance.options if word != "-D")
    network = load(case.instance.file, options=LoadOptions(defines))
    with patch.object(settings, "run", timed):
        result = check(
            network,
            case.instance.asked,
            search=case.search,
            heuristic=case.heuristic,
            limits=Limits(states=states, time=120),
            threads=threads,
            tier="bytecode",
        )
    counts = result.statistics
    told = [result.verdict, result.reason, result.shortest, len(result.trace.steps) if result.trace else None]
    told += [counts.stored, counts.expanded, counts.generated, counts.evaluated]
    about = {"threads": result.threads, "note": result.threads_note, "verdict": result.verdict}
    return {**seconds, **about, "told": told, "states": counts.stored}


def _macro(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    return name, value if sign else "1"


def measure_apart(number: int, threads: int, states: int) -> dict[str, Any]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.directed.threads", "--one", str(number)]
    command += ["--threads", str(threads), "--states", str(states)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


def row(number: int, case: Case, threads: int, repeats: int, states: int) -> list[str]:
    """One thread and several in turns, as a line of the table."""
    runs: dict[int, list[dict[str, Any]]] = {1: [], threads: []}
    for _ in range(repeats):
        for count, measured in runs.items():
            measured.append(measure_apart(number, count, states))
            assert measured[-1]["told"] == runs[1][0]["told"], f"{case.name}: {measured[-1]} next to {runs[1][0]}"
    least = {count: {what: min(run[what] for run in runs[count]) for what in ("wall", "own", "all")} for count in runs}
    one, several = least[1], least[threads]
    return [
        case.name,
        runs[1][0]["verdict"],
        grouped(runs[1][0]["states"]),
        *(f"{figures['wall']:.2f}" for figures in (one, several)),
        f"{one['wall'] / several['wall']:.2f}",
        *(f"{figures:.2f}" for figures in (one["all"], several["own"], several["all"])),
        f"{one['own'] / several['own']:.2f}",
    ]


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.directed.threads", description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--states", type=int, default=STATES, help="a search that would go on for long ends with so many"
    )
    parser.add_argument("--only", default="*", help="a pattern for names of instances")
    parser.add_argument("--one", type=int, help="measure only this case, here, and print one JSON object")
    options = parser.parse_args()
    found = list(cases("*"))
    if options.one is not None:
        print(json.dumps(measure(found[options.one], options.threads, options.states)))
        return 0
    lines = []
    for number, case in enumerate(found):
        if fnmatch(case.instance.name, options.only):
            lines.append(row(number, case, options.threads, options.repeats, options.states))
            print(*lines[-1], sep="  ", file=sys.stderr)
    if not lines:
        print("No such case, or its model is not there.", file=sys.stderr)
        return 2
    lines.append(["median", *[""] * 4, *(_median(lines, 5)), *[""] * 3, *(_median(lines, 9))])
    header = ("search", "answer", "states", "1 thread, s", f"{options.threads} threads, s", "times faster")
    busy = ("1 thread, processor s", f"{options.threads} threads: the searching one", "all", "times less")
    print(table((*header, *busy), [tuple(line) for line in lines]))
    return 0


def _median(lines: list[list[str]], column: int) -> list[str]:
    return [f"{median(float(line[column]) for line in lines):.2f}"]


if __name__ == "__main__":
    sys.exit(main())
