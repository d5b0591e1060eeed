"""`@beeline.checks` makes tests of models, and pytest shows their counterexamples."""

from __future__ import annotations

from pathlib import Path

import pytest

import beeline
from beeline import Limits, NetworkBuilder, checks
from beeline.testing import Violated

pytest_plugins = ["pytester"]
MODELS = Path(__file__).parents[1] / "models"


@checks
def test_a_model_that_holds() -> NetworkBuilder:
    builder = NetworkBuilder("counter")
    builder.variable("x", 0, 3)
    builder.process("up").location("run", end=True).edge("run", "run", guard="x < 3", effect="x++")
    builder.invariant("low", "x < 4")
    return builder


@checks(expect="violated", limits=Limits(time=60))
@pytest.mark.parametrize("name", ["philosophers.py", "jugs.py"])
def test_known_bugs_may_be_expected(name: str) -> Path:
    return MODELS / "python" / name


def test_a_violation_is_told_with_its_trace() -> None:
    with pytest.raises(Violated) as failed:
        checks(lambda: MODELS / "python" / "philosophers.py")()
    text = str(failed.value)
    assert text.startswith(
        "safety: violated (deadlock)\n\ncounterexample, 4 steps, the shortest possible:\n\nstep  process"
    )
    assert failed.value.results[0].verdict == "violated"


def test_what_is_unknown_fails_too() -> None:
    with pytest.raises(Violated, match="unknown"):
        checks(lambda: MODELS / "python" / "peterson.py", property="exclusion", limits=Limits(states=3))()


def test_a_bug_that_is_gone_is_told() -> None:
    with pytest.raises(Violated, match=r"holds .*expected: violated"):
        checks(lambda: MODELS / "python" / "peterson.py", property="exclusion", expect="violated")()


def test_pytest_shows_the_counterexample_instead_of_a_traceback(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_jugs="""
        import beeline

        class Jugs:
            def initial(self): return (0, 0)
            def successors(self, state):
                yield "fill", (state[0] + 1, 0)
            def violates(self, state): return state[0] == 2 and "two litres"

        @beeline.checks
        def test_jugs():
            return Jugs()

        def test_other():
            assert 1 == 1
        """
    )
    done = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    done.assert_outcomes(failed=1, passed=1)
    wanted = ["safety: violated (two litres)", "*counterexample, 2 steps*", "1     fill    state[[]0]: 0 -> 1"]
    done.stdout.fnmatch_lines(wanted)
    assert "beeline/testing.py" not in done.stdout.str()


def test_dir_shows_what_one_uses() -> None:
    assert dir(beeline) == sorted(beeline.__all__)
    assert {"check", "checks", "explore", "invariant", "NetworkBuilder", "Trace"} <= set(dir(beeline))
    for name in dir(beeline):
        assert getattr(beeline, name) is not None
