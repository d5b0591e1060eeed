"""States per second on a device, next to one core and all cores of the processor and to the bare table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from statistics import median
from time import monotonic

from benchmarks.beem.tables import table
from benchmarks.gpu.cases import Case
from benchmarks.gpu.table import table_rate

from beeline.engine import Found, Limits, Outcome, core
from beeline.gpu import Device
from beeline.gpu.cuda import compiled
from beeline.gpu.search import SAMPLE, Preparation, Setup, Told, search
from beeline.gpu.source import PLAIN, device_source, store_for
from beeline.jit import NATIVE
from beeline.searches.runner import run

MODELS = (
    *("adding.6", "anderson.3", "anderson.7", "anderson.8", "at.5", "at.6", "at.7", "bakery.7", "bakery.8", "blocks.4"),
    *("brp.6", "cambridge.7", "collision.4", "collision.6", "driving_phils.4", "elevator2.3", "firewire_link.5"),
    *("fischer.5", "fischer.7", "frogs.5", "hanoi.3", "iprotocol.7", "lamport.8", "lann.7", "leader_filters.6"),
    *("lifts.8", "loyd.3", "mcs.5", "needham.4", "peterson.5", "peterson.7", "phils.6", "phils.8", "production_cell.6"),
    *("sorter.4", "train-gate.7", "pots", "counters N=7"),
)
MILLION = 1e6


@dataclass(frozen=True, slots=True)
class Rate:
    """One search on the device."""

    case: Case
    outcome: Outcome
    told: Told
    loading: float
    """Seconds to read the model and learn its values."""
    compiling: float
    one: float
    """States per second of one core."""
    all: float
    """Of all cores."""
    table: float
    """Insertions a second of the bare table."""

    @property
    def states(self) -> float:
        return self.outcome.statistics.stored / self.told.searching

    @property
    def arcs(self) -> float:
        return self.outcome.statistics.generated / self.told.searching

    @property
    def cells(self) -> Iterator[str]:
        statistics = self.outcome.statistics
        yield self.case.name
        yield f"{statistics.stored:,}" + ("" if self.outcome.complete else f" ({self.outcome.status.value})")
        yield f"{statistics.generated / max(1, statistics.stored):.1f}"
        yield f"{statistics.depth:,}"
        yield f"{self.told.store} {self.told.key_bits}"
        yield f"{statistics.memory / max(1, statistics.stored):.0f}"
        yield f"{self.loading + self.compiling:.1f}"
        yield f"{self.told.searching:.3f}"
        yield f"{self.states / MILLION:,.0f}"
        yield f"{self.states / self.one:,.0f}" if self.one else ""
        yield f"{self.states / self.all:,.0f}" if self.all else ""
        yield f"{100 * self.arcs / self.table:.0f}%" if self.table else ""


HEADER = (
    "model",
    "states",
    "arcs a state",
    "depth",
    "store, bits",
    "bytes a state",
    "cold, s",
    "search, s",
    "million states/s",
    "to one core",
    f"to {os.cpu_count()} cores",
    "of the table's rate",
)


def prepare(case: Case, device: tuple[str, bool], native: bool, store: str) -> tuple[float, float]:
    """Seconds to load a model and learn its values, and to compile it; for the processor it is compiled as well."""
    began = monotonic()
    program = case.program()
    twin = core.HostTwin(program)
    twin.sample(SAMPLE)
    architecture, has_pairs = device
    source = device_source(twin, store_for(twin, has_pairs, store))
    loaded = monotonic()
    if architecture:
        compiled(source, architecture)
    ready = monotonic()
    if native:
        run(core.ProgramSpace(program), "bfs", stop=Found.NOTHING, limits=Limits(states=1000), tier=NATIVE)
    return loaded - began, ready - loaded


def processor_rate(program: core.Program, threads: int, seconds: float) -> float:
    """States per second of so many threads, as far as they come in that time."""
    if seconds <= 0:
        return 0.0
    space = core.ProgramSpace(program)
    statistics = run(
        space, "bfs", stop=Found.NOTHING, limits=Limits(time=seconds), threads=threads, tier=NATIVE
    ).statistics
    return statistics.stored / statistics.seconds


def rate(device: Device, case: Case, prepared: tuple[float, float], seconds: float, store: str) -> Rate:
    """All of one model; the processor may search for so many seconds."""
    program = case.program()
    preparation = Preparation(device, program, store=store)
    preparation.run()
    setup = Setup(keeps=False, limits=Limits(time=60.0), store=store)
    outcome, told = search(device, program, setup, preparation)
    statistics = outcome.statistics
    one, every = (processor_rate(program, threads, seconds) for threads in (1, os.cpu_count() or 1))
    bare_rate = 0.0
    if seconds > 0 and outcome.complete:
        bare_rate = table_rate(
            device, preparation.result(), told.store, statistics.stored, statistics.generated, told.buckets
        )
    return Rate(case, outcome, told, *prepared, one, every, bare_rate)


def report(device: Device, cases: Iterable[Case], seconds: float, store: str = PLAIN) -> int:
    """Prints a row for each, and the median. Without time for the processor the device is not compared with it."""
    kind, cases = (getattr(device, "architecture", ""), device.has_pairs), list(cases)
    with ProcessPoolExecutor(max(1, (os.cpu_count() or 2) - 1), get_context("spawn")) as pool:
        jobs = [pool.submit(prepare, case, kind, seconds > 0, store) for case in cases]
        prepared = [job.result() for job in jobs]
    print(device.name, flush=True)
    print(table(HEADER, []), flush=True)
    rates = []
    for case, times in zip(cases, prepared, strict=True):
        rates.append(rate(device, case, times, seconds, store))
        print(f"| {' | '.join(rates[-1].cells)} |", flush=True)
    complete = sorted(one.states / MILLION for one in rates if one.outcome.complete)
    if complete:
        print(f"\n{len(complete)} complete: median {median(complete):,.0f}, best {complete[-1]:,.0f} million states/s")
    return 0
