"""The trace that takes the least time, against an explorer of regions with one more clock."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from os import environ
from random import Random
from typing import Any

import pytest
from tests.languages.uppaal.oracle import ABOVE, Oracle, State
from tests.languages.uppaal.test_agreement import at
from tests.languages.uppaal.timed_models import Model, Shape, make_model, to_xta

from beeline import check
from beeline.languages.uppaal import load_text
from beeline.model.source import ModelError
from beeline.problems import Result
from beeline.timed.options import Extrapolation, ZoneOptions
from beeline.timed.soonest import LeastTime
from beeline.trace.timed import TimedTrace

NETWORKS = int(environ.get("BEELINE_FASTEST", "60"))
FAR = 6  # moments that the explorer of regions tells apart
SHAPES = [
    Shape(most_clocks=2),
    Shape(most_clocks=2, computed=True),
    Shape(most_clocks=2, priorities=True),
    Shape(most_clocks=2, channels=("broadcast", "urgent broadcast")),
]


def least_by_regions(oracle: Oracle, clock: int, deadlocked: bool) -> dict[tuple[tuple[int, ...], int], int]:
    """Twice the least time at which locations and the variable are met, one more if it is not attained."""
    found: dict[tuple[tuple[int, ...], int], int] = {}
    for state in oracle.reached:
        whole = state.region.whole[clock]
        if whole == ABOVE or (deadlocked and not oracle.is_deadlock(state)):
            continue
        key, least = (state.locations, state.variable), 2 * whole + (state.region.rank[clock] > 0)
        found[key] = min(found.get(key, least), least)
    return found


def fastest(text: str, query: str, **options: Any) -> Result:
    network = load_text(f"{text}\nquery {{ {query} }}")
    return check(network, network.properties[0], search="fastest", **options)


def told(result: Result) -> int | None:
    if result.least_time is None:
        assert result.trace is None
        return None
    assert isinstance(result.trace, TimedTrace)
    least = result.least_time
    assert result.trace.duration == least.moment if least.attained else result.trace.duration > least.moment
    return 2 * least.moment + (not least.attained)


def compare(model: Model) -> None:
    timed = replace(model, clocks=model.clocks + 1)
    oracle = Oracle(timed, FAR)
    places = sorted({(state.locations, state.variable) for state in oracle.reached})
    for deadlocked in (False, True):
        least = least_by_regions(oracle, model.clocks, deadlocked)
        for locations, variable in places[:: max(1, len(places) // 4)]:
            state = State(locations, variable, oracle.first_region())
            answer = told(fastest(to_xta(model), f"E<> {at(state, deadlocked)}"))
            known = least.get((locations, variable))
            if known is not None:
                assert answer == known
            else:  # never, or after more time than the explorer tells apart
                assert answer is None or answer > 2 * FAR


@pytest.mark.parametrize("shape", SHAPES, ids=["everything", "computed", "priorities", "broadcasts"])
def test_nothing_comes_sooner_than_regions_tell(shape: Shape) -> None:
    for seed in range(NETWORKS // len(SHAPES)):
        compare(make_model(Random(seed), shape))


DETOUR = """
process P() { clock x; state a { x <= 5 }, b { x <= 1 }, c { x <= 1 }, d; init a;
trans a -> d { guard x >= 5; }, a -> b { assign x = 0; }, b -> c { guard x == 1; assign x = 0; },
c -> d { guard x > 0; }; } system P;"""


def test_more_steps_may_take_less_time() -> None:
    shortest = check(network := load_text(DETOUR + "query { E<> P.d }"), network.properties[0], search="bfs")
    assert isinstance(shortest.trace, TimedTrace) and (len(shortest.trace), shortest.trace.duration) == (1, Fraction(5))
    assert shortest.least_time is None
    soonest = fastest(DETOUR, "E<> P.d")
    assert isinstance(soonest.trace, TimedTrace) and len(soonest.trace) == 3
    assert soonest.trace.duration == Fraction(3, 2)
    assert soonest.least_time == LeastTime(1, attained=False)


def test_waiting_where_one_is_may_take_longer_than_a_step() -> None:
    """At the start the goal is ten away, and behind a step no more than two."""
    text = """clock x; int n = 0;
process P() { state a; init a; trans a -> a { guard n == 0; assign n = 1, x = 8; }; } system P;"""
    result = fastest(text, "E<> x >= 10")
    assert result.least_time == LeastTime(2, attained=True) and result.trace is not None and len(result.trace) == 1


def test_time_without_end_is_not_explored() -> None:
    """The time grows for ever in a loop; nothing asks how much."""
    text = """process P() { clock x; state a { x <= 2 }, b; init a; trans a -> a { guard x >= 2; assign x = 0; }; }
system P;"""
    result = fastest(text, "E<> P.b")
    assert (result.verdict, result.trace, result.least_time) == ("violated", None, None)
    assert result.statistics.stored == 1


@pytest.mark.parametrize("extrapolation", [Extrapolation.M, Extrapolation.M_PLUS, Extrapolation.LU])
def test_every_extrapolation_finds_the_same(extrapolation: Extrapolation) -> None:
    result = fastest(DETOUR, "E<> P.d", zones=ZoneOptions(extrapolation))
    assert result.least_time == LeastTime(1, attained=False)


def test_a_failing_step_is_told_of_as_it_is_found() -> None:
    text = """int[0,1] n;
process P() { clock x; state a; init a; trans a -> a { guard x > 3; assign n = n + 1; }; } system P;"""
    result = fastest(text, "A[] n < 2")
    assert result.verdict == "violated" and result.least_time is None
    assert result.trace is not None and result.trace.steps[-1].error


def test_differences_and_stopped_clocks_are_refused() -> None:
    differing = (
        "clock x, y; process P() { state a; init a; trans a -> a { guard x - y > 1; assign x = 0; }; } system P;"
    )
    with pytest.raises(ModelError, match="differences of clocks"):
        fastest(differing, "E<> P.a && x > 3")
    stopping = "clock x; process P() { state a { x' == 0 }, b; init a; trans a -> b { }; } system P;"
    with pytest.raises(ModelError, match="stops clocks"):
        fastest(stopping, "E<> P.b")


def test_without_clocks_the_fewest_steps_are_found() -> None:
    text = "process P() { state a, b; init a; trans a -> b { }; } system P;"
    result = fastest(text, "E<> P.b")
    assert result.verdict == "holds" and result.shortest is False and result.least_time is None
