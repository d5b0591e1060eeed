"""Text in columns: as wide as a terminal, wrapped where a person would break it, in colours that can be read on light
and on dark."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from beeline.records import Record

BETWEEN = "  "  # columns
BOLD, DIM = "1", "2"
COLOURS = {
    "good": ("38;5;28", "32"),
    "bad": ("38;5;196", "31"),
    "open": ("38;5;136", "33"),
    "process": ("38;5;31", "36"),
    "cycle": ("38;5;133", "35"),
}
"""Of the 256 colours those with a contrast of at least 3.3 both on white and on black, and what comes nearest where
there are eight."""
STYLES = {
    "good": (BOLD, "good"),
    "bad": (BOLD, "bad"),
    "open": (BOLD, "open"),
    "process": ("process",),
    "cycle": (BOLD, "cycle"),
    "head": (BOLD,),
    "faint": (DIM,),
}
OF_VERDICT = {"holds": "good", "violated": "bad", "unknown": "open", "error": "bad"}


class Look(Record, frozen=True):
    """How text is shown: `width` None means as wide as it gets, nothing cut; `fold` leaves out what is long."""

    width: int | None = None
    fold: bool = False
    colour: bool = False
    many: bool = False  # 256 colours

    def paint(self, text: str, style: str | None) -> str:
        """The text in a style, if there are any here.

        >>> Look().paint("holds", "good"), Look(colour=True).paint("holds", "good")
        ('holds', '\\x1b[1;32mholds\\x1b[0m')
        """
        if not self.colour or style is None or not text.strip():
            return text
        codes = [COLOURS[one][0 if self.many else 1] if one in COLOURS else one for one in STYLES[style]]
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m"


def look(full: bool = False, stream: TextIO | None = None) -> Look:
    """What standard output (or another stream) asks for: a terminal's width, folding and colours, or all for a pipe.
    NO_COLOR and FORCE_COLOR are heard."""
    stream = stream or sys.stdout
    terminal, environment = stream.isatty(), os.environ
    wanted = environment.get("FORCE_COLOR") or (terminal and environment.get("TERM") != "dumb")
    colour = bool(wanted) and not environment.get("NO_COLOR")
    many = colour and ("256" in environment.get("TERM", "") or bool(environment.get("COLORTERM")))
    if not terminal:
        return Look(colour=colour, many=many)
    return Look(_width(stream), not full, colour, many)


def _width(stream: TextIO) -> int:
    if environment := os.environ.get("COLUMNS", ""):
        return int(environment) if environment.isdecimal() and int(environment) else 80
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


class Column(Record, frozen=True):
    """A column that may become as narrow as `least` where there is too little room; 0: it is never wrapped. What goes
    on below in a column that `flows` stands beside the next rows, if their first cells and theirs there are empty."""

    least: int = 0
    right: bool = False
    flows: bool = False


Paint = Callable[[int, int], str | None]
"""The style of a cell: its row and its column."""


def laid_out(
    rows: Sequence[Sequence[str]],
    columns: Sequence[Column],
    how: Look = Look(),  # noqa: B008  # a frozen value
    paint: Paint = lambda row, column: None,
) -> list[str]:
    """The rows as lines; cells that are too wide go on below, so that nothing is lost.

    >>> laid_out([("a", "12"), ("bcd", "3")], [Column(), Column(right=True)])
    ['a    12', 'bcd   3']
    """
    widths = _widths(rows, columns, how.width)
    lines: list[str] = []
    flowing: dict[int, list[str]] = {}
    origin: dict[int, int] = {}  # the row that what flows comes from
    for number, row in enumerate(rows):
        cells = [wrapped(cell, width) if how.width else [cell] for cell, width in zip(row, widths, strict=True)]
        for i, rest in flowing.items():
            cells[i] = rest
        following = rows[number + 1] if number + 1 < len(rows) else ()
        goes_on = [
            i for i, column in enumerate(columns) if column.flows and following and not following[0] + following[i]
        ]
        origin = {i: origin.get(i, number) for i in goes_on}
        tall = max(len(cell) for i, cell in enumerate(cells) if i not in goes_on)
        for part in range(tall):
            texts = [cell[part] if part < len(cell) else "" for cell in cells]
            styles = [paint(origin.get(i, number), i) for i in range(len(columns))]
            lines.append(_line(texts, widths, columns, how, styles))
        flowing = {i: cells[i][tall:] or [""] for i in goes_on}
    return lines


def _line(
    texts: list[str], widths: list[int], columns: Sequence[Column], how: Look, styles: Sequence[str | None]
) -> str:
    last = max((i for i, text in enumerate(texts) if text), default=-1)
    shown = []
    for i, text in enumerate(texts[: last + 1]):
        room = widths[i] - len(text)
        before, after = (room, 0) if columns[i].right else (0, room if i < last else 0)
        shown.append(" " * before + how.paint(text, styles[i]) + " " * after)
    return BETWEEN.join(shown)


def _widths(rows: Sequence[Sequence[str]], columns: Sequence[Column], width: int | None) -> list[int]:
    """Of each column: what its cells need; where that is too much, the widest that may become narrower give way."""
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(len(columns))]
    if width is None:
        return widths
    excess = sum(widths) + len(BETWEEN) * (len(columns) - 1) - width
    while excess > 0:
        yielding = [i for i, column in enumerate(columns) if column.least and widths[i] > column.least]
        if not yielding:
            break
        widest = max(widths[i] for i in yielding)
        for i in yielding:
            if widths[i] == widest and excess > 0:
                widths[i] -= 1
                excess -= 1
    return widths


BREAKS = (
    r"(?<=[,;]) (?=\S)",  # between things in a list
    r"(?<!->)(?<!line)(?<=\S) (?!->)(?=\S)",
    r"(?<=\S) (?=\S)",  # beside an arrow
    r"(?<=\S)(?=&&|\|\||->)",  # in an expression
    r"(?<=[,;])(?=\S)|(?<=[\w\])])(?=[=!<>]=)",
    r"(?<=[^\w.])(?=\w)|(?<=\w)(?=\.\D)",
    r"(?<=_)(?=[^\W_])|(?<=\W)(?=\D)",
    r"(?<=\D)(?=\D)|(?<=\d)(?=\D)|(?<=\D)(?=\d)",  # anywhere but in a number
    r"(?=.)",
)
"""Where text may be broken, the best places first; patterns that few commands ever need."""
LEAST_FILLED = 0.3  # of a line, for a better place to be taken


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` letters: broken between the things of a list, at spaces, in an expression at
    its operators, and in a number only if nothing else is left.

    >>> wrapped("x: 0 -> 1, total: 1200 -> 1300", 16)
    ['x: 0 -> 1,', 'total:', '1200 -> 1300']
    """
    lines = []
    while len(text) > width > 0:
        place = _best_break(text, width)
        lines.append(text[:place].rstrip())
        text = text[place:].lstrip()
    return [*lines, text]


def _best_break(text: str, width: int) -> int:
    window = text[: width + 2]
    for kind in BREAKS[:-1]:
        places = [found.start() for found in re.finditer(kind, window) if 0 < found.start() <= width]
        if places and places[-1] >= width * LEAST_FILLED:
            return places[-1]
    return width


def shortened(text: str, most: int) -> str:
    """The text, its middle left out if it is longer than `most`.

    >>> shortened("0123456789" * 3, 11)
    '01234…56789'
    """
    if len(text) <= most:
        return text
    before = most // 2
    return f"{text[:before]}…{text[len(text) - (most - before - 1) :]}"
