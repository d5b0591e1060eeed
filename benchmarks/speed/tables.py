"""The tables of docs/performance.md, in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.beem.tables import grouped, table
from benchmarks.speed.models import LARGE, Model


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured for one model: the values of each contestant, one a repeat."""

    model: Model
    taken: dict[str, list[float]]

    def value(self, contestant: str) -> float:
        """The median."""
        return median(self.taken[contestant])

    def spread(self, contestant: str) -> float:
        """The largest less the smallest, as a share of the median."""
        values = self.taken[contestant]
        return (max(values) - min(values)) / self.value(contestant)

    def ratio(self, contestant: str = "pan", to: str = "beeline") -> float:
        """How many times less Beeline needed."""
        return self.value(contestant) / self.value(to)


def geometric_mean(values: Sequence[float]) -> float:
    """
    >>> geometric_mean([2, 8])
    4.0
    """
    return math.exp(sum(map(math.log, values)) / len(values))


def search_table(rows: Sequence[Row]) -> str:
    """Rates of the search alone."""

    def rate(row: Row, contestant: str) -> str:
        return f"{row.model.states / row.value(contestant) / 1000:,.0f}"

    tiers = ("beeline", "native")
    lines = [
        (
            row.model.name,
            grouped(row.model.states),
            *(rate(row, name) for name in ("pan", *tiers)),
            *(f"{row.ratio(to=tier):.2f}" for tier in tiers),
        )
        for row in rows
    ]
    large = [row for row in rows if row.model in LARGE] or list(rows)
    medians = (f"{median(row.ratio(to=tier) for row in large):.2f}" for tier in tiers)
    means = (f"{geometric_mean([row.ratio(to=tier) for row in rows]):.2f}" for tier in tiers)
    lines.append(("median from 10^6 states on", "", "", "", "", *medians))
    lines.append(("geometric mean of all", "", "", "", "", *means))
    rates = ("pan, 1000 states/s", "bytecode, 1000 states/s", "native, 1000 states/s")
    return table(("model", "states", *rates, "bytecode / pan", "native / pan"), lines)


def command_table(rows: Sequence[Row]) -> str:
    """Seconds from command to verdict."""
    lines = [
        (
            row.model.name,
            grouped(row.model.states),
            *(f"{row.value(name):.2f}" for name in ("pan", "pan -O0", "beeline")),
            f"{row.ratio():.1f}",
            f"{row.ratio('pan -O0'):.1f}",
        )
        for row in rows
    ]
    header = ("model", "states", "SPIN, -O3", "SPIN, -O0", "Beeline", "times faster than -O3", "than -O0")
    return table(header, lines)


def memory_table(rows: Sequence[Row]) -> str:
    """Bytes per state."""
    lines = [
        (
            row.model.name,
            grouped(row.model.states),
            *(f"{row.value(name):.1f}" for name in ("pan", "pan total", "beeline")),
            f"{1 / row.ratio():.2f}",
            f"{1 / row.ratio('pan total'):.2f}",
        )
        for row in rows
    ]
    ratios = ("Beeline / pan's states", "Beeline / pan's all")
    return table(("model", "states", "pan, states alone", "pan, all", "Beeline, all", *ratios), lines)


def profile_table(profiles: dict[str, Iterable[tuple[str, float]]]) -> str:
    """The functions in which each search spends most of its time."""
    lines = [(name, ", ".join(f"`{symbol}` {share:.0f} %" for symbol, share in top)) for name, top in profiles.items()]
    return table(("model", "share of the search's time"), lines)
