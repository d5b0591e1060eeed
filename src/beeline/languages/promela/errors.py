"""The errors of the Promela front end: each points at the place, shows the line, and says what was meant."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from beeline.model.source import UNKNOWN, ModelError, Source


def read_text(path: str | Path) -> str:
    """The text of a file: UTF-8, or Latin-1 if it cannot be that, as in models of the last century."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        return Path(path).read_text(encoding="latin-1")


@lru_cache(maxsize=32)
def _lines_of(file: str) -> tuple[str, ...]:
    try:
        return tuple(read_text(file).split("\n"))
    except OSError:
        return ()


def source_line(source: Source) -> str:
    """The text of the line that `source` lies on, or nothing if the file cannot be read."""
    lines = _lines_of(source.file)
    return lines[source.line - 1].expandtabs(1) if 0 < source.line <= len(lines) else ""


class PromelaError(ModelError):
    """A model that is not valid Promela.

    >>> print(PromelaError("undeclared variable 'x'", Source("m.pml", 3, 7), "declare it before its first use"))
    m.pml:3:7: undeclared variable 'x'
      hint: declare it before its first use
    """

    def __init__(self, message: str, source: Source = UNKNOWN, remedy: str = "") -> None:
        super().__init__(message, source, remedy, source_line(source))


class UnsupportedPromela(PromelaError):
    """Valid Promela that Beeline refuses on purpose, for instance embedded C."""
