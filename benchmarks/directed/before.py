"""Directed searches of two installations side by side: is the engine faster than it was, at equal results?

    python -m benchmarks.directed.before --other ../before/.venv/bin/python

runs each search by both in turns, each on one core, and tells processor time of the whole command (the start of Python,
reading, compiling and the trace included) and of the native search alone, the least of some runs, with the ratios.
Results are equal if verdict, states and trace are; otherwise the row says what differs.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from benchmarks.beem.tables import grouped, table
from benchmarks.directed import families
from benchmarks.directed.configurations import Configuration
from benchmarks.directed.families import PROMELA, Instance
from benchmarks.speed.processes import timed

GREEDY_U, GREEDY_L = Configuration("greedy", "hU"), Configuration("greedy", "hL")
ASTAR_U, ASTAR_L = Configuration("astar", "hU"), Configuration("astar", "hL")
USELESS, MULTI = Configuration("ut", "hU"), Configuration("multi", "hU, hFF")
AUTO = Configuration("auto")

SEARCHES: tuple[tuple[str, tuple[Configuration, ...]], ...] = (
    ("arbiter 4", (GREEDY_U,)),
    ("arbiter 5", (ASTAR_U, AUTO)),
    ("arbiter 7", (USELESS, MULTI)),
    ("fischer A 25", (USELESS, MULTI, AUTO)),
    ("fischer A 50", (ASTAR_L, GREEDY_L)),
    ("hanoi 7", (ASTAR_L, GREEDY_L, USELESS, AUTO)),
    ("hanoi 8", (GREEDY_U,)),
    ("leader N=10 FAULTY", (GREEDY_U, GREEDY_L, USELESS, AUTO)),
)
"""`auto` has changed since in how it goes on, and is shown for what it takes."""

SEED = ("--seed", "1")

WRAPPER = """
import sys, time
from beeline.cli import main
from beeline.searches.declaration import Search
begin, spent = Search.start, [0.0]
def start(*args, **options):
    before = time.process_time()
    try:
        return begin(*args, **options)
    finally:
        spent[0] += time.process_time() - before
Search.start = start
try:
    main()
finally:
    print(MARK, spent[0])
"""
"""The command line, which at its end tells the processor time of native searches. Any installation has these names."""
MARK = "native search:"


@dataclass(frozen=True, slots=True)
class Run:
    """What one installation took and found."""

    command: float
    search: float
    answer: dict[str, Any]


def instance_of(name: str) -> Instance:
    """A member of the families; Promela models in any size."""
    found = next(families.generated(name), None)
    if found is not None:
        return found
    model, *macros = name.split()
    options = tuple(part for macro in macros for part in ("-D", macro))
    return Instance(name, PROMELA / f"{model}.pml", None, options)


def command(python: Path, instance: Instance, configuration: Configuration) -> list[str]:
    asked = [] if instance.asked is None else ["--property", instance.asked]
    chosen = [*instance.options, *asked, *configuration.options(), *SEED]
    script = WRAPPER.replace("MARK", repr(MARK))
    return [str(python), "-c", script, "check", str(instance.file), *chosen, "--max-memory", "12G", "--json"]


def run(python: Path, instance: Instance, configuration: Configuration, core: int) -> Run:
    done = timed(command(python, instance, configuration), core, expected=(0, 1, 3))
    answer, _, search = done.output.rpartition(MARK)
    return Run(done.seconds, float(search), json.loads(answer))


def least(runs: Sequence[Run]) -> Run:
    """The least of each: what others on the machine add is never negative."""
    return Run(min(one.command for one in runs), min(one.search for one in runs), runs[0].answer)


def difference(now: dict[str, Any], before: dict[str, Any]) -> str:
    """What differs between two answers; nothing if they are equal.

    >>> one = {"verdict": "violated", "states": {"expanded": 3}, "trace_length": 2, "trace": [{"action": "a"}]}
    >>> difference(one, one), difference(one, {**one, "trace_length": 5, "trace": []})
    ('', 'steps 5')
    """
    told = []
    if now["verdict"] != before["verdict"]:
        told.append(before["verdict"])
    if now["states"]["expanded"] != before["states"]["expanded"]:
        told.append(f"expanded {grouped(before['states']['expanded'])}")
    if now.get("trace_length") != before.get("trace_length"):
        told.append(f"steps {before.get('trace_length')}")
    elif _actions(now) != _actions(before):
        told.append("another trace")
    return ", ".join(told)


def _actions(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(step.get("process", ""), step.get("action", "")) for step in answer.get("trace") or []]


def rows(
    other: Path, pattern: str, searches: str, repeats: int, core: int
) -> Iterator[tuple[str, Configuration, Run, Run]]:
    for name, configurations in SEARCHES:
        for configuration in configurations:
            if not fnmatch(name, pattern) or not fnmatch(str(configuration), searches):
                continue
            instance = instance_of(name)
            now: list[Run] = []
            before: list[Run] = []
            for _ in range(repeats):
                before.append(run(other, instance, configuration, core))
                now.append(run(Path(sys.executable), instance, configuration, core))
            yield name, configuration, least(now), least(before)


HEADER = ("instance", "search", "expanded", "steps", "before, s", "now, s", "times faster", "search alone", "differs")


def line(name: str, configuration: Configuration, now: Run, before: Run) -> tuple[str, ...]:
    return (
        name,
        str(configuration),
        grouped(now.answer["states"]["expanded"]),
        str(now.answer.get("trace_length") or ""),
        f"{before.command:.2f}",
        f"{now.command:.2f}",
        f"{before.command / now.command:.1f}",
        f"{before.search / now.search:.1f}",
        difference(now.answer, before.answer),
    )


def mean(ratios: Sequence[float]) -> float:
    """The geometric one.

    >>> mean([2.0, 8.0])
    4.0
    """
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def families_of(measured: Sequence[tuple[str, Configuration, Run, Run]]) -> str:
    """A line for each family: geometric means of the ratios of searches with equal results."""
    kept: dict[str, list[tuple[float, float]]] = {}
    for name, _, now, before in measured:
        if not difference(now.answer, before.answer):
            ratios = (before.command / now.command, before.search / now.search)
            kept.setdefault(name.split()[0], []).append(ratios)
    lines = [
        (name, str(len(ratios)), f"{mean([a for a, _ in ratios]):.1f}", f"{mean([b for _, b in ratios]):.1f}")
        for name, ratios in kept.items()
    ]
    return table(("family", "searches with equal results", "times faster", "search alone"), lines)


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.directed.before", description=__doc__)
    parser.add_argument("--other", type=Path, required=True, help="the python of the other installation")
    parser.add_argument("--only", default="*", help="a pattern for names of instances")
    parser.add_argument("--searches", default="*", help="a pattern for searches")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    options = parser.parse_args()
    measured = []
    for row in rows(options.other.absolute(), options.only, options.searches, options.repeats, options.core):
        measured.append(row)
        print(" | ".join(line(*row)), file=sys.stderr)
    print(table(HEADER, [line(*row) for row in measured]), end="\n\n")
    print(families_of(measured))
    return 0


if __name__ == "__main__":
    sys.exit(main())
