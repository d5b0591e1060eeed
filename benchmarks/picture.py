"""Charts of measurements, drawn by matplotlib (`make plots` installs it) as SVG and PNG files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Points = Sequence[tuple[float, float]]

INCHES = (8.3, 4.0)
COLOURS = ("#1f4e9e", "#b3261e", "#2e7d32", "#7b5ea7", "#c77700", "#00838f", "#5d4037", "#ad1457")
DASHES = ("-", "--", ":")
"""Once all colours are used, they begin again with the next pattern."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What is told along one side."""

    label: str
    logarithmic: bool = False
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines, or dots alone; `diagonal` is the line of equal values, `edges` are drawn as thin lines of both axes."""

    title: str
    across: Axis
    up: Axis
    series: Mapping[str, Points]
    dots: bool = False
    joined: bool = True
    diagonal: bool = False
    edges: Sequence[float] = field(default=())

    def write(self, file: Path, *, png: bool = True) -> None:
        """The picture as an SVG file, and as a PNG file beside it; there must be at least one point."""
        matplotlib, figure = self._figure()
        # The same chart is the same file: no date, and names of parts that do not change.
        with matplotlib.rc_context({"svg.hashsalt": "beeline", "svg.fonttype": "none"}):
            figure.savefig(file, format="svg", metadata={"Date": None}, bbox_inches="tight")
        if png:
            figure.savefig(file.with_suffix(".png"), dpi=120, bbox_inches="tight")

    def _figure(self) -> tuple[Any, Any]:
        try:
            import matplotlib
            from matplotlib.figure import Figure
        except ImportError:
            raise SystemExit("matplotlib draws the pictures: `make plots` installs it") from None
        figure = Figure(figsize=INCHES)
        axes = figure.subplots()
        axes.set_title(self.title, parse_math=False)
        for side, axis in (("x", self.across), ("y", self.up)):
            axes.set(**{f"{side}label": axis.label, f"{side}scale": "log" if axis.logarithmic else "linear"})
        for number, (name, points) in enumerate(self.series.items()):
            axes.plot(*zip(*points, strict=True), label=name, gid=f"series-{number}", **self._style(number))
        axes.set_xlim(self.across.least, self.across.most)
        axes.set_ylim(self.up.least, self.up.most)
        if self.diagonal:
            axes.axline((1, 1), (2, 2), color="#999999", linewidth=1)
        for edge in self.edges:
            axes.axvline(edge, color="#bbbbbb", linestyle="--", linewidth=1)
            axes.axhline(edge, color="#bbbbbb", linestyle="--", linewidth=1)
        axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False)
        return matplotlib, figure

    def _style(self, number: int) -> dict[str, Any]:
        dash = DASHES[number // len(COLOURS) % len(DASHES)]
        return {
            "color": COLOURS[number % len(COLOURS)],
            "linestyle": dash if self.joined else "none",
            "linewidth": 1.5,
            "marker": "o" if self.dots else "none",
            "markersize": 4,
        }
