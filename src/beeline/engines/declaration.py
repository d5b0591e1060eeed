"""What an engine declares about itself."""

from __future__ import annotations

from collections.abc import Callable

from beeline.engine import Ending, Limits, Progress
from beeline.jit import BYTECODE
from beeline.model.source import BeelineError
from beeline.problems.problem import Problem
from beeline.problems.settings import Result, Settings
from beeline.records import Record
from beeline.searches import Search
from beeline.symmetry import Symmetry

AUTO = "auto"


class EngineError(BeelineError):
    """An engine that does not exist, or that does not take a problem."""


class Counting(Record, frozen=True):
    """How the states of a model are to be counted, or looked through."""

    search: Search
    limits: Limits | None = None
    progress: Progress | None = None
    threads: int = 1
    tier: str = BYTECODE
    symmetry: Symmetry | None = None


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
    takes_over: Callable[[Problem, Settings], bool] | None = None
    """Whether `auto` may hand a search on that takes long, if ever."""
    explore: Callable[[Problem, Counting], Ending] | None = None
    """How it counts all states, if it can."""
    heeds_costs: bool = False
    """Whether it finds what costs least, where steps do not all cost the same."""
    keeps: bool = False
    """Whether it leaves checkpoints, at least with some searches."""
    counts_arcs: bool = True
    """Whether it then tells how many steps and how many levels there are."""
    configure: Callable[[str], Engine] | None = None
    """The same engine with the options that a text names, if it has any."""
