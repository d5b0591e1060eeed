"""Exceptions of a user's space as violations: the state, the line, and the trace to there."""

from __future__ import annotations

import linecache
import traceback
from pathlib import Path
from typing import Any

from beeline.engine import SpaceStep
from beeline.engine.budget import LimitReached
from beeline.model.source import BeelineError, Source
from beeline.records import Record

OURS = str(Path(__file__).parents[1])
NO_VIOLATIONS = (BeelineError, LimitReached, MemoryError, RecursionError)


class Failure(Record, frozen=True):
    """What the code of a model raised: in words, where, and the line that did."""

    message: str
    source: Source
    line: str


def failure_of(model: Any, error: BaseException, way: list[SpaceStep]) -> Failure | None:
    """What the model raises when it is asked about the last state of a way again; None if it does not, or if what was
    raised says nothing about the model."""
    if not way or not isinstance(error, Exception) or isinstance(error, NO_VIOLATIONS):
        return None
    try:
        for _ in model.successors(way[-1].state) or ():
            pass
        if callable(violates := getattr(model, "violates", None)):
            violates(way[-1].state)
    except type(error) as again:
        return _told(again)
    except Exception:
        return None
    return None


def _told(error: Exception) -> Failure | None:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(OURS)]
    if not frames:
        return None
    place = Source(frames[-1].filename, frames[-1].lineno or 0)
    said = str(error).partition("\n")[0]  # pytest adds lines to assertions
    message = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return Failure(message, place, linecache.getline(place.file, place.line).strip() or "the next steps are asked for")
