"""`beeline improve` makes runs that go on for ever shorter, and they go on for ever afterwards."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Beeline
from tests.cli.test_mistakes import refused

LOOSE = """
byte x, y;
active proctype P() { do :: y < 5 -> y++ :: y > 0 -> y-- :: x = 1 :: x = 0 od }
active proctype Q() { byte k; do :: k < 6 -> k++ :: k = 0 od }
"""
FORMULA = LOOSE + "ltl p { [] (x == 1 -> <> (y == 5)) }"
CLAIM = LOOSE + "never { T0: do :: true :: x == 1 -> goto accept od; accept: do :: y < 5 od }"
LABELS = LOOSE.replace("x = 1", "accept: x = 1")
PROGRESS = LOOSE.replace("x = 1", "progress: x = 1")
ENDING = "byte x; active proctype P() { do :: x < 9 -> x++ :: break od } ltl p { <> (x == 10) }"
NEEDS_SPIN = pytest.mark.skipif(
    shutil.which("spin") is None or shutil.which("gcc") is None, reason="SPIN or gcc is not installed"
)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tmp_path / "model.pml"


def improved(beeline: Beeline, model: Path, trace: Path, *options: str) -> dict[str, Any]:
    done = beeline("improve", model, trace, "--json", *options)
    assert done.code == 1, done.err
    return done.object


@pytest.mark.parametrize("search", ["ndfs", "scc"])
@pytest.mark.parametrize(
    ("text", "asked"), [(FORMULA, "p"), (CLAIM, "never_0"), (LABELS, "acceptance"), (PROGRESS, "progress")]
)
def test_a_long_lasso_becomes_a_short_one(
    beeline: Beeline, model: Path, tmp_path: Path, text: str, asked: str, search: str
) -> None:
    model.write_text(text)
    trace = tmp_path / "trace.json"
    told = beeline("check", model, "--property", asked, "--search", search, "--json").object
    trace.write_text(json.dumps(told))
    found = improved(beeline, model, trace)
    assert found["property"] == asked
    assert 0 <= found["cycle_start"] < found["length"] == len(found["trace"]) <= found["length_before"]
    assert found["length"] <= 4
    trace.write_text(json.dumps(found))
    assert improved(beeline, model, trace)["length"] == found["length"], "what was improved is a lasso again"
    assert "the cycle begins" in beeline("improve", model, trace).out


def test_a_run_that_comes_to_rest_still_does(beeline: Beeline, model: Path, tmp_path: Path) -> None:
    model.write_text(ENDING)
    trace = tmp_path / "trace.json"
    trace.write_text(beeline("check", model, "--property", "p", "--search", "ndfs", "--json").out)
    found = improved(beeline, model, trace)
    assert found["cycle_start"] == found["length"] < found["length_before"]


@NEEDS_SPIN
@pytest.mark.parametrize(
    ("text", "asked", "flags"),
    [
        (FORMULA, "p", ("-a",)),
        (CLAIM, "never_0", ("-a",)),
        (LABELS, "acceptance", ("-a",)),
        (PROGRESS, "progress", ("-l",)),
        (ENDING, "p", ("-a",)),
        ("byte x; active proctype P() { x = 1; accept: do :: x = 1; x = 2 od }", "acceptance", ("-a",)),
    ],
)
def test_lassos_of_spin_are_improved(
    beeline: Beeline, model: Path, text: str, asked: str, flags: tuple[str, ...]
) -> None:
    model.write_text(text)
    progress = ["-DNP"] if "-l" in flags else []
    for command in (["spin", "-a", "model.pml"], ["gcc", "-w", *progress, "-o", "pan", "pan.c"], ["./pan", *flags]):
        subprocess.run(command, cwd=model.parent, capture_output=True, check=True)
    found = improved(beeline, model, model.parent / "model.pml.trail")
    assert found["property"] == asked
    assert found["cycle_start"] is not None
    assert found["length"] <= found["length_before"]


@NEEDS_SPIN
def test_statements_that_the_verifier_merged_are_read_one_by_one(beeline: Beeline, model: Path) -> None:
    model.write_text("active proctype P() { byte k; do :: k < 3 -> k++ :: k == 3 -> assert(false) od }")
    for command in (["spin", "-a", "model.pml"], ["gcc", "-w", "-o", "pan", "pan.c"], ["./pan"]):
        subprocess.run(command, cwd=model.parent, capture_output=True, check=True)
    assert improved(beeline, model, model.parent / "model.pml.trail")["length_before"] == 8


FAIR = """
byte x;
active proctype P() { do :: x = 1 od }
active proctype Q() { do :: skip od }
"""


def test_what_is_lost_of_fairness_is_said(beeline: Beeline, model: Path, tmp_path: Path) -> None:
    model.write_text(FAIR)
    trace = tmp_path / "trace.json"
    asked = ("--property", "ltl: <> (x == 2)")
    trace.write_text(beeline("check", model, *asked, "--fairness", "weak", "--json").out)
    found = improved(beeline, model, trace)
    assert "not fair (strong), as the given one was" in found["note"]
    kept = improved(beeline, model, trace, "--fairness", "weak")
    assert kept["length"] == kept["length_before"]
    assert kept["note"] == "the search found a shorter lasso, but that is not fair"
    trace.write_text(json.dumps(found))
    assert "the run is not fair (weak)" in refused(beeline("improve", model, trace, "--fairness", "weak"))[0]


def test_what_is_no_lasso_is_refused(beeline: Beeline, model: Path, tmp_path: Path) -> None:
    model.write_text(FORMULA)
    trace = tmp_path / "trace.json"
    told = beeline("check", model, "--property", "p", "--search", "ndfs", "--json").object
    for change, said in (
        ({"cycle_start": told["cycle_start"] + 1}, "is not the one at which its cycle begins"),
        ({"cycle_start": 10**6}, "'cycle_start' is no number of steps"),
        ({"cycle_start": told["trace_length"]}, "does not come to rest"),
    ):
        trace.write_text(json.dumps({**told, **change}))
        done = beeline("improve", model, trace)
        assert done.code == 2 and said in done.err
    trace.write_text(json.dumps({**told, "property": "ltl: [] <> (y == 0) || <> [] (y > 0)"}))
    assert "is not violated by this run" in refused(beeline("improve", model, trace))[0]
    trace.write_text(json.dumps(told))
    assert "leave out" in refused(beeline("improve", model, trace, "--slice"))[0]
