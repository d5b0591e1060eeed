"""`--engine auto` tries sets of states where a search of single states takes long.

Single states go first, because most answers come soon. From time to time their search is halted within one of its
reports of progress, and sets of states get a short while from the start. If these have the answer, that is it. If not,
the search goes on where it was: a trial costs its own time and nothing else, and all trials together at most a share
of the whole. Sets that came far further than single states in a trial get a longer one.

Where all processes step together, a state has as many successors as choices can be combined: single states are slow
then, and sets are tried before, after a glance at single states."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from beeline.engine import Limits, Statistics, Status, default_memory
from beeline.engine.budget import SEARCHING, LimitReached, doing, spend
from beeline.engines.declaration import AUTO, Engine
from beeline.model.network import Together
from beeline.model.source import BeelineError
from beeline.problems.networks import NetworkProblem
from beeline.problems.problem import Problem
from beeline.problems.settings import LIMIT_REASONS, Result, Settings
from beeline.records import replace
from beeline.searches import Takes

PATIENCE = 1.0
"""Seconds of single states before the first trial."""
AGAIN = 3.0
"""How much longer they must have gone on before each further one."""
SHARE = 0.2
"""Of the seconds of single states: what a trial may take."""
FURTHER = 100
"""How many times as many states sets must have found as were found one by one, to be given more time."""
LONGER = 20.0
"""How many times as long that is."""
GLANCE, BEFORE = 300, 2.0
"""Where processes step together: how many single states are looked at, and the seconds of sets after that."""
MEMORY = 0.5
"""The share of what is left of the memory that sets may take."""


class _Answered(BaseException):
    """Ends the search of single states: there is an answer. No `Exception`, because nothing is wrong."""


def wants_trial(settings: Settings) -> bool:
    """Whether nothing was asked for that only a search of single states has."""
    limits = settings.limits or Limits()
    told = (settings.heuristic, settings.ties, settings.reduction, settings.symmetry, settings.costs)
    bounded = limits.states is not None or limits.depth is not None or limits.disk is not None
    chosen = settings.search.name != AUTO or settings.search.takes is not Takes.SEVERAL or not settings.search.sets
    return not chosen and not bounded and settings.checkpoint is None and all(one is None for one in told)


def with_trials(first: Engine, sets: Callable[[], Engine]) -> Engine:
    """The first engine, which stops for trials of another one that need not be loaded before."""
    return replace(first, solve=lambda problem, settings: _Trials(first, sets, problem, settings).solve())


def _steps_together(problem: Problem) -> bool:
    """Whether no process ever moves alone."""
    if not isinstance(problem, NetworkProblem):
        return False
    edges = [edge for process in problem.model.processes for edge in process.edges]
    return bool(edges) and all(isinstance(edge.sync, Together) for edge in edges)


class _Trials:
    def __init__(self, first: Engine, sets: Callable[[], Engine], problem: Problem, settings: Settings) -> None:
        self._first, self._sets, self._problem, self._settings = first, sets, problem, settings
        self._began = monotonic()
        self._next = PATIENCE
        self._lost = 0.0
        """Seconds of trials without an answer."""
        self._told: list[str] = []
        self._answer: Result | None = None

    def solve(self) -> Result:
        """The answer of whoever has it first."""
        if _steps_together(self._problem) and (found := self._before()) is not None:
            return found
        try:
            rest = self._settings.after(self._lost)
            result = self._first.solve(self._problem, replace(rest, progress=self._report))
        except _Answered:
            assert self._answer is not None
            return self._answer
        return replace(result, engine_note="; ".join(self._told))

    def _before(self) -> Result | None:
        """What a glance at single states has, or sets after it."""
        engine = self._sets()
        if engine.accepts(self._problem) is not None:
            return None
        few = replace(self._settings.limits or Limits(), states=GLANCE)
        glance = self._first.solve(self._problem, replace(self._settings, limits=few))
        if glance.reason != LIMIT_REASONS[Status.STATES]:
            return glance
        passed = self._passed
        found = _Trial(engine, self._problem, self._settings.after(passed)).run(BEFORE, 0)
        if found is not None:
            return self._answered(
                found, engine, f"was tried first, and had the answer in {self._passed - passed:.1f} s"
            )
        self._lost = self._passed
        self._told.append(f"{engine.name} was tried first, and had no answer in {self._lost:.1f} s")
        return None

    @property
    def _passed(self) -> float:
        return monotonic() - self._began

    def _answered(self, found: Result, engine: Engine, note: str) -> Result:
        """What sets have found, with a note on how that came."""
        whole = replace(found.statistics, seconds=self._passed)
        return replace(found, engine=engine.name, engine_note=f"{engine.name} {note}", statistics=whole)

    def _report(self, statistics: Statistics) -> None:
        if self._settings.progress is not None:
            self._settings.progress(statistics)
        alone = self._passed - self._lost
        if alone < self._next:
            return
        self._next = AGAIN * alone
        engine = self._sets()
        if engine.accepts(self._problem) is not None:
            self._next = float("inf")
            return
        self._try(engine, alone, statistics)

    def _try(self, engine: Engine, alone: float, statistics: Statistics) -> None:
        """A short trial, and a longer one if that is promising. Raises `_Answered`."""
        began = monotonic()
        trial = _Trial(engine, self._problem, self._settings.after(self._passed))
        seconds = SHARE * alone
        found = trial.run(seconds, statistics.memory)
        if found is None and trial.most_states >= FURTHER * max(1, statistics.stored):
            seconds = LONGER * seconds
            found = trial.run(seconds, statistics.memory)
        passed = monotonic() - began
        after = f"after {alone:.1f} s of single states, {statistics.stored:,} by then"
        if found is not None:
            note = f"was tried {after}, and had the answer in {passed:.1f} s"
            self._answer = self._answered(found, engine, note)
            raise _Answered
        self._lost += passed
        self._told.append(f"{engine.name} was tried {after}, and had none in {passed:.1f} s")
        self._settings.tell(SEARCHING, statistics)


class _Trial:
    """Attempts of another engine, each with a time of its own."""

    def __init__(self, engine: Engine, problem: Problem, settings: Settings) -> None:
        self._engine, self._problem, self._settings = engine, problem, settings
        self.most_states = 0

    def run(self, seconds: float, used: int) -> Result | None:
        """The answer, if there is one within this time and with the memory that others have not used."""
        limits = self._settings.limits or Limits()
        whole = limits.memory or default_memory()
        least = seconds if limits.time is None else min(seconds, limits.time)
        memory = int(MEMORY * max(0, whole - used))
        settings = replace(self._settings, progress=self._heard, limits=Limits(time=least, memory=memory))
        budget = None
        try:
            with spend(Limits(time=least, memory=whole)) as budget:
                found = self._engine.solve(self._problem, settings)
        except (LimitReached, MemoryError) as error:
            if budget is None or not budget.ends(error):
                raise
            return None
        except BeelineError:
            return None  # what is wrong with the model, if anything, the first engine finds as well
        finally:
            doing(SEARCHING)
        self.most_states = max(self.most_states, found.statistics.stored)
        return None if found.verdict == "unknown" else found

    def _heard(self, statistics: Statistics) -> None:
        self.most_states = max(self.most_states, statistics.stored)
        if self._settings.progress is not None:
            self._settings.progress(statistics)
