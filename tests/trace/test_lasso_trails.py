"""SPIN replays trails of runs that go on for ever, and shows where the cycle begins."""

import subprocess
from pathlib import Path

import pytest

from beeline import check
from beeline.languages import load
from beeline.model.network import Network
from beeline.trace.lasso import trail_of_trace
from beeline.trace.spin import CYCLE, is_present, to_spin_trail
from beeline.trace.trail import Trail

pytestmark = pytest.mark.skipif(not is_present(), reason="SPIN is not installed")

BEGIN = "START OF CYCLE"
LOOPS = "byte x; active proctype P() { x = 1; do :: x = 1; x = 2 od } active proctype Q() { x = 3 }"
ENDS = "byte x; active proctype P() { x = 1; x = 2 }"
WAITS = "never { T0: do :: true :: x == 1 -> goto accept od; accept: do :: x > 0 od }"
COUNTS = "byte x; active proctype P() { _nr_pr == 2 -> do :: x = 1; x = 2 od }"
SYNCHRONOUS = """
    chan c = [0] of { byte }; byte x;
    active proctype P() { do :: c ! 1 :: atomic { x = 1; x = 0 } od }
    active proctype Q() { byte got; do :: c ? got :: d_step { x = 2; x = 0 } od }
"""


def trail_in(folder: Path, text: str, asked: str) -> Trail:
    """The trail of a lasso, written to where SPIN looks for it."""
    model = folder / "model.pml"
    model.write_text(text)
    network = load(model)
    assert isinstance(network, Network)
    result = check(network, asked)
    assert result.trace is not None
    trail = trail_of_trace(network, result.property, result.trace)
    (folder / "model.pml.trail").write_text(to_spin_trail(trail, model))
    return trail


def replayed_by_spin(folder: Path) -> str:
    """What SPIN shows of the trail, all of which it has to follow."""
    done = subprocess.run(["spin", "-t", "-p", "model.pml"], cwd=folder, capture_output=True, text=True, check=False)
    lines = (folder / "model.pml.trail").read_text().splitlines()
    steps = sum(not line.startswith("-") for line in lines)
    assert f"trail ends after {steps} steps" in done.stdout
    assert "error" not in done.stdout + done.stderr
    assert "not executable" not in done.stdout
    return done.stdout


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        pytest.param(f"{LOOPS} ltl p {{ [] (x == 3 -> <> (x == 4)) }}", "p", id="formula"),
        pytest.param(f"{LOOPS} ltl p {{ [] <> (x == 4) }} ltl q {{ <> (x == 5) }}", "q", id="two formulas"),
        pytest.param(LOOPS, "ltl: <> (x == 4)", id="formula from outside"),
        pytest.param(f"{LOOPS} {WAITS}", "claim", id="claim"),
        pytest.param(LOOPS.replace("do ::", "accept: do ::"), "acceptance", id="accept label"),
        pytest.param(LOOPS.replace("x = 3", "progress: x = 3"), "progress", id="progress label"),
        pytest.param(SYNCHRONOUS, "ltl: <> (x == 3)", id="handshake"),
        pytest.param(SYNCHRONOUS, "ltl: [] (x == 0) -> <> (x == 3)", id="uninterrupted"),
        pytest.param(f"{COUNTS} ltl p {{ <> (x == 4) }}", "p", id="the claim counts as a process"),
    ],
)
def test_spin_replays_our_lassos(text: str, asked: str, tmp_path: Path) -> None:
    trail = trail_in(tmp_path, text, asked)
    assert trail.cycle is not None
    assert trail.states[trail.cycle] == trail.states[-1]
    assert (tmp_path / "model.pml.trail").read_text().count(CYCLE) == 1
    before, _, after = replayed_by_spin(tmp_path).partition(BEGIN)
    assert ("proc " in before) == (trail.cycle > 0)
    assert "[" in after.partition("spin: trail ends")[0]


def test_a_run_that_comes_to_rest_has_no_cycle_for_spin(tmp_path: Path) -> None:
    trail = trail_in(tmp_path, f"{ENDS} ltl p {{ <> (x == 3) }}", "p")
    assert trail.cycle == len(trail)
    assert BEGIN not in replayed_by_spin(tmp_path)


def test_beside_a_claim_it_has_one_in_which_the_claim_moves_alone(tmp_path: Path) -> None:
    trail = trail_in(tmp_path, f"{ENDS} {WAITS}", "claim")
    assert trail.cycle is not None
    assert trail.cycle < len(trail)
    assert BEGIN in replayed_by_spin(tmp_path)


def test_a_violated_safety_formula_is_replayed_without_its_monitor(tmp_path: Path) -> None:
    trail = trail_in(tmp_path, f"{ENDS} ltl p {{ [] (x < 2) }}", "p")
    assert trail.cycle is None
    assert trail.network.monitor is None
    assert "[x = 2]" in replayed_by_spin(tmp_path)


def test_a_formula_that_fails_at_the_start_leaves_an_empty_trail(tmp_path: Path) -> None:
    trail_in(tmp_path, "byte x; active proctype P() { x = 1 } ltl p { x == 1 }", "p")
    assert "trail ends after 0 steps" in replayed_by_spin(tmp_path)
