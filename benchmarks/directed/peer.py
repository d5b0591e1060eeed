"""``python -m benchmarks.directed.peer``: the same networks by Fast Downward (``pip install up-fast-downward``).

Each row is one go: the network is exported as a planning task, then both tools run on it with one limit. Seconds are
processor time of the search alone, with its heuristics made ready before, the median of several for short ones. Below
the table: in how many rows ours is ahead, and what an estimate costs in searches of the same kind."""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from functools import partial
from os import sysconf
from pathlib import Path
from statistics import median
from time import process_time, thread_time

from benchmarks.directed import families
from benchmarks.directed.configurations import Configuration
from benchmarks.directed.families import Instance
from benchmarks.folders import MADE
from benchmarks.forked import copy

from beeline import check, engine
from beeline.engine import core
from beeline.engine.native_space import NativeSpace
from beeline.records import replace
from beeline.searches.declaration import Guide, Search

OURS = (
    Configuration("multi", "hU", "lifo"),
    Configuration("multi", "hFF"),
    Configuration("multi", "hU, hFF"),
    Configuration("multi", "hU, landmarks"),
    Configuration("auto:improve=0"),
    Configuration("auto"),
    Configuration("greedy", "hU"),
    Configuration("greedy", "hFF"),
    Configuration("ut", "hU"),
    Configuration("greedy", "hCG"),
    Configuration("astar", "hL"),
    Configuration("astar", "lmcut"),
)
THEIRS = {
    "FD greedy ff": "eager_greedy([ff()])",
    "FD greedy cg": "eager_greedy([cg()])",
    "FD lazy ff, preferred": "let(h, ff(), lazy_greedy([h], preferred=[h]))",
    "FD lama-first": (
        "let(hlm, landmark_sum(lm_factory=lm_reasonable_orders_hps(lm_rhw()), pref=false), "
        "let(hff, ff(), lazy_greedy([hff, hlm], preferred=[hff, hlm])))"
    ),
    "FD astar lmcut": "astar(lmcut())",
    "FD astar hmax": "astar(hmax())",
}
OPPONENTS = (
    ("auto:improve=0", "FD lama-first"),
    ("auto:improve=0", "FD lazy ff, preferred"),
    ("multi hU lifo", "FD lama-first"),
    ("multi hU lifo", "FD lazy ff, preferred"),
    ("multi hFF", "FD lama-first"),
    ("multi hFF", "FD lazy ff, preferred"),
    ("multi hU, landmarks", "FD lama-first"),
    ("multi hU, hFF", "FD lama-first"),
    ("greedy hFF", "FD greedy ff"),
    ("greedy hCG", "FD greedy cg"),
    ("astar hL", "FD astar hmax"),
    ("astar lmcut", "FD astar lmcut"),
)
PLANNING = ("blocks", "elevator_planning", "frogs", "hanoi", "loyd", "peg_solitaire", "pouring", "rushhour", "sokoban")
LONG_ENOUGH = 0.05
"""Seconds of a search of which an estimate's share is told."""
AROUND = 20
"""Seconds for reading, preparing and replay."""
REPEATED = 5
"""How often a search is made that takes less than a second in all."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool tells of one search."""

    explored: int
    length: int
    seconds: float
    evaluated: int

    def __str__(self) -> str:
        return f"{self.explored:,}, {self.length}, {1000 * self.seconds:.3g} ms"


Row = dict[str, Answer | None]


def find_peer() -> Path | None:
    """Fast Downward's search program."""
    package = importlib.util.find_spec("up_fast_downward")
    if package is not None and package.submodule_search_locations:
        found = Path(package.submodule_search_locations[0]) / "downward" / "builds" / "release" / "bin" / "downward"
        if found.is_file():
            return found
    on_path = shutil.which("downward")
    return None if on_path is None else Path(on_path)


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.directed.peer", description=__doc__)
    parser.add_argument("--time", type=float, default=10.0)
    parser.add_argument("--memory", default="2G")
    parser.add_argument("--only", default="*")
    options = parser.parse_args()
    peer = find_peer()
    if peer is None:
        print("Fast Downward is not there: pip install up-fast-downward", file=sys.stderr)
        return 2
    limits = engine.Limits(time=options.time, memory=engine.parse_size(options.memory))
    columns = [*map(str, OURS), *THEIRS]
    print("| instance | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    rows: list[Row] = []
    for instance in _instances(options.only):
        row = _row(instance, limits, peer)
        if row is None:
            print(f"| {instance.name} | cannot be exported |")
            continue
        rows.append(row)
        print(f"| {instance.name} | {' | '.join(str(row[column] or '-') for column in columns)} |", flush=True)
    print("\n| ours | theirs | rows answered, ours and theirs | fewer states | less time | microseconds an estimate |")
    print("|---|---|--:|--:|--:|--:|")
    for ours, theirs in OPPONENTS:
        print(_compared(rows, ours, theirs))
    return 0


def _instances(only: str) -> Iterator[Instance]:
    """The papers' families, and the first goals of BEEM's models that are like planning problems."""
    wanted = [instance for family in ("arbiter*", "hanoi*", "random*") for instance in families.generated(family)]
    wanted += [instance for family in PLANNING for instance in families.reachable_goals(f"{family}.[1-3] goal1")]
    return (instance for instance in wanted if fnmatch(instance.name, only))


def _compared(rows: list[Row], ours: str, theirs: str) -> str:
    """A row of the second table. What one of the two does not answer counts for the other; what both do not, for none.
    States and times that are equal count for neither."""
    asked = [(row[ours], row[theirs]) for row in rows if row[ours] or row[theirs]]

    def ahead(figure: Callable[[Answer], float]) -> int:
        return sum(one is not None and (other is None or figure(one) < figure(other)) for one, other in asked)

    counts = [sum(pair[side] is not None for pair in asked) for side in (0, 1)]
    return (
        f"| {ours} | {theirs} | {counts[0]}, {counts[1]} | {ahead(lambda each: each.explored)} of {len(asked)} "
        f"| {ahead(lambda each: each.seconds)} of {len(asked)} | {_rate(rows, ours)}, {_rate(rows, theirs)} |"
    )


def _rate(rows: list[Row], search: str) -> str:
    """Time of the search for one estimate, the median of the rows that take long enough to tell."""
    long = [one for row in rows if (one := row[search]) is not None and one.seconds >= LONG_ENOUGH]
    return f"{median(1e6 * one.seconds / max(1, one.evaluated) for one in long):.1f}" if long else "-"


def _row(instance: Instance, limits: engine.Limits, peer: Path) -> Row | None:
    """The answer of each search of each tool; none where the network is no planning task."""
    task = MADE / f"{instance.name.replace(' ', '_')}.sas"
    beeline = str(Path(sys.executable).with_name("beeline"))
    export = [beeline, "export", str(instance.file), "--property", str(instance.asked), "--output", str(task)]
    if subprocess.run(export, stderr=subprocess.DEVNULL, check=False).returncode != 0:
        return None
    row: Row = {str(one): _usual(partial(_by_us, instance, one, limits)) for one in OURS}
    return row | {name: _usual(partial(_by_peer, peer, task, search, limits)) for name, search in THEIRS.items()}


def _usual(search: Callable[[], Answer | None]) -> Answer | None:
    """The median of several."""
    answers = [search()]
    while answers[0] is not None and len(answers) < REPEATED and len(answers) * answers[0].seconds < 1:
        answers.append(search())
    return (
        sorted((one for one in answers if one is not None), key=lambda one: one.seconds)[len(answers) // 2]
        if answers[0]
        else None
    )


def _by_us(instance: Instance, configuration: Configuration, limits: engine.Limits) -> Answer | None:
    """Asked in a copy of this process, whose searches are watched. The limit is theirs: the peer's task is ready."""
    seconds = math.ceil(limits.time or 0)

    def ask() -> None:
        used = [0.0]
        _watch(used, seconds)
        result = check(
            instance.file,
            instance.asked,
            search=configuration.search,
            heuristic=configuration.heuristic,
            ties=configuration.ties,
            limits=replace(limits, time=None),
        )
        if result.trace is not None:
            told = result.statistics
            print(json.dumps(asdict(Answer(told.expanded, len(result.trace), used[0], told.evaluated))))

    printed = copy(ask, seconds + AROUND).printed
    return Answer(**json.loads(printed)) if printed else None


def _watch(used: list[float], seconds: int) -> None:
    """Adds up the processor time of all searches, each of which may take so much. Estimates that are made when they are
    first asked are asked before: the peer makes its own before its clock begins, too."""
    start = Search.start

    def timed(
        search: Search, space: NativeSpace, request: core.Request, guide: Guide, *, seed: int | None = None
    ) -> core.Outcome:
        for *_, state in space.initial_arcs():
            if state is not None:
                for native in guide.natives:
                    native.estimate(state)
        before, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (min(most, math.ceil(process_time() + seconds)), most))
        begun = thread_time()
        try:
            return start(search, space, request, guide, seed=seed)
        finally:
            used[0] += thread_time() - begun
            resource.setrlimit(resource.RLIMIT_CPU, (before, most))

    Search.start = timed  # type: ignore[method-assign, assignment]


def _by_peer(peer: Path, task: Path, search: str, limits: engine.Limits) -> Answer | None:
    with task.open() as given:
        command = [str(peer), "--search", search, "--internal-plan-file", str(task.with_suffix(".plan"))]
        started = subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        printed = _printed(started, limits.time or math.inf)
    told = [
        re.search(pattern, printed)
        for pattern in (
            r"Expanded (\d+) state",
            r"Plan cost: (\d+)",
            r"Search time: ([\d.e+-]+)s",
            r"Evaluated (\d+) state",
        )
    ]
    if None in told:
        return None
    explored, length, taken, evaluated = (float(found[1]) for found in told if found is not None)
    return Answer(int(explored), int(length), taken, int(evaluated))


def _printed(started: subprocess.Popen[str], seconds: float) -> str:
    """What a command says within so much processor time. A limit of the system's own makes clocks coarse."""
    while True:
        try:
            return started.communicate(timeout=0.1)[0]
        except subprocess.TimeoutExpired:
            fields = Path(f"/proc/{started.pid}/stat").read_text().rpartition(")")[2].split()
            if (int(fields[11]) + int(fields[12])) / sysconf("SC_CLK_TCK") > seconds:
                started.kill()


if __name__ == "__main__":
    sys.exit(main())
