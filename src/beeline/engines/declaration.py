"""What an engine declares about itself."""

from __future__ import annotations

from collections.abc import Callable

from beeline.model.source import BeelineError
from beeline.problems.problem import Problem
from beeline.problems.settings import Result, Settings
from beeline.records import Record

AUTO = "auto"


class EngineError(BeelineError):
    """An engine that does not exist, or that does not take a problem."""


class Engine(Record, frozen=True):
    """A way to answer problems."""

    name: str
    summary: str
    accepts: Callable[[Problem], str | None]
    """Why it does not take a problem; None if it does."""
    solve: Callable[[Problem, Settings], Result]
    paper: str = ""
    automatic: bool = True
    """Whether `auto` may pick it."""
