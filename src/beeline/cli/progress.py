"""The live line on a terminal while a search runs; silent elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from beeline.engine import Progress, Statistics


@contextmanager
def progress_line(quiet: bool = False) -> Iterator[Progress | None]:
    """A callback for the engine that keeps one line on standard error up to date, or None if nobody looks."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    try:
        yield lambda statistics: _draw(statistics)
    finally:
        sys.stderr.write("\r\x1b[2K")
        sys.stderr.flush()


def _draw(statistics: Statistics) -> None:
    text = (
        f"{statistics.stored:,} states  {statistics.rate:,.0f}/s  depth {statistics.depth:,}"
        + (f"  best trace {statistics.shortest:,} steps" if statistics.shortest else "")
        + f"  {show_bytes(statistics.memory)}  {statistics.seconds:.1f} s"
    )
    sys.stderr.write(f"\r\x1b[2K{text}")
    sys.stderr.flush()


def show_bytes(count: float) -> str:
    """A size for people.

    >>> show_bytes(3 * 2**20)
    '3.0 MiB'
    """
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"
