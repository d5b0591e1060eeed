"""The live line on a terminal while a search runs; silent elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from beeline.engine import Progress, Statistics


@contextmanager
def progress_line(quiet: bool = False) -> Iterator[Progress | None]:
    """A callback that keeps one line on standard error up to date, or None if it is not a terminal."""
    if quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    try:
        yield _draw
    finally:
        sys.stderr.write("\r\x1b[2K")
        sys.stderr.flush()


def say(progress: Progress | None, phase: str) -> None:
    """Shows what is being done before there is anything to count."""
    if progress is not None:
        progress(Statistics(phase=phase))


def _draw(statistics: Statistics) -> None:
    try:
        width = os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except OSError:
        width = 80
    # One column stays free: a full line would wrap on some terminals, and could not be taken back.
    sys.stderr.write(f"\r\x1b[2K{live_line(statistics, width - 1)}")
    sys.stderr.flush()


def live_line(statistics: Statistics, width: int = 200) -> str:
    """Phase, states, rate, frontier, best estimate, best trace, memory and time, as far as there are any, and as there
    is room: what matters least goes first.

    >>> counts = Statistics(stored=2_000_000, frontier=41_000, best_estimate=3, memory=2**26, seconds=2.5)
    >>> live_line(counts)
    'searching  2,000,000 states  800k/s  41k open  best estimate 3  64.0 MiB  2.5 s'
    >>> live_line(counts, 60)
    'searching  2,000,000 states  best estimate 3  2.5 s'
    """
    parts = [(9, statistics.phase or "searching")]  # each with its weight
    if statistics.expanded or statistics.stored:
        parts += [(8, f"{statistics.stored:,} states"), (3, f"{show_count(statistics.rate)}/s")]
        parts += [(2, f"{show_count(statistics.frontier)} open")] if statistics.frontier else []
        parts += [(5, f"best estimate {statistics.best_estimate:,}")] if statistics.best_estimate is not None else []
        parts += [(6, f"best trace {statistics.shortest:,} steps")] if statistics.shortest else []
        parts += [(4, show_bytes(statistics.memory)), (7, f"{statistics.seconds:.1f} s")]
    while len("  ".join(text for _, text in parts)) > width and len(parts) > 1:
        parts.remove(min(parts))
    return "  ".join(text for _, text in parts)[:width]


def show_count(count: float) -> str:
    """A count in few characters.

    >>> show_count(950), show_count(41_200), show_count(1_250_000)
    ('950', '41k', '1.2M')
    """
    if count < 1000:
        return f"{count:.0f}"
    return f"{count / 1000:.0f}k" if count < 999_500 else f"{count / 1e6:.1f}M"


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


def per_state(statistics: Statistics) -> str:
    """Of a few states the table that is there anyway takes most: a share of it would mislead."""
    return f" ({statistics.bytes_per_state:.0f} bytes per state)" if statistics.stored >= 10_000 else ""


def show_disk(statistics: Statistics) -> None:
    """What a store on disk took, and what was moved for it."""
    if statistics.disk_written:
        each = (statistics.disk_read + statistics.disk_written) / max(statistics.stored, 1)
        click.echo(
            f"disk: {show_bytes(statistics.disk)} at the peak, {show_bytes(statistics.disk_written)} written, "
            f"{show_bytes(statistics.disk_read)} read ({each:.0f} bytes moved per state)"
        )


def counted(number: int, word: str) -> str:
    """How many there are of something.

    >>> counted(1, "step"), counted(2000, "step")
    ('1 step', '2,000 steps')
    """
    return f"{number:,} {word}{'' if number == 1 else 's'}"
