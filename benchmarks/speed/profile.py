"""Where the time of a search goes, by function: needs `perf`."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

from benchmarks.speed.models import Model
from benchmarks.speed.processes import CommandFailed, search_alone, timed

_LINE = re.compile(r"^\s*([\d.]+)%\s+(\S+)\s+\[.\] (.+?)(?:\s{2,}.*)?$")


def hottest(model: Model, core: int, count: int = 8) -> list[tuple[str, float]]:
    """The functions of the engine that take most of the search, with their share of the engine's time in percent."""
    if shutil.which("perf") is None:
        raise CommandFailed("`perf` is not installed")
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder) / "perf.data")
        search = search_alone(model.path, *model.macros)
        timed(["perf", "record", "-q", "-F", "499", "-o", data, *search], core)
        report = timed(["perf", "report", "-i", data, "--stdio", "--no-children", "-s", "dso,symbol"], core).output
    return read_report(report, count)


def read_report(report: str, count: int) -> list[tuple[str, float]]:
    """The first functions of the engine in a report of `perf`, with their share of what all of them take."""
    shares = [
        (_short(found[3]), float(found[1]))
        for line in report.splitlines()
        if (found := _LINE.match(line)) and "_native" in found[2]
    ]
    whole = sum(share for _, share in shares)
    return [(name, 100 * share / whole) for name, share in shares[:count]]


def _short(symbol: str) -> str:
    """The name without namespace and parameters.

    >>> _short("beeline::Store::insert(unsigned int const*)")
    'Store::insert'
    """
    return re.sub(r"\(.*", "", symbol).removeprefix("beeline::").strip()
