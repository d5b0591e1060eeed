"""Where pan is wrong about cycles, and how that is told from a fault of ours."""

import shutil

import pytest
from benchmarks.conformance.liveness import live_differences
from benchmarks.conformance.public_liveness import why_open
from benchmarks.conformance.tool import Beeline, Inside, ToolLimits

needs_spin = pytest.mark.skipif(not (shutil.which("spin") and shutil.which("gcc")), reason="SPIN is not installed")

MISSED = """
proctype P() { byte a;
accept_0: do
    :: a = 1 -> a = 2
    :: break
    od
}
init { run P() }
"""
INVENTED = """
proctype Unused() { timeout }
proctype P() { skip }
init { run P() }
ltl f0 { <> (([] (_nr_pr < 2)) W ([] (_nr_pr >= 2))) }
"""


@needs_spin
@pytest.mark.parametrize(
    ("text", "cause"),
    [
        pytest.param(MISSED, "pan finds the cycle in another order", id="missed"),
        pytest.param(INVENTED, "the run that pan tells is no cycle", id="invented"),
    ],
)
def test_a_wrong_answer_of_pan_is_told_by_its_cause(text: str, cause: str) -> None:
    kind, difference = live_differences(text, Beeline(Inside(), ToolLimits(time_s=20)))
    assert (kind.startswith("explained"), cause in kind, difference) == (True, True, "")


@pytest.mark.parametrize(
    ("pan", "own", "cause"),
    [
        ("unknown", "spin refuses it: no such file", "SPIN refuses the file"),
        ("unknown: time", "unknown", "too large for both"),
        ("holds", "unknown", "too large here"),
        ("unknown: time", "violated", "too large for pan"),
    ],
)
def test_open_questions_have_a_cause(pan: str, own: str, cause: str) -> None:
    assert why_open(pan, own) == cause
