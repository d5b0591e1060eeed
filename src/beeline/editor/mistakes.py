"""The mistakes in a text that somebody is writing."""

from __future__ import annotations

import re
from pathlib import Path

from beeline.engine.budget import LimitReached, spend
from beeline.engine.limits import Limits
from beeline.languages import read_unsaved
from beeline.model.source import ModelError
from beeline.records import Record

PATIENCE = Limits(time=5.0)
"""What reading a text may take while somebody types."""

WORD = re.compile(r"\w+|\S")


class Mistake(Record, frozen=True):
    """What is wrong, and where: a line from 0, and columns from 0 in it, the last one not included."""

    line: int
    start: int
    end: int
    message: str


def mistakes_in(text: str, path: Path) -> list[Mistake]:
    """What keeps a text from being a model: at most one mistake, the first."""
    if path.suffix == ".xml" and "<nta" not in text:
        return []  # of something else
    try:
        with spend(PATIENCE):
            read_unsaved(text, path)
    except ModelError as error:
        return [_found(error, text, path)]
    except (LimitReached, MemoryError):
        pass  # a large model: `beeline check` takes its time
    return []


def _found(error: ModelError, text: str, path: Path) -> Mistake:
    lines = text.split("\n")
    source, message = error.source, error.message
    if error.remedy:
        message += f"\nhint: {error.remedy}"
    if source.file not in ("", str(path)):  # in a file that this one includes
        return Mistake(0, 0, len(lines[0]), f"{source}: {message}")
    line = min(max(source.line, 1), len(lines)) - 1
    start = max(source.column - 1, 0)
    word = WORD.match(lines[line], start)
    if not source.column or word is None:
        stripped = lines[line].strip()
        start = lines[line].find(stripped)
        return Mistake(line, start, start + len(stripped), message)
    return Mistake(line, start, word.end(), message)
