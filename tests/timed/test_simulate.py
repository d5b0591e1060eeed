"""Walking through timed models."""

from __future__ import annotations

from fractions import Fraction

from beeline.languages.uppaal import load_text
from beeline.simulate import walk_at_random
from beeline.timed.simulate import TimedWorld

MODEL = """
clock x;
process P() { state wait { x <= 3 }, done; init wait; trans wait -> done { guard x >= 2; }; }
system P;
"""


def test_a_step_waits_for_its_guard_and_time_stops_at_the_invariant() -> None:
    for seed in range(20):
        moment = Fraction(0)
        for turn in walk_at_random(TimedWorld(load_text(MODEL)), 12, seed):
            if turn.step.process == "time":
                moment += Fraction(turn.step.action.removeprefix("passes for "))
                continue
            assert 2 <= moment <= 3
            break


def test_the_same_seed_gives_the_same_walk() -> None:
    walks = [[turn.step.action for turn in walk_at_random(TimedWorld(load_text(MODEL)), 8, 7)] for _ in range(2)]
    assert walks[0] == walks[1] and walks[0]
