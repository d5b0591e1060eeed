"""Directed searches of zone graphs find what the region oracle reaches, and nothing else."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from tests.languages.uppaal.oracle import Oracle
from tests.languages.uppaal.timed_models import Model, Shape, make_model, models, to_xta

from beeline import Limits, check
from beeline.languages.uppaal import load_text

CONFIGURATIONS = [
    ("greedy", "hU"),
    ("greedy", "hCG"),
    ("astar", "hL"),
    ("ut", "hL"),
    ("ut", "dL"),
    ("multi", "hU, hFF"),
    ("idastar", "dU"),
    ("auto", None),
]


@pytest.mark.parametrize(("search", "heuristic"), CONFIGURATIONS, ids=lambda part: str(part))
@settings(max_examples=25)
@given(model=models())
def test_directed_searches_agree_with_the_oracle(search: str, heuristic: str | None, model: Model) -> None:
    reached = {(state.locations, state.variable) for state in Oracle(model).reached}
    asked = list(product(sorted({locations for locations, _ in reached}), (0, 1, 2)))[-4:]
    queries = "".join(f"\nquery {{ E<> {at(locations, value)} }}" for locations, value in asked)
    network = load_text(to_xta(model) + queries)
    for place, goal in zip(asked, network.properties, strict=True):
        result = check(network, goal, search=search, heuristic=heuristic)
        assert (result.trace is not None) == (place in reached), goal
        if result.trace is not None and result.shortest:
            shortest = check(network, goal, search="bfs")
            assert shortest.trace is not None and len(result.trace) == len(shortest.trace)


def at(locations: tuple[int, ...], value: int) -> str:
    return " && ".join([*(f"P{number}.s{place}" for number, place in enumerate(locations)), f"v == {value}"])


def test_a_goal_of_clocks_alone_is_found_by_directed_search() -> None:
    network = load_text(
        "clock x; process P() { state a, b; init a; trans a -> b { guard x > 3; }; } system P; query { E<> x > 5 }"
    )
    for search in ("greedy", "astar", "ut", "auto"):
        assert check(network, network.properties[0], search=search).trace is not None


LIMITS = (
    *(Limits(states=few) for few in (1, 3, 6, 12, 24)),
    *(Limits(depth=few) for few in (0, 2, 4, 8)),
    *(Limits(time=little) for little in (0, 0.0002, 0.002)),
)


@pytest.mark.parametrize("search", ["bfs", "iddfs", "adfs", "astar", "idastar", "auto"])
def test_a_search_of_zones_that_a_limit_ended_claims_nothing_false(search: str) -> None:
    shortest = 0
    for seed in range(60):
        text = to_xta(make_model(Random(seed), Shape()))
        for query in ("A[] not deadlock", f"A[] v < {1 + seed % 2}"):
            network = load_text(f"{text}\nquery {{ {query} }}")
            exact = check(network, network.properties[0], search="bfs", shrink="none")
            limits = LIMITS[seed % len(LIMITS)]
            result = check(network, network.properties[0], search=search, limits=limits)
            assert result.verdict in ("unknown", exact.verdict), (seed, query, limits)
            if result.trace is not None and result.shortest:
                assert exact.trace is not None and len(result.trace) == len(exact.trace), (seed, query, limits)
                shortest += 1
    assert shortest > 10


def test_a_long_timed_trace_found_before_the_limit_is_not_called_shortest() -> None:
    network = load_text("""
        clock x; int[0,300] n; int[0,1] e;
        process P() {
            state a { x <= 1 }, b, c; init a;
            trans a -> a { guard n < 200; assign n = n + 1, x = 0; }, a -> a { guard n == 200; assign e = 1; },
                  a -> b { guard n == 0; }, b -> c { }, c -> c { assign e = 1; };
        }
        system P; query { A[] e == 0 }
    """)
    result = check(network, network.properties[0], search="adfs", limits=Limits(states=202))
    exact = check(network, network.properties[0], search="adfs")
    assert exact.trace is not None and result.trace is not None
    assert (len(exact.trace), exact.shortest) == (3, True)
    assert (len(result.trace), result.shortest) == (201, False)
