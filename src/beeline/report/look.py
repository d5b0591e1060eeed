"""How standard output wants a table to be drawn."""

from __future__ import annotations

import os
import sys

from beeline.records import Record


class Look(Record, frozen=True):
    """How a table is drawn: `width` None means as wide as it gets, nothing cut; `fold` leaves out the middle."""

    width: int | None = None
    fold: bool = False
    colour: bool = False


def look(full: bool = False) -> Look:
    """What standard output asks for: a terminal's width, folding and colours (not with NO_COLOR), or all for a pipe."""
    if not sys.stdout.isatty():
        return Look()
    colour = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    import shutil

    return Look(shutil.get_terminal_size().columns, not full, colour)
