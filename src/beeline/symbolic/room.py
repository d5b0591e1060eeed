"""A program made ready for searches with sets, with variables for the values that come up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TypeVar

from beeline.compile.program import Program
from beeline.engine import Found, Limits, Progress, default_memory
from beeline.symbolic.joint import parts_of
from beeline.symbolic.meter import Meter
from beeline.symbolic.quest import Guide, Quest
from beeline.symbolic.survey import Survey, TooNarrow, look_at, look_at_parts, look_further
from beeline.symbolic.system import System

T = TypeVar("T")

SHARE_OF_MEMORY = 0.8  # that diagrams may take; the rest is Python's and the program's


def with_room(
    program: Program,
    stop: Found,
    limits: Limits | None,
    search: Callable[[Quest], T],
    progress: Progress | None = None,
    guides: Sequence[Guide] = (),
) -> T:
    """A search, begun again with more variables where values come up that were not seen at the beginning. The first
    value of the program, if it has one, says what is sought."""
    limits = limits or Limits()
    alone = parts_of(program)
    survey = look_at(program) if alone is None else look_at_parts(alone)
    began, has_looked_far = monotonic(), alone is not None
    while True:
        try:
            return search(_quest(program, alone, survey, stop, limits, progress, guides, began))
        except TooNarrow as reason:
            survey = survey if has_looked_far else look_further(program, survey)
            survey = survey.wider(reason.cell, reason.value)
            has_looked_far = True
        # Here nothing is left of the diagrams: there is memory for others.


def _quest(
    program: Program,
    alone: Program | None,
    survey: Survey,
    stop: Found,
    limits: Limits,
    progress: Progress | None,
    guides: Sequence[Guide],
    began: float,
) -> Quest:
    memory = int(SHARE_OF_MEMORY * (limits.memory or default_memory()))
    system = System(program, survey, memory, alone=alone)
    predicate = system.predicate(program.values[0]) if program.values else None
    return Quest(system, stop, predicate, Meter(system.diagrams, system.count, limits, progress, began), guides)
