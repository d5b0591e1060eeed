"""Least and greatest values of clocks and expressions, exact however far zones are widened."""

from __future__ import annotations

import pytest

from beeline.engine import Limits, Status
from beeline.languages.uppaal import load_text
from beeline.model.expressions import TRUE, Binary, Expression, Index, Instance, Literal, Ref, Remote
from beeline.model.source import ModelError
from beeline.timed.bounds import Bounds, bounds_of
from beeline.timed.goals import sought


def bounds(text: str, asked: str | None, *expressions: Expression, limits: Limits | None = None) -> Bounds:
    network = load_text(text + (f"\nquery {{ E<> {asked} }}" if asked else ""))
    condition = sought(network.properties[0]) if asked else TRUE
    return bounds_of(network, condition, expressions, limits=limits)


def shown(found: Bounds) -> list[str]:
    assert found.exact
    return [str(interval) for interval in found.intervals]


ROUNDS = """
clock x, y; int[0,10] n;
process P() { state a { y <= 5 }, b; init a;
    trans a -> a { guard n < 10 && y > 2; assign y = 0, n++; }, a -> b { guard n == 10; assign y = 0; }; }
system P;
"""


def test_a_clock_that_is_never_compared_has_exact_bounds() -> None:
    assert shown(bounds(ROUNDS, "P.a", Ref("x"), Ref("y"), Ref("n"))) == ["[0, 55]", "[0, 5]", "[0, 10]"]


def test_bounds_of_strict_guards_are_open() -> None:
    assert shown(bounds(ROUNDS, "n == 10 && P.a", Ref("x"), Ref("y"))) == ["(20, 55]", "[0, 5]"]
    assert shown(bounds(ROUNDS, "n == 3 && y < 4", Ref("x"), Ref("y"))) == ["(6, 19)", "[0, 4)"]


def test_time_without_limit_is_infinity() -> None:
    assert shown(bounds(ROUNDS, None, Ref("x"))) == ["[0, infinity)"]
    assert shown(bounds(ROUNDS, "P.b", Ref("x"))) == ["(20, infinity)"]


def test_expressions_are_measured_where_the_condition_holds() -> None:
    twice = Binary("*", Literal(2), Ref("n"))
    assert shown(bounds(ROUNDS, "x > 12 && x < 14", twice)) == ["[4, 12]"]


def test_an_impossible_condition_has_no_bounds() -> None:
    assert shown(bounds(ROUNDS, "n == 3 && x < 6", Ref("x"))) == ["None"]
    assert shown(bounds(ROUNDS, "false", Ref("x"))) == ["None"]


def test_bounds_are_measured_at_deadlocks_too() -> None:
    text = "clock x; process P() { state a { x <= 7 }; init a; trans a -> a { guard x < 4; assign x = 0; }; } system P;"
    assert shown(bounds(text, "deadlock", Ref("x"))) == ["[4, 7]"]
    assert shown(bounds(text, "not deadlock", Ref("x"))) == ["[0, 4)"]


def test_clocks_of_processes_and_of_arrays_are_measured() -> None:
    text = """int[0,1] i; process P() { clock x[2]; state a { x[0] <= 3 && x[1] <= 4 }, b; init a;
        trans a -> b { guard x[1] >= 3; assign x[0] = 0, i = 1; }; } system P;"""
    place = Remote(Instance("P"), Index(Ref("x"), Ref("i")))
    assert shown(bounds(text, "P.a", place)) == ["[0, 3]"]
    assert shown(bounds(text, "P.b", Remote(Instance("P"), Index(Ref("x"), Literal(1))))) == ["[3, infinity)"]


def test_a_limit_leaves_the_bounds_inexact() -> None:
    found = bounds(ROUNDS, "P.a", Ref("x"), limits=Limits(states=3))
    assert not found.exact and found.outcome.status is not Status.EXHAUSTED


ROUND = """clock x, y, z; bool on;
    process P() { state a { y <= 5 }; init a; trans a -> a { guard y >= 3; assign y = 0, on = !on; }; } system P;"""


def test_a_clock_that_grows_round_by_round_is_without_end() -> None:
    """No single zone shows it; a run does that comes back to where it was, later."""
    assert shown(bounds(ROUND, None, Ref("x"), Ref("y"))) == ["[0, infinity)", "[0, 5]"]
    assert shown(bounds(ROUND, "on && y == 1", Ref("x"))) == ["[4, infinity)"]


def test_a_clock_that_each_round_sets_back_is_not_without_end() -> None:
    back = ROUND.replace("on = !on", "on = !on, x = 40, z = 0")
    assert shown(bounds(back, None, Ref("x"), Ref("z"))) == ["[0, 45]", "[0, 5]"]


def test_a_clock_that_may_grow_for_ever_in_a_way_that_is_not_proven_is_not_called_bounded() -> None:
    """Differences of clocks are compared, so that clocks beyond all constants are not alike."""
    apart = ROUND.replace("guard y >= 3", "guard y >= 3 && x - z >= 0")
    assert not bounds(apart, None, Ref("x"), limits=Limits(states=300)).exact


def test_a_step_that_fails_comes_with_its_trace() -> None:
    text = """clock x; int[0,2] n; process P() { state a; init a; trans a -> a { guard x > 1; assign x = 0, n++; }; }
        system P;"""
    found = bounds(text, None, Ref("n"))
    assert not found.exact and found.failure is not None and len(found.failure) == 3


def test_an_expression_without_a_value_and_a_difference_are_refused() -> None:
    text = "clock x, y; int a[2]; int i = 2; process P() { state s; init s; } system P;"
    with pytest.raises(ModelError, match="no value"):
        bounds(text, None, Index(Ref("a"), Ref("i")))
    with pytest.raises(ModelError, match="neither a clock"):
        bounds(text, None, Binary("-", Ref("x"), Ref("y")))
