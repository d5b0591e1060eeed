"""Walking through timed models."""

from __future__ import annotations

from fractions import Fraction

from beeline.languages.uppaal import load_text
from beeline.simulate import at_random
from beeline.timed.simulate import simulate_timed

MODEL = """
clock x;
process P() { state wait { x <= 3 }, done; init wait; trans wait -> done { guard x >= 2; }; }
system P;
"""


def test_a_step_waits_for_its_guard_and_time_stops_at_the_invariant() -> None:
    for seed in range(20):
        moment = Fraction(0)
        for turn in simulate_timed(load_text(MODEL), at_random(seed), 12):
            if turn.process == "time":
                moment += Fraction(turn.action.removeprefix("passes for "))
                continue
            assert 2 <= moment <= 3
            break


def test_the_same_seed_gives_the_same_walk() -> None:
    walks = [[turn.action for turn in simulate_timed(load_text(MODEL), at_random(7), 8)] for _ in range(2)]
    assert walks[0] == walks[1] and walks[0]
