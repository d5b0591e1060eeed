"""Counts, depths, verdicts and shortest traces of searches on a device next to those of the processor.

Each model is for one of several processes: the processor searches it, then the device does, which they all share.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context

from benchmarks.gpu.cases import Case

from beeline.engine import Found, Limits, Outcome, Status, core
from beeline.gpu import Device, find_device
from beeline.gpu.search import Preparation, Setup, search
from beeline.model.source import BeelineError
from beeline.searches.runner import run

COUNTS = ("stored", "generated", "deadlocks", "errors", "goals", "transient", "depth")
STOPS = (Found.NOTHING, Found.ANYTHING)
SAME, REFUSED, LIMITED, DIFFERENT = "same", "refused", "limited", "different"
MEMORY = 6 * 2**30
"""Bytes of the device for each process."""
TOLD = 200
"""Models after which there is a word of progress."""
Answer = tuple[object, ...]
"""What is compared of an outcome."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A word, and what differs or why nothing was compared."""

    name: str
    word: str
    remark: str = ""


def answer_of(outcome: Outcome) -> Answer:
    """Status, what was found, how, and the counts: all of them where all was seen."""
    numbers = [getattr(outcome.statistics, name) for name in (COUNTS if outcome.complete else ("depth",))]
    return outcome.status.value, outcome.found.value, outcome.path, outcome.failed_step, *numbers


def expected(program: core.Program, limit: int) -> list[Outcome]:
    """What the processor finds, by what ends the search. Where there is nothing to find, one search is enough."""
    limits = Limits(states=limit)
    first = run(core.ProgramSpace(program), "bfs", stop=Found.NOTHING, limits=limits)
    if first.statistics.deadlocks + first.statistics.errors + first.statistics.goals == 0:
        return [first, first]
    return [first, run(core.ProgramSpace(program), "bfs", stop=Found.ANYTHING, limits=limits)]


@cache
def _device() -> Device:
    """That of this process."""
    return find_device()


def compare(case: Case, limit: int) -> Compared:
    """Searches on both."""
    try:
        program = case.program()
        if why := core.not_for_devices(program):
            return Compared(case.name, REFUSED, why)
        wanted = expected(program, limit)
    except core.TooManyProcesses:
        return Compared(case.name, LIMITED, "processes")
    except BeelineError as error:
        return Compared(case.name, REFUSED, str(error).splitlines()[0])
    if any(outcome.status not in (Status.EXHAUSTED, Status.FOUND) for outcome in wanted):
        return Compared(case.name, LIMITED, ", ".join(outcome.status.value for outcome in wanted))
    preparation = Preparation(_device(), program)
    preparation.run()
    for stop, one in zip(STOPS, wanted, strict=True):
        outcome, told = search(_device(), program, Setup(stop, memory=MEMORY), preparation)
        if (found := answer_of(outcome)) != answer_of(one):
            remark = f"{stop}, store {told.store}: {_shown(found)}, the processor {_shown(answer_of(one))}"
            return Compared(case.name, DIFFERENT, remark)
    return Compared(case.name, SAME)


def _shown(answer: Answer) -> str:
    status, found, path, _, *numbers = answer
    return f"{status} {found} path of {len(path)} {numbers}"  # type: ignore[arg-type]


def compare_all(cases: Iterable[Case], limit: int, alone: bool) -> Iterator[Compared]:
    """All of them, as they come."""
    if alone:
        yield from (compare(case, limit) for case in cases)
        return
    with ProcessPoolExecutor(max(1, (os.cpu_count() or 2) - 1), get_context("spawn")) as pool:
        for job in as_completed([pool.submit(compare, case, limit) for case in cases]):
            yield job.result()


def report(device: Device, cases: Iterable[Case], limit: int, alone: bool = False) -> int:
    """Prints what differs, and how many are the same; 1 if any differs."""
    words: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for one in compare_all(cases, limit, alone):
        words[one.word] += 1
        if one.word == DIFFERENT:
            print(f"{one.name}: {one.remark}", flush=True)
        elif one.remark:
            reasons[f"{one.word}: {one.remark}"] += 1
        if words.total() % TOLD == 0:
            print(f"{words.total()}: {dict(words)}", flush=True)
    for reason, count in sorted(reasons.items()):
        print(f"{count} {reason}")
    print(f"{device.name}: " + ", ".join(f"{count} {word}" for word, count in sorted(words.items())), flush=True)
    return int(words[DIFFERENT] > 0 or words[SAME] == 0)
