"""Beeline next to itself: other stores, and two threads instead of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.beem.tables import grouped, table
from benchmarks.speed.models import Model
from benchmarks.speed.processes import explore_alone

LOSSLESS = ("plain", "tree")
STORES = (*LOSSLESS, "hash-compact", "bitstate")


@dataclass(frozen=True, slots=True)
class Variant:
    """One model under several options: for each of them the runs, as `search_alone` tells them."""

    model: Model
    runs: dict[str, list[dict[str, float]]]

    def value(self, option: str, what: str) -> float:
        """The median."""
        return median(run[what] for run in self.runs[option])

    def least(self, option: str, what: str) -> float:
        """The least, for the clock of a machine that others use as well."""
        return min(run[what] for run in self.runs[option])


def explored(model: Model, *options: str) -> dict[str, float]:
    """One exploration in a process of its own."""
    return explore_alone(model.path, *model.macros, *options)


def stores(model: Model, repeats: int) -> Variant:
    """All stores in turns."""
    taken: dict[str, list[dict[str, float]]] = {store: [] for store in STORES}
    for _ in range(repeats):
        for store in STORES:
            taken[store].append(explored(model, f"--store={store}"))
            assert store not in LOSSLESS or taken[store][-1]["states"] == model.states
    return Variant(model, taken)


def threads(model: Model, repeats: int) -> Variant:
    """One thread and two in turns."""
    taken: dict[str, list[dict[str, float]]] = {count: [] for count in ("1", "2")}
    for _ in range(repeats):
        for count in taken:
            taken[count].append(explored(model, f"--threads={count}"))
            assert taken[count][-1]["states"] == model.states
    return Variant(model, taken)


def stores_table(rows: Sequence[Variant]) -> str:
    """Bytes for each state, the rate next to that of the plain store, and how probable a miss is."""

    def rate(row: Variant, store: str) -> float:
        return row.value("plain", "seconds") / row.value(store, "seconds")

    lines = [
        (
            row.model.name,
            grouped(row.model.states),
            *(f"{row.value(store, 'memory') / row.model.states:.1f}" for store in STORES[:3]),
            *(f"{rate(row, store):.2f}" for store in STORES[1:]),
            *(f"{row.value(store, 'omission'):.1e}" for store in STORES[2:]),
        )
        for row in rows
    ]
    lines.append(
        (
            "median",
            "",
            *(f"{median(row.value(store, 'memory') / row.model.states for row in rows):.1f}" for store in STORES[:3]),
            *(f"{median(rate(row, store) for row in rows):.2f}" for store in STORES[1:]),
            "",
            "",
        )
    )
    header = (
        "model",
        "states",
        *(f"{store}, bytes" for store in STORES[:3]),
        *(f"{store}, rate" for store in STORES[1:]),
        *(f"{store}, omission" for store in STORES[2:]),
    )
    return table(header, lines)


def threads_table(rows: Sequence[Variant]) -> str:
    """Seconds of the clock, the least of all runs; and processor seconds, which tell what the second thread costs."""
    lines = [
        (
            row.model.name,
            grouped(row.model.states),
            *(f"{row.least(count, 'wall'):.2f}" for count in ("1", "2")),
            f"{row.least('1', 'wall') / row.least('2', 'wall'):.2f}",
            *(f"{row.least(count, 'seconds'):.2f}" for count in ("1", "2")),
            f"{2 * row.least('1', 'seconds') / row.least('2', 'seconds'):.2f}",
        )
        for row in rows
    ]
    header = (
        "model",
        "states",
        "1 thread, s",
        "2 threads, s",
        "times faster",
        "1 thread, processor s",
        "2 threads, processor s",
        "at most",
    )
    return table(header, lines)
