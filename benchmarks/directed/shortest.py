"""``python -m benchmarks.directed.shortest``: A* by admissible estimates next to breadth-first search.

    python -m benchmarks.directed.shortest --time 10 --memory 2G
    python -m benchmarks.directed.shortest --report

Before anything is measured, each estimate is looked at: it is informed on a model if it says more than 1 of the initial
state and is not the same for all of the first states in the order of breadth-first search (`SAMPLE` of them). Only such
pairs are searched. The second table tells of each model without an informed estimate what its estimates say instead.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from functools import cache
from statistics import median

from benchmarks.beem.measure import Limits
from benchmarks.beem.tables import grouped, table
from benchmarks.directed import coverage
from benchmarks.directed.configurations import Configuration
from benchmarks.directed.corpus import everything
from benchmarks.directed.coverage import Runs
from benchmarks.directed.families import Instance
from benchmarks.folders import RESULTS
from benchmarks.forked import copy

from beeline import engine
from beeline.heuristics import HeuristicError, all_heuristics, build
from beeline.languages import LoadOptions, load
from beeline.model.source import BeelineError
from beeline.problems.make import asked_of, problem_of
from beeline.problems.settings import Settings
from beeline.searches import find

SAMPLE = 200
SECONDS = 20.0
"""For looking at all estimates of one model, of processor time."""
WANTED = ("dL", "Hf", "hL", "lmcut", "pdb", "hAA", "cartesian", "scp")
"""Estimates that never say too much, without tables and with them; more of the latter, with other options, are
compared by `benchmarks.abstraction shortest`."""
BREADTH_FIRST = Configuration("bfs")
LOOKS = RESULTS / "directed-informed.jsonl"
RUNS = RESULTS / "directed-shortest.jsonl"


@dataclass(frozen=True, slots=True)
class Look:
    """What an estimate says on a model: of the initial state, and how many different things of a sample of states.
    `why` tells why it says nothing, `built_s` the processor time until it could be asked."""

    instance: str
    estimate: str
    initial: int | None
    values: int
    states: int
    why: str = ""
    built_s: float = 0.0

    @property
    def informed(self) -> bool:
        return self.initial is not None and self.initial > 1 and self.values > 1

    def __str__(self) -> str:
        if self.why:
            return self.why
        first = "no way" if self.initial is None else self.initial
        return f"{first} in the initial state, {self.values} value{'s' * (self.values != 1)} in {self.states} states"


@cache
def estimates() -> tuple[str, ...]:
    """
    >>> "hL" in estimates(), "hU" in estimates()
    (True, False)
    """
    return tuple(name for name in WANTED if name in all_heuristics() and all_heuristics()[name].promises.admissible)


def look(instance: Instance) -> Iterator[Look]:
    """Every estimate on the first states of a model."""
    network = load(instance.file, options=LoadOptions(dict(_macro(word) for word in instance.options if word != "-D")))
    asked = asked_of(network, None if instance.asked is None else [instance.asked])[0]
    settings = Settings(search=find("astar"), limits=engine.Limits(time=SECONDS, memory=2**31))
    ready = problem_of(network, asked).ready(settings)
    for name in estimates():
        ready.context.deadline = time.monotonic() + SECONDS
        begun = time.process_time()
        try:
            (estimator,) = build(name, ready.context)
        except (HeuristicError, BeelineError) as refusal:
            yield Look(instance.name, name, None, 0, 0, str(refusal).splitlines()[0])
            continue
        built = round(time.process_time() - begun, 3)
        told = [estimator.native.estimate(state) for state in _first(ready.space())]
        yield Look(instance.name, name, told[0], len(set(told)), len(told), built_s=built)


def _first(space: object) -> list[tuple[int, ...]]:
    """States in the order of breadth-first search."""
    waiting = [arc[3] for arc in space.initial_arcs() if arc[3] is not None]  # type: ignore[attr-defined]
    seen = set(waiting)
    for state in waiting:
        if len(waiting) >= SAMPLE:
            break
        for *_, target in space.successor_arcs(state)[1]:  # type: ignore[attr-defined]
            if target is not None and target not in seen:
                seen.add(target)
                waiting.append(target)
    return waiting[:SAMPLE]


def _macro(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    return name, value if sign else "1"


def look_apart(instance: Instance) -> list[Look]:
    """The same in a copy of this process, which has so much processor time and no more."""

    def tell() -> None:
        for one in look(instance):
            print(json.dumps(asdict(one)), flush=True)

    ended = copy(tell, math.ceil(SECONDS))
    found = {look.estimate: look for look in (Look(**json.loads(line)) for line in ended.printed.splitlines())}
    why = f"not looked at in {SECONDS:g} s" if ended.killed else "refused"
    return [found.get(name, Look(instance.name, name, None, 0, 0, why)) for name in estimates()]


def read_looks() -> dict[tuple[str, str], Look]:
    lines = LOOKS.read_text().splitlines() if LOOKS.is_file() else []
    return {(one.instance, one.estimate): one for one in (Look(**json.loads(line)) for line in lines)}


def measure(options: argparse.Namespace, looks: dict[tuple[str, str], Look], runs: Runs) -> None:
    """Looks at what was not looked at, and searches what is informed and was not searched."""
    until = time.monotonic() + options.minutes * 60
    limits = Limits(options.time, options.memory)
    without = coverage.without_error(coverage.read(coverage.FILE))
    LOOKS.parent.mkdir(parents=True, exist_ok=True)
    with LOOKS.open("a") as looked, RUNS.open("a") as searched:
        for group, instance in everything("*", options.only):
            if time.monotonic() > until:
                return
            if instance.name in without:
                continue
            if not all((instance.name, name) in looks for name in estimates()):
                for one in look_apart(instance):
                    looks[instance.name, one.estimate] = one
                    print(json.dumps(asdict(one)), file=looked, flush=True)
            for configuration in wanted(instance.name, looks):
                known = runs.get((instance.name, str(configuration)))
                if known is None or coverage.open_at_less(known, options.time):
                    run = coverage.measure(group, instance, configuration, limits)
                    runs[run.key] = run
                    print(json.dumps(asdict(run)), file=searched, flush=True)


def wanted(name: str, looks: dict[tuple[str, str], Look]) -> list[Configuration]:
    """Breadth-first search, and A* by what is informed; nothing where nothing is."""
    informed = [estimate for estimate in estimates() if looks[name, estimate].informed]
    return [BREADTH_FIRST, *(Configuration("astar", estimate) for estimate in informed)] if informed else []


def ratios(name: str, runs: Runs) -> dict[str, float]:
    """How many times fewer states than breadth-first search each A* explores that comes to a trace as short. (Where a
    fault may lie nearer than what the estimate speaks of, that is no proof.)"""
    first = runs.get((name, str(BREADTH_FIRST)))
    if first is None or not first.found:
        return {}
    found = ((estimate, runs.get((name, f"astar {estimate}"))) for estimate in estimates())
    return {
        estimate: first.expanded / max(1, run.expanded)
        for estimate, run in found
        if run is not None and run.found and run.length == first.length
    }


def each(runs: Runs) -> str:
    """Every model with an informed estimate."""
    lines = []
    for name in coverage.with_error(runs):
        cells = [_cell(runs.get((name, column))) for column in ("bfs", *(f"astar {one}" for one in estimates()))]
        best = max(ratios(name, runs).values(), default=None)
        lines.append((name, *cells, "" if best is None else f"{best:.3g}"))
    return table(("model", "bfs", *estimates(), "times fewer"), lines)


def _cell(run: coverage.Run | None) -> str:
    if run is None:
        return ""
    return f"{grouped(run.expanded)}, {run.length}" if run.found else "-"


def overview(looks: dict[tuple[str, str], Look], runs: Runs) -> str:
    """For each estimate, and for the best of them: on how many models it is informed and answers, the median, and what
    its tables take."""
    names = list(coverage.with_error(runs))
    gathered: defaultdict[str, list[float]] = defaultdict(list)
    asked, alone = Counter[str](), Counter[str]()
    for name in names:
        found = ratios(name, runs)
        gathered["the best of them"] += [max(found.values())] if found else []
        plain = runs.get((name, str(BREADTH_FIRST)))
        for estimate in estimates():
            run = runs.get((name, f"astar {estimate}"))
            asked[estimate] += run is not None
            alone[estimate] += run is not None and run.found and plain is not None and not plain.found
            gathered[estimate] += [found[estimate]] if estimate in found else []
    asked["the best of them"] = len(names)
    lines = []
    for estimate in ("the best of them", *estimates()):
        mine = gathered[estimate]
        middle = f"{median(mine):.3g}" if mine else ""
        taken = [
            looks[name, estimate].built_s
            for name in names
            if (name, estimate) in looks and looks[name, estimate].informed
        ]
        built = f"{median(taken):.2g}, {max(taken):.2g}" if taken else ""
        many = sum(one >= 5 for one in mine)
        lines.append((estimate, asked[estimate], len(mine), middle, many, alone[estimate], built))
    head = (
        "A* by",
        "informed on",
        "both answer",
        "times fewer states, median",
        "at least 5 times",
        "A* alone answers",
        "seconds to prepare, median and most",
    )
    return table(head, lines)


def uninformed(looks: dict[tuple[str, str], Look], names: Sequence[str]) -> str:
    """The models without an informed estimate, and what each estimate says there."""
    lines = []
    for name in names:
        mine = {estimate: looks[name, estimate] for estimate in estimates() if (name, estimate) in looks}
        if mine and not any(one.informed for one in mine.values()):
            said: defaultdict[str, list[str]] = defaultdict(list)
            for estimate, one in mine.items():
                said[str(one)].append(estimate)
            lines.append((name, "; ".join(f"{', '.join(which)}: {what}" for what, which in said.items())))
    return table(("model", "what the estimates say"), lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.directed.shortest",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--time", type=float, default=10.0, help="seconds of processor time for each run")
    parser.add_argument("--memory", default="2G")
    parser.add_argument("--only", default="*", help="a pattern for names of models")
    parser.add_argument("--minutes", type=float, default=1e6, help="begin with no model after so many")
    parser.add_argument("--report", action="store_true", help="measure nothing")
    options = parser.parse_args()
    looks, runs = read_looks(), coverage.read(RUNS)
    if not options.report:
        measure(options, looks, runs)
    names = [name for name in dict.fromkeys(name for name, _ in looks) if fnmatch(name, options.only)]
    with_error = coverage.with_error(runs) | coverage.with_error(coverage.read(coverage.FILE))
    kept = {key: run for key, run in runs.items() if run.instance in names}
    for told in (overview(looks, kept), each(kept), uninformed(looks, [name for name in names if name in with_error])):
        print(told, end="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
