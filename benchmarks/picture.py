"""Charts as plain SVG: no library is needed to draw or to look at them. Chromium, if installed, makes PNGs."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import ceil, floor, log10
from pathlib import Path

Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT, MARGIN, LEGEND = 640, 400, 60, 190
COLOURS = ("#1f4e9e", "#b3261e", "#2e7d32", "#7b5ea7", "#c77700", "#00838f", "#5d4037", "#ad1457")
DASHES = ("", "6 3", "2 2")
"""Once all colours are used, they begin again with the next pattern."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What is told along one side. A linear axis of heights begins at zero; a logarithmic one takes whole powers."""

    label: str
    logarithmic: bool = False
    least: float | None = None
    most: float | None = None

    def scaled(self, values: Sequence[float]) -> Scale:
        """From values to a share of the axis."""
        low = min(values) if self.least is None else self.least
        high = max(values) if self.most is None else self.most
        if self.logarithmic:
            return Scale(floor(log10(low)), max(ceil(log10(high)), floor(log10(low)) + 1), True)
        return Scale(low, high if high > low else low + 1, False)


@dataclass(frozen=True, slots=True)
class Scale:
    """The ends of an axis; powers of ten if it is logarithmic."""

    low: float
    high: float
    logarithmic: bool

    def place(self, value: float) -> float:
        """
        >>> Scale(0, 4, True).place(100)
        0.5
        """
        return ((log10(value) if self.logarithmic else value) - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """Values with their texts: at most seven powers of ten, or the ends and the middle."""
        if not self.logarithmic:
            return [(value, f"{value:.3g}") for value in (self.low, (self.low + self.high) / 2, self.high)]
        step = ceil((self.high - self.low) / 6)
        return [(10.0**power, f"{10.0**power:g}") for power in range(int(self.low), int(self.high) + 1, step)]


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

    def svg(self) -> str:
        """The picture; there must be at least one point."""
        across = self.across.scaled([x for points in self.series.values() for x, _ in points])
        up = self.up.scaled([y for points in self.series.values() for _, y in points])
        width = WIDTH + LEGEND
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" font-family="sans-serif" '
            f'font-size="12"><rect width="{width}" height="{HEIGHT}" fill="white"/>',
            f'<text x="{WIDTH / 2}" y="20" text-anchor="middle" font-size="14">{escape(self.title)}</text>',
            *_frame(self.across.label, across, self.up.label, up),
            *self._guides(across, up),
        ]
        for number, (name, points) in enumerate(self.series.items()):
            parts += self._series(number, name, [_at(across, up, x, y) for x, y in points])
        return "\n".join([*parts, "</svg>", ""])

    def _guides(self, across: Scale, up: Scale) -> Iterator[str]:
        if self.diagonal:
            yield _line((MARGIN, HEIGHT - MARGIN), (WIDTH - MARGIN, MARGIN), "#999")
        for edge in self.edges:
            x, y = _at(across, up, edge, edge)
            yield _line((x, MARGIN), (x, HEIGHT - MARGIN), "#bbb", "4 4")
            yield _line((MARGIN, y), (WIDTH - MARGIN, y), "#bbb", "4 4")

    def _series(self, number: int, name: str, places: list[tuple[float, float]]) -> Iterator[str]:
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number // len(COLOURS) % len(DASHES)]
        if self.joined:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            pattern = f' stroke-dasharray="{dash}"' if dash else ""
            yield f'<polyline fill="none" stroke="{colour}" stroke-width="1.5"{pattern} points="{path}"/>'
        if self.dots:
            yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}" opacity="0.7"/>' for x, y in places)
        height = MARGIN + 16 * number
        if self.joined:
            yield _line((WIDTH - MARGIN + 12, height - 4), (WIDTH - MARGIN + 36, height - 4), colour, dash)
        else:
            yield f'<circle cx="{WIDTH - MARGIN + 24}" cy="{height - 4}" r="3" fill="{colour}"/>'
        yield f'<text x="{WIDTH - MARGIN + 42}" y="{height}" fill="{colour}">{escape(name)}</text>'


def _at(across: Scale, up: Scale, x: float, y: float) -> tuple[float, float]:
    return (
        MARGIN + across.place(x) * (WIDTH - 2 * MARGIN),
        HEIGHT - MARGIN - up.place(y) * (HEIGHT - 2 * MARGIN),
    )


def _line(start: tuple[float, float], end: tuple[float, float], colour: str, dash: str = "") -> str:
    pattern = f' stroke-dasharray="{dash}"' if dash else ""
    (x1, y1), (x2, y2) = start, end
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{pattern}/>'


def _frame(across_label: str, across: Scale, up_label: str, up: Scale) -> Iterator[str]:
    """Axes, their texts and their ticks."""
    floor_at = HEIGHT - MARGIN
    yield _line((MARGIN, MARGIN), (MARGIN, floor_at), "black")
    yield _line((MARGIN, floor_at), (WIDTH - MARGIN, floor_at), "black")
    yield f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(across_label)}</text>'
    turned = f'text-anchor="middle" transform="rotate(-90 14 {HEIGHT / 2})"'
    yield f'<text x="14" y="{HEIGHT / 2}" {turned}>{escape(up_label)}</text>'
    for value, text in across.ticks():
        x = MARGIN + across.place(value) * (WIDTH - 2 * MARGIN)
        yield _line((x, floor_at), (x, floor_at + 4), "black")
        yield f'<text x="{x:.1f}" y="{floor_at + 18}" text-anchor="middle">{text}</text>'
    for value, text in up.ticks():
        y = floor_at - up.place(value) * (HEIGHT - 2 * MARGIN)
        yield _line((MARGIN - 4, y), (MARGIN, y), "black")
        yield f'<text x="{MARGIN - 7}" y="{y + 4:.1f}" text-anchor="end">{text}</text>'


def browser() -> str | None:
    """The program that makes PNG files, if it is installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def write_png(program: str, svg: Path) -> Path:
    """The same picture beside the SVG file."""
    made = svg.with_suffix(".png")
    with tempfile.TemporaryDirectory(prefix="beeline-picture-") as profile:
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += [f"--user-data-dir={profile}", f"--window-size={WIDTH + LEGEND},{HEIGHT}"]
        command += [f"--screenshot={made}", svg.resolve().as_uri()]
        subprocess.run(command, capture_output=True, check=True, timeout=60)
    return made
