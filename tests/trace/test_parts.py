"""A trace is a sequence: its steps have places, and a part of it is a trace."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from beeline import check
from beeline.records import replace
from beeline.trace import Trace, TraceStep
from beeline.trace.timed import TimedTrace

MODELS = Path(__file__).parents[2] / "models"
STEPS = tuple(TraceStep(i, "P", "x++", {"x": (str(i - 1), str(i))}) for i in range(1, 6))
COUNT = Trace({"x": "0"}, STEPS, tuple(range(6)))


def test_steps_have_places() -> None:
    assert COUNT[0].number == 1
    assert COUNT[-1] is COUNT.steps[-1]
    with pytest.raises(IndexError):
        COUNT[5]


def test_a_part_begins_where_it_begins() -> None:
    part = COUNT[2:4]
    assert [step.number for step in part] == [3, 4]
    assert (part.initial, part.states, part.final()) == ({"x": "2"}, (2, 3, 4), {"x": "4"})
    assert COUNT[:] == COUNT
    assert len(COUNT[4:2]) == 0
    with pytest.raises(ValueError, match="without gaps"):
        COUNT[::2]


def test_the_end_of_a_lasso_is_a_lasso() -> None:
    lasso = replace(COUNT, cycle=3)
    assert lasso[2:].cycle == 1
    assert lasso[4:].cycle is None and lasso[:4].cycle is None


def test_parts_of_timed_traces_keep_their_delays() -> None:
    trace = check(MODELS / "uppaal" / "fischer_b_3_faulty.xta").trace
    assert isinstance(trace, TimedTrace)
    part = trace[2:5]
    assert part.delays == (*trace.delays[2:5], Fraction(0))
    assert trace[2:].delays == trace.delays[2:]
