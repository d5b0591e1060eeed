"""Random walks on a device next to the search `auto` of the processor, on the reachable goals of BEEM."""

from __future__ import annotations

import os
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

from benchmarks.beem.tables import table
from benchmarks.gpu.cases import instances

from beeline import Limits, check
from beeline.gpu import Device
from beeline.model.source import BeelineError

MEMORY = 6 * 2**30


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal of an instance."""

    name: str
    file: Path
    number: int


@dataclass(frozen=True, slots=True)
class Found:
    """What a check of a goal gave."""

    verdict: str
    seconds: float
    length: int = 0
    steps: int = 0
    stored: int = 0

    @property
    def shown(self) -> str:
        return f"{self.seconds:.1f} s, {self.length} steps" if self.verdict == "holds" else self.verdict


def reachable() -> list[Goal]:
    """Goals that are known to be reachable."""
    return [
        Goal(f"{instance.name} goal{answer.number}", instance.file, answer.number)
        for instance in instances()
        for answer in instance.published.goals
        if answer.answer == "yes"
    ]


def checked(goal: Goal, seconds: float, engine: str, search: str, heuristic: str | None = None) -> Found:
    """The answer, and how long it took from the beginning."""
    began = monotonic()
    limits = Limits(time=seconds, memory=MEMORY)
    try:
        result = check(
            goal.file, f"goal{goal.number}", engine=engine, search=search, heuristic=heuristic, limits=limits
        )
    except BeelineError as error:
        return Found(f"refused: {str(error).splitlines()[0]}"[:60], monotonic() - began)
    length = 0 if result.trace is None else len(result.trace)
    counts = result.statistics
    return Found(result.verdict, monotonic() - began, length, counts.expanded, counts.stored)


def report(device: Device, hard: float, seconds: float, walking: float) -> int:
    """Prints a row for each goal that `auto` does not find within `hard` seconds."""
    goals = reachable()
    with ProcessPoolExecutor(max(1, (os.cpu_count() or 2) - 2), get_context("spawn")) as pool:
        first = [pool.submit(checked, goal, hard, "explicit", "auto") for goal in goals]
        left = [goal for goal, job in zip(goals, first, strict=True) if job.result().verdict != "holds"]
        print(f"{len(goals)} goals, of which auto finds {len(goals) - len(left)} in {hard:.0f} s", flush=True)
        jobs: list[Future[Found]] = [pool.submit(checked, goal, seconds, "explicit", "auto") for goal in left]
        walked = [checked(goal, walking, "gpu", f"walk:restarts={10**7}") for goal in left]
        layered = [checked(goal, walking, "gpu", "bfs") for goal in left]
        rows = [
            (goal.name, job.result().shown, one.shown, f"{one.steps / 1e6 / max(one.seconds, 1e-9):,.0f}", other.shown)
            for goal, job, one, other in zip(left, jobs, walked, layered, strict=True)
        ]
    print(device.name)
    print(table(("goal", "auto, one core", "walks", "million steps/s", "breadth-first"), rows), flush=True)
    return 0
