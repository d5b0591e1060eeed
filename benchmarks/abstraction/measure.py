"""One run: a search by an estimate on an instance, with what it took to build the estimate."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.abstraction.instances import Instance
from benchmarks.folders import RESULTS

from beeline import Limits, check
from beeline.heuristics import HeuristicError


@dataclass(frozen=True)
class Run:
    """What came out. `build_s` is what the estimate's tables took, as the result itself says."""

    verdict: str
    explored: int
    length: int | None
    build_s: float
    search_s: float

    def __str__(self) -> str:
        return "-" if self.length is None else f"{self.explored:,}, {self.length:,}"

    @property
    def seconds(self) -> float:
        return self.build_s + self.search_s


def run(instance: Instance, search: str, heuristic: str | None, seconds: float) -> Run:
    """Search, at most for so long and in two gigabytes."""
    network = instance.network()
    try:
        result = check(
            network,
            network.properties[0],
            search=search,
            heuristic=heuristic,
            limits=Limits(time=seconds, memory=2 * 2**30),
        )
    except HeuristicError:
        return Run("refused", 0, None, 0.0, 0.0)
    length = None if result.trace is None else len(result.trace)
    built = sum(float(seconds) for seconds in re.findall(r", ([\d.]+) s", result.heuristic_note))
    return Run(result.verdict, result.statistics.expanded, length, built, result.statistics.seconds)


class Book:
    """Runs that were made before, so that a long measurement can go on where it ended."""

    def __init__(self, seconds: float, again: bool) -> None:
        self.seconds = seconds
        self.file = RESULTS / "abstraction.jsonl"
        self.runs: dict[str, Run] = {}
        RESULTS.mkdir(parents=True, exist_ok=True)
        if self.file.is_file() and not again:
            for line in self.file.read_text().splitlines():
                entry = json.loads(line)
                key = entry.pop("key")
                self.runs[key] = Run(**entry)

    def run(self, instance: Instance, search: str, heuristic: str | None) -> Run:
        key = f"{instance.name} | {search} | {heuristic} | {self.seconds}"
        if key not in self.runs:
            self.runs[key] = run(instance, search, heuristic, self.seconds)
            with self.file.open("a") as file:
                file.write(json.dumps({"key": key, **asdict(self.runs[key])}) + "\n")
        return self.runs[key]


def kept(name: str) -> Path:
    """Where a picture is kept, beside the results."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    return RESULTS / name
