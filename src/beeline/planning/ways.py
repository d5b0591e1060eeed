"""Which way of searching a model to take, told from short trials of several."""

from __future__ import annotations

import enum
import shutil
from collections.abc import Iterator
from math import ceil, inf, isinf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from beeline.checking import check
from beeline.checking.options import Options
from beeline.engine import Limits
from beeline.engine.limits import default_memory
from beeline.model.property import Property
from beeline.planning.size import Size
from beeline.planning.trials import Trial, trial
from beeline.problems import Result, subject_of
from beeline.problems.make import asked_of
from beeline.records import Record, replace

SECONDS = 15.0
"""What a plan takes if nothing else is said."""
SHARE = 0.7
"""Of a limit of time."""
TO_ANSWER, TO_SIZE, TO_TRY = 0.15, 0.35, 0.08
"""Shares of that time: for the question itself, for the size of the space, for each other way."""
BREADTH_FIRST = "--search bfs"
SPARE = 1.1
"""What is needed, as a multiple of what was measured: tables grow in steps."""
BY_HASH, BY_BITS = 12.0, 1.0
"""Bytes of a state of which only a hash is kept, or some bits; those that wait to be expanded take more for a while."""


class Fit(enum.Enum):
    """Whether a space fits."""

    YES = "yes"
    PERHAPS = "perhaps"
    NO = "no"


class Choice(Record, frozen=True):
    """One way to search."""

    how: str
    """Its options."""
    states: Size
    """That it has to keep."""
    bytes_each: float
    rate: float
    """States per second."""
    room: int
    """Bytes that there are of what it keeps them in."""
    medium: str
    """That it keeps them in."""
    proves: bool = True
    machines: int | None = None
    """How many machines like this one would hold all of them, where several can join."""
    note: str = ""

    def needs(self, states: float) -> float:
        """Bytes for so many states."""
        return states * self.bytes_each * SPARE

    @property
    def fits(self) -> Fit:
        """Whether there is room."""
        if self.machines is not None:
            return Fit.PERHAPS
        if self.needs(self.states.high) <= self.room:
            return Fit.YES
        certainly = self.states.likely if isinf(self.states.high) and self.states.has_end else self.states.low
        return Fit.NO if self.needs(certainly) > self.room else Fit.PERHAPS

    @property
    def is_likely_to_fit(self) -> bool:
        """Whether there is room for what is likely."""
        return self.machines is not None or self.needs(self.states.likely) <= self.room

    @property
    def seconds(self) -> float:
        """That it is likely to take."""
        return self.states.likely / self.rate if self.rate else inf


class Plan(Record, frozen=True):
    """What is known after the trials."""

    asked: str
    answer: Result | None
    """To the question, if the trial of it came to one."""
    size: Size | None = None
    choices: tuple[Choice, ...] = ()

    @property
    def recommended(self) -> Choice | None:
        """The cheapest way that proves something and fits; if none does for certain, one that is likely to; or else the
        one that has most room."""
        proving = [choice for choice in self.choices if choice.proves]
        for is_good in (lambda choice: choice.fits is Fit.YES, lambda choice: choice.is_likely_to_fit):
            if good := next((choice for choice in proving if is_good(choice)), None):
                return good
        open_ones = [choice for choice in proving if choice.fits is Fit.PERHAPS]
        return min(open_ones, key=lambda choice: choice.bytes_each / choice.room, default=None)


def plan(model: Any, asked: str | Property | None = None, options: Options | None = None) -> Plan:
    """What to do about a question on a model that may not fit: the size of its space, and what each way to search it
    would take. Takes some seconds, or the time of the limits.

    >>> from beeline import NetworkBuilder
    >>> builder = NetworkBuilder("up")
    >>> builder.variable("x", 0, 3)
    >>> _ = builder.process("up").location("run").edge("run", "run", guard="x < 3", effect="x++")
    >>> plan(builder, "x < 4").answer.verdict
    'holds'
    """
    options = options or Options()
    limits = options.limits or Limits()
    began = monotonic()
    seconds = SECONDS if limits.time is None else SHARE * limits.time
    subject = subject_of(model)
    (question, *_) = asked_of(subject, None if asked is None else [asked])
    first = replace(options, limits=replace(limits, time=TO_ANSWER * seconds))
    answer = check(subject, question, first)
    if answer.verdict != "unknown":
        return Plan(question.name, answer)
    with TemporaryDirectory(prefix="beeline-plan-") as folder:
        plain = trial(subject, question, options, TO_SIZE * seconds, options.progress)
        if plain is None:
            return Plan(question.name, None)
        deadline = inf if limits.time is None else began + limits.time
        ways = _choices(subject, question, options, TO_TRY * seconds, deadline, plain, Path(folder))
        choices = tuple(ways)
    return Plan(question.name, None, plain.size, choices)


def _choices(
    subject: Any, asked: Property, options: Options, seconds: float, deadline: float, plain: Trial, folder: Path
) -> Iterator[Choice]:
    limits = options.limits or Limits()
    memory = limits.memory or default_memory()

    def tried(**changes: Any) -> Trial | None:
        if monotonic() + seconds > deadline:
            return None  # a busy machine, or a model that takes long to compile
        return trial(subject, asked, replace(options, **changes), seconds, options.progress)

    def kept(how: str, found: Trial, size: Size, proves: bool = True) -> Choice:
        return Choice(how, size, found.memory, found.rate, memory, "memory", proves)

    yield kept("--store plain", plain, plain.size)
    for how, changes in (("--symmetry auto", {"symmetry": "auto"}), ("--reduce stubborn", {"reduce": "stubborn"})):
        found = tried(**changes)
        if found is not None and not found.note and _is_smaller(found, plain):
            yield kept(how, found, found.size)
    if disk := tried(store=f"disk:{folder}"):
        room = limits.disk or shutil.disk_usage(".").free
        on_disk = Choice("--store disk:FOLDER", plain.size, disk.disk, disk.rate, room, "disk")
    if asked.seeks_cycle:  # the other ways look for cycles by pairs of states, whose number is not known
        yield from () if disk is None else (on_disk,)
        return
    if tree := tried(store="tree"):
        yield kept(f"{BREADTH_FIRST} --store tree", tree, plain.size)
    if disk is not None:
        yield on_disk
    if _may_be_shared(subject, asked):
        machines = ceil(plain.size.likely * plain.memory * SPARE / memory) if plain.size.has_end else None
        if machines is not None and machines > 1:
            yield replace(kept("--engine mpi", plain, plain.size), machines=machines)
    if compact := tried(store="hash-compact"):
        for store, each in (("hash-compact", BY_HASH), ("bitstate", BY_BITS)):
            one = kept(f"{BREADTH_FIRST} --store {store}", compact, plain.size, proves=False)
            yield replace(one, bytes_each=each)


def _is_smaller(found: Trial, plain: Trial) -> bool:
    """Whether a space is likely to be smaller; where neither tells its end, it is not known to be."""
    return found.size.has_end and found.size.likely < 0.9 * plain.size.likely


def _may_be_shared(subject: Any, asked: Property) -> bool:
    from beeline.engines import find_engine
    from beeline.problems import problem_of

    try:
        return find_engine("mpi").accepts(problem_of(subject, asked)) is None
    except ImportError:
        return False
