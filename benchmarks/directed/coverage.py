"""``python -m benchmarks.directed.coverage``: all models with an error, by every search, in one table.

    python -m benchmarks.directed.coverage --time 10 --memory 2G                     everything
    python -m benchmarks.directed.coverage --configurations 'auto*' bfs --again      these measured afresh
    python -m benchmarks.directed.coverage --report                                  what is there so far

Each run is a line of benchmarks/results/directed-coverage.jsonl as soon as it ends, so that a series can be resumed;
what was left open is measured again when there is more time. A run has so many seconds of processor time, reading and
replay included and the start of Python left out (`benchmarks/forked.py`): on a machine with other work, the clock says
little. Only models of which some run found an error are counted.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path
from statistics import median

from benchmarks.beem.measure import Limits
from benchmarks.beem.tables import grouped, table
from benchmarks.directed.configurations import CONTEXTS, FIRST, LISTS, PLAIN, RANDOM, Configuration
from benchmarks.directed.corpus import GROUPS, everything
from benchmarks.directed.families import Instance
from benchmarks.folders import RESULTS
from benchmarks.forked import check

AUTO = Configuration("auto")
COLUMNS = (
    AUTO,
    FIRST,
    *PLAIN,
    *RANDOM,
    Configuration("greedy"),
    *(Configuration("greedy", name) for name in ("Hf", "hL", "hU", "hFF")),
    Configuration("greedy", "hU", "lifo"),
    *(Configuration("ut", name) for name in ("hL", "hU")),
    Configuration("astar"),
    *(Configuration("astar", name) for name in ("hL", "hU", "lmcut")),
    *LISTS,
    Configuration("multi", "hU", "lifo"),
    Configuration("multi:novelty=2,types=1"),
    *CONTEXTS,
    Configuration("walk"),
    Configuration("switches"),
)
WITHIN = (1, 10, 60)
FILE = RESULTS / "directed-coverage.jsonl"


@dataclass(frozen=True, slots=True)
class Run:
    """One search of one model. `length` is None where nothing was found."""

    group: str
    instance: str
    configuration: str
    limit_s: float
    verdict: str
    expanded: int
    length: int | None
    shortest: bool
    processor_s: float
    clock_s: float

    @property
    def found(self) -> bool:
        return self.length is not None

    @property
    def key(self) -> tuple[str, str]:
        return self.instance, self.configuration


Runs = dict[tuple[str, str], Run]


def read(file: Path) -> Runs:
    """Later lines take the place of earlier ones about the same."""
    lines = file.read_text().splitlines() if file.is_file() else []
    return {run.key: run for run in (Run(**json.loads(line)) for line in lines)}


def measure(group: str, instance: Instance, configuration: Configuration, limits: Limits) -> Run:
    """A run in a process of its own. Sets of states, which `auto` would try in the meantime, are left out: theirs are
    other states."""
    options = [*instance.options, *configuration.options(), "--engine", "explicit"]
    answer = check(instance.file, instance.asked, limits, options)
    return Run(
        group,
        instance.name,
        str(configuration),
        limits.seconds,
        answer["verdict"],
        answer.get("states", {}).get("expanded", 0),
        answer.get("trace_length"),
        answer.get("trace_is_shortest") is True,
        answer["elapsed_s"],
        answer["clock_s"],
    )


def fill(options: argparse.Namespace, runs: Runs) -> None:
    """Measures what is missing. Configurations take turns on a model, so that the machine is the same for all."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    chosen = [one for one in COLUMNS if any(fnmatch(str(one), wanted) for wanted in options.configurations)]
    until = time.monotonic() + options.minutes * 60
    without = without_error(runs)
    with FILE.open("a") as file:
        for group, instance in islice(everything(options.groups, options.only), options.first):
            if time.monotonic() > until:
                break
            for configuration in chosen:
                known = runs.get((instance.name, str(configuration)))
                asked = known and not options.again and not open_at_less(known, options.time)
                if asked or instance.name in without:
                    continue
                run = measure(group, instance, configuration, Limits(options.time, options.memory))
                runs[run.key] = run
                without |= without_error({run.key: run})
                print(json.dumps({name: getattr(run, name) for name in Run.__slots__}), file=file, flush=True)


def without_error(runs: Runs) -> set[str]:
    """Models that a search has seen whole, or that are refused though no estimate is asked for."""
    plain = [str(one) for one in PLAIN]
    ended = (run for run in runs.values() if not run.found)
    return {
        run.instance
        for run in ended
        if run.verdict == "holds" or (run.verdict == "refused" and run.configuration in plain)
    }


def open_at_less(run: Run, seconds: float) -> bool:
    """No answer, though with less time."""
    return run.verdict == "unknown" and run.limit_s < seconds


def with_error(runs: Runs) -> dict[str, str]:
    """The models of which some run found an error, with their groups."""
    return {run.instance: run.group for run in runs.values() if run.found}


def columns(runs: Runs) -> list[str]:
    asked = {configuration for _, configuration in runs}
    return [str(one) for one in COLUMNS if str(one) in asked]


def overview(runs: Runs) -> str:
    """For each configuration: how many models were asked and answered, and what it took."""
    models = with_error(runs)
    rows = []
    for configuration in columns(runs):
        mine = [run for run in runs.values() if run.configuration == configuration and run.instance in models]
        good = [run for run in mine if run.found]
        proven = [run.expanded for run in good if run.shortest]
        within = [sum(run.processor_s <= limit for run in good) for limit in WITHIN if limit <= longest(mine)]
        told = [_middle([run.expanded for run in good]), _middle([run.length or 0 for run in good])]
        rows.append((configuration, len(mine), _slashes(within), *told, len(proven), _middle(proven)))
    limits = [f"{limit}" for limit in WITHIN if limit <= longest(list(runs.values()))]
    head = ("configuration", "asked", f"answered in {' / '.join(limits)} s", "states, median", "steps, median")
    return table((*head, "shortest proven", "states until then, median"), rows)


def longest(runs: Sequence[Run]) -> float:
    return max((run.limit_s for run in runs), default=0.0)


def by_group(runs: Runs) -> str:
    """Models answered, by group."""
    models = with_error(runs)
    rows = []
    for configuration in columns(runs):
        cells = []
        for group in GROUPS:
            mine = [runs.get((name, configuration)) for name, its in models.items() if its == group]
            asked = [run for run in mine if run is not None]
            cells.append(f"{sum(run.found for run in asked)} of {len(asked)}" if asked else "")
        rows.append((configuration, *cells))
    return table(("configuration", *GROUPS), rows)


@dataclass(frozen=True, slots=True)
class Duel:
    """States of one configuration next to another's, on the models that both were asked about. Where one has no answer,
    the other one has fewer."""

    ratios: list[float]
    fewer: int
    equal: int
    more: int

    only_ours: int = 0
    only_theirs: int = 0
    straight: int = 0
    """Of those without fewer: where the other one expands no more states than the shortest way has steps."""

    @property
    def decided(self) -> int:
        return self.fewer + self.equal + self.more

    @property
    def middle(self) -> float:
        """The median of how many times fewer, where what one of both leaves open takes it any number of states."""
        return median([0.0] * self.only_theirs + self.ratios + [math.inf] * self.only_ours)


def duel(runs: Runs, mine: str, other: str, group: str | None = None) -> Duel:
    """
    >>> one = Run("g", "a", "auto", 1, "violated", 10, 3, False, 0.1, 0.1)
    >>> two = Run("g", "a", "bfs", 1, "violated", 200, 3, True, 0.1, 0.1)
    >>> duel({one.key: one, two.key: two}, "auto", "bfs")
    Duel(ratios=[20.0], fewer=1, equal=0, more=0, only_ours=0, only_theirs=0, straight=0)
    """
    ratios, counts, alone, straight = [], {-1: 0, 0: 0, 1: 0}, [0, 0], 0
    ways = shortest_ways(runs)
    for name, its in with_error(runs).items():
        ours, theirs = runs.get((name, mine)), runs.get((name, other))
        if ours is None or theirs is None or not (ours.found or theirs.found) or group not in (None, its):
            continue
        if ours.found and theirs.found:
            ratios.append(theirs.expanded / max(1, ours.expanded))
            counts[(ours.expanded > theirs.expanded) - (ours.expanded < theirs.expanded)] += 1
            straight += theirs.expanded <= min(ours.expanded, ways[name])
        else:
            counts[-1 if ours.found else 1] += 1
            alone[theirs.found] += 1
    return Duel(ratios, counts[-1], counts[0], counts[1], alone[0], alone[1], straight)


def shortest_ways(runs: Runs) -> dict[str, int]:
    """The fewest steps of any trace of each model."""
    ways: dict[str, int] = {}
    for run in runs.values():
        if run.length is not None:
            ways[run.instance] = min(run.length, ways.get(run.instance, run.length))
    return ways


def duels(runs: Runs, mine: str) -> str:
    """States until the first violation next to plain searches, in all and by group."""
    rows = []
    for other in ("bfs", "dfs"):
        for group in (None, *GROUPS):
            result = duel(runs, mine, other, group)
            if result.decided:
                told = (f"{median(result.ratios):.3g}" if result.ratios else "", _times(result.middle))
                share = f"{result.fewer / result.decided:.0%}"
                rest = result.decided - result.straight
                possible = f"{result.fewer / rest:.0%} of {rest}" if rest else ""
                counts = (result.fewer, result.equal, result.more, share, result.straight, possible)
                rows.append((other, group or "all", result.decided, len(result.ratios), *told, *counts))
    head = ("next to", "group", "models", "answered by both", "times fewer states, median of these", "of all")
    return table((*head, "fewer", "equal", "more", "fewer in", "straight", "fewer, of the others"), rows)


def _times(ratio: float) -> str:
    return "open" if math.isinf(ratio) else f"{ratio:.3g}"


def rows(runs: Runs) -> str:
    """Every model: explored states and steps."""
    lines = []
    for name in with_error(runs):
        cells = (runs.get((name, configuration)) for configuration in columns(runs))
        lines.append((name, *(cell(run) for run in cells)))
    return table(("model", *columns(runs)), lines)


def cell(run: Run | None) -> str:
    """Explored states and steps; a dash for no answer, nothing if it was not asked."""
    if run is None:
        return ""
    return f"{grouped(run.expanded)}, {run.length}" if run.found else "-"


def _middle(values: Sequence[int]) -> str:
    return f"{median(values):,.0f}" if values else ""


def _slashes(values: Sequence[int]) -> str:
    return " / ".join(map(str, values))


def report(runs: Runs) -> Iterator[str]:
    """All tables but that of every model."""
    yield overview(runs)
    yield by_group(runs)
    yield f"`{FIRST}`, states until the first violation:\n\n{duels(runs, str(FIRST))}"


def main() -> int:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.directed.coverage",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--time", type=float, default=10.0, help="seconds of processor time for each run")
    parser.add_argument("--memory", default="2G")
    parser.add_argument("--groups", default="*", help="a pattern for groups of models")
    parser.add_argument("--only", default="*", help="a pattern for names of models")
    parser.add_argument("--configurations", nargs="+", default=["*"], help="patterns for configurations")
    parser.add_argument("--first", type=int, help="only so many models, in their order")
    parser.add_argument("--minutes", type=float, default=1e6, help="begin with no model after so many")
    parser.add_argument("--again", action="store_true", help="measure afresh what is there")
    parser.add_argument("--report", action="store_true", help="measure nothing")
    parser.add_argument("--each", action="store_true", help="a table with every model, too")
    options = parser.parse_args()
    runs = read(FILE)
    if not options.report:
        fill(options, runs)
    if not runs:
        print("Nothing was measured yet.", file=sys.stderr)
        return 2
    for told in (*report(runs), *([rows(runs)] if options.each else [])):
        print(told, end="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
