"""Guards on differences of clocks, however many, and whatever they are compared with."""

from __future__ import annotations

import pytest

from beeline.engine import Found
from beeline.languages.uppaal import load_text
from beeline.searches.runner import run
from beeline.timed.options import Extrapolation, ZoneOptions
from beeline.timed.search import search_property, zone_graph


def is_found(text: str, query: str, options: ZoneOptions) -> bool:
    network = load_text(f"{text} query {{ {query} }}")
    outcome, _ = search_property(network, network.properties[0], options=options)
    assert outcome.complete or Found.GOAL in outcome.found
    return Found.GOAL in outcome.found


# After Bouyer, "Untameable Timed Automata" (2003): no widening of whole zones is right for it.
UNTAMEABLE = """
clock x1, x2, x3, x4;
process P() { state a, b, c, d, e, f, error; init a;
    trans a -> b { guard x3 <= 3; assign x1 = 0, x3 = 0; },
          b -> c { guard x2 == 3; assign x2 = 0; },
          c -> d { guard x1 == 2; assign x1 = 0; },
          d -> e { guard x2 == 2; assign x2 = 0; },
          e -> d { guard x1 == 2; assign x1 = 0; },
          e -> f { guard x1 == 3; assign x1 = 0; },
          f -> error { guard x2 - x1 > 2 && x4 - x3 < 2; }; }
system P;
"""


@pytest.mark.parametrize("extrapolation", list(Extrapolation)[1:], ids=lambda one: one.value)
def test_a_location_that_widened_zones_would_reach_is_not_reached(extrapolation: Extrapolation) -> None:
    options = ZoneOptions(extrapolation)
    assert not is_found(UNTAMEABLE, "E<> P.error", options)
    assert is_found(UNTAMEABLE, "E<> P.f && x2 - x1 > 2", options)


SORTED = """
const int N = 4; typedef int[0,N-1] id_t; clock x[N]; int n = 0; int[-300,300] gap; int[0,N] set;
process P() { state s; init s;
    trans s -> s { select i : id_t; guard set == i; assign x[i] = 0, set = i + 1; },
          s -> s { select i : id_t, j : id_t; guard i < j && x[i] - x[j] >= n + gap; assign n = 1; },
          s -> s { select i : id_t, j : id_t; guard i != j && n == 1 && x[i] - x[j] < -gap; assign n = 2; }; }
system P;
"""


def test_many_differences_with_bounds_by_variables_are_read_and_searched() -> None:
    """They were refused: "too many different constraints on differences of clocks"."""
    graph = zone_graph(load_text(SORTED))
    outcome = run(graph.space, "bfs", stop=Found.NOTHING)
    assert outcome.complete
    assert is_found(SORTED, "E<> n == 2", ZoneOptions())
    assert not is_found(SORTED, "E<> set == N && x[2] < x[3]", ZoneOptions())


def test_a_zone_is_divided_only_where_it_would_grow_for_ever() -> None:
    """Clocks that stay below their constants keep all differences without being divided at each of them."""
    text = """clock x, y; int[0,100] n; process P() { state a { x <= 100 }, b; init a;
        trans a -> a { guard y >= 1; assign y = 0; }, a -> b { guard x - y <= n; }; } system P;"""
    outcome = run(zone_graph(load_text(text)).space, "bfs", stop=Found.NOTHING)
    assert outcome.complete and outcome.statistics.stored < 250
