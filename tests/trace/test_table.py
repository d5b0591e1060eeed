"""Tables fit terminals, fold long traces there, and lose nothing in pipes."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import click
import pytest

from beeline.columns import Look, look
from beeline.model.source import Source
from beeline.records import replace
from beeline.trace import Trace, TraceStep
from beeline.trace.table import FIRST_STEPS, LAST_STEPS, to_table
from beeline.trace.timed import TimedTrace


def long_trace(steps: int) -> Trace:
    made = [
        TraceStep(i, f"worker[{i % 3}]", "x = x + 1 " * 12, {f"variable_{i}": ("0", str(i))}, Source("m.pml", i))
        for i in range(1, steps + 1)
    ]
    return Trace({}, tuple(made))


def test_a_pipe_gets_every_step_and_every_character() -> None:
    text = to_table(long_trace(200))
    assert all(f"variable_{i}: 0 -> {i}" in text for i in range(1, 201))
    assert ("x = x + 1 " * 12).rstrip() in text
    assert "\x1b" not in text


def test_a_trace_prints_as_its_table_and_a_step_as_a_line() -> None:
    trace = Trace({}, (TraceStep(1, "P", "x++", {"x": ("0", "1")}),))
    assert [line.split() for line in str(trace).splitlines()] == [
        ["step", "process", "action", "changes"],
        ["1", "P", "x++", "x:", "0", "->", "1"],
    ]
    assert str(trace[0]) == "1 P: x++"


def test_a_trace_without_steps_says_so() -> None:
    assert to_table(Trace({"x": "0"}, ())) == "no step is needed: it is so in the initial state"
    assert "time passes" in to_table(TimedTrace({}, (), cycle=0, delays=(Fraction(1),)))


@pytest.mark.parametrize("width", [60, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    lines = to_table(long_trace(40), Look(width)).splitlines()
    assert max(map(len, lines)) <= width


def test_wrapped_cells_lose_nothing() -> None:
    text = to_table(long_trace(1), Look(60))
    assert text.count("x") >= 24
    assert "".join(text.split()).count("x=x+1") >= 8


def test_long_traces_are_folded_around_the_end() -> None:
    folded = to_table(long_trace(100), Look(120, fold=True))
    assert f"{100 - FIRST_STEPS - LAST_STEPS} steps left out: --full shows them" in folded
    assert "variable_1:" in folded and "variable_100:" in folded
    assert "variable_50:" not in folded
    assert "left out" not in to_table(long_trace(FIRST_STEPS + LAST_STEPS), Look(120, fold=True))


def test_what_is_interesting_is_not_folded_away() -> None:
    folded = to_table(long_trace(100), Look(120, fold=True), {40, 42, 99})
    assert all(f"variable_{i}:" in folded for i in (40, 41, 42))
    assert "variable_39:" not in folded and "variable_43:" not in folded
    assert folded.count("steps left out") == 2


def test_the_last_writes_stay_in_a_folded_trace(tmp_path: Path) -> None:
    model = tmp_path / "count.pml"
    model.write_text(
        "byte x, y;\nactive proctype P() {\n do :: y < 15 -> y++ :: else -> break od; x = 1;\n"
        "  do :: y < 75 -> y++ :: else -> break od; assert(x == 0) }\n"
    )
    command = [sys.executable, "-c", "from beeline.cli import main; main()", "check", str(model)]
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "100", "TERM": "xterm", "NO_COLOR": "1"}
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, env=environment) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):
            while part := os.read(ours, 4096):
                shown += part
    os.close(ours)
    assert process.returncode == 1
    assert b"x: 0 -> 1" in shown and b"steps left out: --full shows them" in shown
    assert b"\x1b" not in shown, "NO_COLOR"


def test_timed_traces_have_moments() -> None:
    trace = TimedTrace({}, (TraceStep(1, "P", "go", {}),), (), delays=(Fraction(3, 2), Fraction(1)))
    assert to_table(trace).splitlines() == [
        "step  at   process  action                  changes",
        "1     1.5  P        go",
        "      2.5           time passes until here",
    ]


def test_errors_stand_out() -> None:
    trace = Trace({}, (TraceStep(1, "P", "assert(x)", {}, error="x is zero"),))
    coloured = to_table(trace, Look(80, colour=True))
    assert "\x1b[1;31m" in coloured
    assert "\x1b[1;38;5;196m" in to_table(trace, Look(80, colour=True, many=True))
    assert click.unstyle(coloured).splitlines()[1].endswith("! x is zero")


def test_colours_are_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert look() == Look()
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "77")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert look() == Look(77, True, True)
    assert look(full=True) == Look(77, False, True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert look() == Look(77, True, False)


def test_a_lasso_shows_where_its_cycle_begins_and_what_comes_after() -> None:
    text = to_table(replace(long_trace(4), cycle=2))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    begins = lines.index("~~~ the cycle begins")
    assert lines[begins - 1].startswith("2 ") and lines[begins + 1].startswith("3 ")
    assert lines[-1] == "~~~ and so on for ever: as after step 2"


def test_a_run_that_comes_to_rest_is_a_lasso_too() -> None:
    assert to_table(replace(long_trace(2), cycle=2)).endswith("nothing happens any more, for ever")
    assert to_table(replace(long_trace(2), cycle=0)).endswith("and so on for ever: as at the start")


def test_a_folded_lasso_keeps_the_beginning_of_its_cycle() -> None:
    folded = to_table(replace(long_trace(100), cycle=50), Look(120, fold=True))
    assert "the cycle begins" in folded and "variable_50:" in folded and "variable_51:" in folded
