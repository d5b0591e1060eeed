"""The errors of the Promela front end: each points at the place, shows the line, and says what was meant."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from beeline.model.source import UNKNOWN, ModelError, Source


@lru_cache(maxsize=32)
def _lines_of(file: str) -> tuple[str, ...]:
    try:
        return tuple(Path(file).read_text(encoding="latin-1").splitlines())
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
