"""The exact question whether anything can still happen does not depend on how large the constants are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from beeline.checking import check
from beeline.engine import Limits
from beeline.languages.uppaal import load_text
from beeline.model.network import Network
from beeline.timed.semantics import TimedSemantics, TimedState
from beeline.timed.values import ClockValues
from beeline.trace.timed import TimedTrace

WAITING = """
clock x, y; int[0,1000000] n = 1000000;
int[0,1000000] wait() { return n; }
process P() { state a { x <= wait() }, b { y <= 7 }; init a; trans a -> b { guard x >= %s; }; }
system P;
query { A[] not deadlock }
"""


def questions_asked(network: Network, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often the interpreter lists what could happen, to find that the first state is no deadlock."""
    semantics = TimedSemantics(network)
    asked: list[object] = []
    candidates = semantics.steps_of.candidates

    def counted(*given: Any) -> Any:
        asked.append(given)
        return candidates(*given)

    monkeypatch.setattr(semantics.steps_of, "candidates", counted)
    state = semantics.initial_state()
    assert state is not None and not semantics.is_deadlock(state)
    return len(asked)


def test_a_large_constant_takes_no_more_questions_than_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    small = questions_asked(load_text(WAITING.replace("y <= 7", "true") % 3), monkeypatch)
    assert questions_asked(load_text(WAITING.replace("y <= 7", "true") % 999_999), monkeypatch) == small < 10


def test_a_deadlock_behind_a_large_constant_is_found_within_the_limits() -> None:
    result = check(load_text(WAITING % 3), "query1", limits=Limits(time=10, memory=2**30))
    assert result.verdict == "violated" and result.reason == "deadlock"
    assert isinstance(result.trace, TimedTrace) and result.trace.delays == (Fraction(15, 2),)


def test_a_step_is_awaited_only_as_long_as_the_invariant_and_its_target_allow() -> None:
    semantics = TimedSemantics(load_text(WAITING % 999_999))
    (start,) = semantics.steps_of.initial_states()

    def stuck(x: Fraction, y: Fraction) -> bool:
        return semantics.is_deadlock(TimedState(start, ClockValues.of((Fraction(0), x, y))))

    half = Fraction(1, 2)
    assert not stuck(Fraction(999_999), Fraction(7))
    assert not stuck(999_998 + half, 6 + half)
    assert stuck(999_998 + half, 6 + half + Fraction(1, 9))  # the target's invariant is over before the guard holds
