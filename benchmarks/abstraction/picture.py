"""Line charts as plain SVG: no library is needed to draw or to look at them."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT, MARGIN = 640, 360, 56
COLOURS = ("#1f4e9e", "#b3261e", "#2e7d32", "#7b5ea7")


def chart(title: str, across: str, up: str, lines: dict[str, Points], *, logarithmic: bool = False) -> str:
    """A chart with one line for each entry; with `logarithmic` the horizontal axis goes by powers of ten."""

    def place(x: float) -> float:
        return log10(x) if logarithmic else x

    xs = [place(x) for points in lines.values() for x, _ in points]
    ys = [y for points in lines.values() for _, y in points]
    left, right, top = min(xs), max(xs), max(max(ys), 1e-9)
    spread = (right - left) or 1

    def at(x: float, y: float) -> str:
        return (
            f"{MARGIN + (place(x) - left) / spread * (WIDTH - 2 * MARGIN):.1f},"
            f"{HEIGHT - MARGIN - y / top * (HEIGHT - 2 * MARGIN):.1f}"
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{WIDTH / 2}" y="20" text-anchor="middle" font-size="14">{title}</text>',
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">{across}</text>',
        f'<text x="14" y="{HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 {HEIGHT / 2})">{up}</text>',
        f'<polyline fill="none" stroke="black" points="{MARGIN},{MARGIN} {MARGIN},{HEIGHT - MARGIN} '
        f'{WIDTH - MARGIN},{HEIGHT - MARGIN}"/>',
        f'<text x="{MARGIN - 6}" y="{MARGIN + 4}" text-anchor="end">{top:.3g}</text>',
        f'<text x="{MARGIN - 6}" y="{HEIGHT - MARGIN}" text-anchor="end">0</text>',
    ]
    ends = (min, max)
    for end, anchor in zip(ends, ("start", "end"), strict=True):
        x = end(x for points in lines.values() for x, _ in points)
        where = MARGIN if anchor == "start" else WIDTH - MARGIN
        parts.append(f'<text x="{where}" y="{HEIGHT - MARGIN + 16}" text-anchor="{anchor}">{x:g}</text>')
    for number, (name, points) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(at(x, y) for x, y in points)
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{path}"/>')
        parts.append(f'<text x="{MARGIN + 12}" y="{MARGIN + 16 * number}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])
