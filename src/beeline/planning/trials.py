"""Short searches that tell what a state costs: in time, in memory, on disk."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from beeline.checking.options import Options
from beeline.engine import Found, Limits, Outcome, Progress
from beeline.model.property import Property
from beeline.model.source import BeelineError
from beeline.planning.size import Size, size_of
from beeline.problems import problem_of
from beeline.problems.again import begin_again
from beeline.problems.problem import Problem
from beeline.problems.settings import Settings
from beeline.records import Record

FEWEST = 2_000
"""States of a trial below which its costs say nothing."""


class Trial(Record, frozen=True):
    """What a search of some seconds has shown."""

    size: Size
    seconds: float
    memory: float
    """Bytes of memory for each state."""
    disk: float
    """Bytes on disk for each state, at the peak."""
    note: str = ""
    """Why it was not as it was asked for."""

    @property
    def rate(self) -> float:
        """States per second."""
        return self.size.seen / self.seconds if self.seconds else inf


def trial(subject: Any, asked: Property, options: Options, seconds: float, progress: Progress | None) -> Trial | None:
    """A breadth-first search of everything that the question is about, with `options`. None if there is none such."""
    limits = options.limits or Limits()
    try:
        settings = Options(
            search="bfs",
            limits=Limits(time=seconds, memory=limits.memory, disk=limits.disk),
            **{name: getattr(options, name) for name in ("store", "reduce", "symmetry", "shrink", "tier", "match")},
            progress=progress,
        ).settings()
        problem = problem_of(subject, asked)
        choice, note = settings.shrinks_by(problem.wants_everything)
        match, note = settings.matches_by(problem.wants_everything, note)
        return begin_again(problem.smaller(choice, note, inf, match), lambda one: _tried(one, settings))
    except BeelineError:
        return None


def _tried(problem: Problem, settings: Settings) -> Trial:
    ready = problem.ready(settings)
    reduced = ready.reduce(settings)
    outcome = settings.run(ready.space(reduced=reduced), Found.NOTHING, [])
    return _told(outcome, reduced.note or (ready.folded.note if settings.symmetry is not None else ""))


def _told(outcome: Outcome, note: str) -> Trial:
    statistics, history = outcome.statistics, outcome.history
    stored = max(statistics.stored, 1)
    return Trial(
        size_of(history, statistics.stored, outcome.complete),
        statistics.seconds,
        _growth([sample.memory for sample in history]) / stored if stored >= FEWEST else 0.0,
        statistics.disk / stored,
        note,
    )


def _growth(memory: Sequence[int]) -> float:
    """What was taken after the beginning."""
    return float(memory[-1] - memory[0]) if memory else 0.0
