"""Directed searches of zone graphs find what the region oracle reaches, and nothing else."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from oracle import Oracle
from timed_models import Model, models, to_xta

from beeline import check
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
