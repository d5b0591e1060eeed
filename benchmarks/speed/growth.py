"""How time and memory grow with the number of states: families of one shape in several sizes, and fitted exponents."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.beem.tables import grouped, table
from benchmarks.picture import Axis, Chart
from benchmarks.speed.models import FOLDER
from benchmarks.speed.processes import explore_alone

FAMILIES: Mapping[str, Sequence[tuple[str, ...]]] = {
    "counters": [("N=5", f"M={values}") for values in (10, 13, 16, 20, 24)],
    "philosophers": [(f"N={count}", "ORDERED") for count in (7, 8, 9, 10)],
    "leader": [(f"N={count}",) for count in (7, 8, 9)],
    "two_phase_commit": [(f"N={count}",) for count in (3, 4, 5)],
}
"""Files of models/promela, with the macros of each size."""
STORES = ("plain", "tree")


@dataclass(frozen=True, slots=True)
class Point:
    """One size of a family with one store: processor seconds and bytes of the whole search."""

    family: str
    macros: tuple[str, ...]
    store: str
    states: int
    seconds: float
    memory: int


def measured(family: str, macros: tuple[str, ...], store: str, repeats: int) -> Point:
    """The least of some runs: what others do on the machine only adds."""
    runs = [explore_alone(FOLDER / f"{family}.pml", *macros, f"--store={store}") for _ in range(repeats)]
    seconds = min(run["seconds"] for run in runs)
    return Point(family, macros, store, runs[0]["states"], seconds, runs[0]["memory"])


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the straight line nearest to the points (least squares), both axes logarithmic.

    >>> round(exponent([(1, 3), (10, 300), (100, 30000)]), 6)
    2.0
    """
    across = [math.log(x) for x, _ in points]
    up = [math.log(y) for _, y in points]
    middle, height = sum(across) / len(across), sum(up) / len(up)
    moments = [((x - middle) * (y - height), (x - middle) ** 2) for x, y in zip(across, up, strict=True)]
    return sum(product for product, _ in moments) / sum(square for _, square in moments)


def growth_table(points: Sequence[Point]) -> str:
    """One line for each family and store."""
    lines = []
    for family in dict.fromkeys(point.family for point in points):
        for store in STORES:
            some = [point for point in points if (point.family, point.store) == (family, store)]
            if len(some) > 1:
                lines.append(
                    (
                        family,
                        store,
                        f"{grouped(some[0].states)} to {grouped(some[-1].states)}",
                        f"{exponent([(point.states, point.seconds) for point in some]):.2f}",
                        f"{exponent([(point.states, point.memory) for point in some]):.2f}",
                        f"{1e9 * some[0].seconds / some[0].states:.0f} to "
                        f"{1e9 * some[-1].seconds / some[-1].states:.0f}",
                        f"{some[0].memory / some[0].states:.1f} to {some[-1].memory / some[-1].states:.1f}",
                    )
                )
    header = ("family", "store", "states", "exponent of time", "of memory", "ns a state", "bytes a state")
    return table(header, lines)


def draw(points: Sequence[Point], folder: Path) -> list[Path]:
    """Two pictures, time and memory over states; PNG files beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, label in (("seconds", "processor seconds"), ("memory", "bytes")):
        series: dict[str, list[tuple[float, float]]] = {}
        for point in points:
            value = point.seconds if name == "seconds" else float(point.memory)
            series.setdefault(f"{point.family}, {point.store}", []).append((point.states, value))
        chart = Chart(f"{label} over states", Axis("states", True), Axis(label, True), series, dots=True)
        files.append(folder / f"growth-{name}.svg")
        chart.write(files[-1])
    return files
