"""Clocks as conditions in the eyes of heuristics: never too much, and dead ends only where there is no way."""

from __future__ import annotations

from collections import deque
from os import environ
from random import Random

import pytest
from tests.languages.uppaal.timed_models import Shape, make_model, to_xta

from beeline import check
from beeline.engine import Found
from beeline.heuristics import Estimator, HeuristicError, build
from beeline.languages.uppaal import load_text
from beeline.timed.search import ZoneGraph, goal_of, zone_graph

NETWORKS = int(environ.get("BEELINE_CONDITIONS", "120"))
MOST = 300  # states of a zone graph that is looked at
INFINITE = 10**9
Words = tuple[int, ...]


def distances(graph: ZoneGraph) -> dict[Words, int] | None:
    """Steps from each zone to the goal; None for a graph that is too large to look at."""
    before: dict[Words, list[Words]] = {}
    goals: list[Words] = []

    def meet(state: Words, marks: int) -> None:
        if state not in before:
            before[state] = []
            waiting.append(state)
            if marks & Found.GOAL.value:
                goals.append(state)

    waiting: deque[Words] = deque()
    for _, _, marks, state in graph.space.initial_arcs():
        assert state is not None
        meet(tuple(state), marks)
    while waiting:
        if len(before) > MOST:
            return None
        origin = waiting.popleft()
        for _, _, marks, state in graph.space.successor_arcs(origin)[1]:
            if state is not None:
                meet(tuple(state), marks)
                before[tuple(state)].append(origin)
    found = dict.fromkeys(before, INFINITE)
    found.update(dict.fromkeys(goals, 0))
    waiting.extend(goals)
    while waiting:
        target = waiting.popleft()
        for origin in before[target]:
            if found[origin] == INFINITE:
                found[origin] = found[target] + 1
                waiting.append(origin)
    return found


def hold_against(found: dict[Words, int], estimator: Estimator, plain: Estimator) -> int:
    """Compares all estimates with true distances; how often clocks made one larger."""
    larger = 0
    for state, steps in found.items():
        said, without = estimator.native.estimate(state), plain.native.estimate(state)
        value = INFINITE if said is None else said
        assert said is not None or steps == INFINITE
        if estimator.promises.admissible:
            assert value <= steps
            assert value >= (INFINITE if without is None else without)
        larger += value > (INFINITE if without is None else without)
    return larger


@pytest.mark.parametrize(
    "shape", [Shape(), Shape(computed=True), Shape(priorities=True)], ids=["everything", "computed", "priorities"]
)
def test_estimates_with_clocks_keep_their_promises(shape: Shape) -> None:
    told = {"hL": 0, "hU": 0, "dL": 0}
    for seed in range(NETWORKS // 3):
        random = Random(seed)
        text, place = to_xta(make_model(random, shape)), random.randrange(2)
        for query in (f"E<> P0.s1 && v == {place}", f"E<> P0.s1 && x0 <= {1 + place}"):
            network = load_text(f"{text}\nquery {{ {query} }}")
            asked = network.properties[0]
            graph = zone_graph(network, goal_of(network, asked))
            found = distances(graph)
            context = graph.context(asked, Found.GOAL)
            for name in told if found is not None else ():
                try:
                    estimator, plain = build(f"timed:{name}", context)[0], build(name, context)[0]
                except HeuristicError:
                    continue
                assert not estimator.promises.consistent and estimator.covers in plain.covers
                told[name] += hold_against(found or {}, estimator, plain)
    assert told["hL"] > 0 and told["hU"] > 0


LATE = """
process P() { clock x; state a, b, c, d; init a;
trans a -> b { guard x >= 5; }, b -> c { assign x = 0; }, c -> b { }, b -> d { guard x < 3; }; } system P;"""


def test_a_clock_that_is_too_late_must_be_set_first() -> None:
    network = load_text(LATE + "query { E<> P.d }")
    asked = network.properties[0]
    graph = zone_graph(network, goal_of(network, asked))
    context = graph.context(asked, Found.GOAL)
    (plain,), (timed,) = build("hL", context), build("timed:hL", context)
    ((_, _, _, start),) = graph.space.initial_arcs()
    assert start is not None
    ((_, _, _, late),) = graph.space.successor_arcs(start)[1]
    assert late is not None
    assert (plain.native.estimate(start), plain.native.estimate(late)) == (2, 1)
    assert (timed.native.estimate(start), timed.native.estimate(late)) == (2, 2)
    result = check(network, asked, search="astar", heuristic="timed:hL")
    assert result.shortest and result.trace is not None and len(result.trace) == 4


def test_a_clock_that_nothing_sets_makes_dead_ends() -> None:
    network = load_text("""clock total; int[0,9] n;
process P() { clock x; state a { x <= 2 }; init a; trans a -> a { guard x >= 2 && n < 9; assign x = 0, n = n + 1; }; }
system P; query { E<> n == 9 && total <= 10 }""")
    result = check(network, network.properties[0], search="astar", heuristic="timed:hL")
    plain = check(network, network.properties[0], search="astar", heuristic="hL")
    assert (result.verdict, plain.verdict) == ("violated", "violated")
    assert result.statistics.expanded < plain.statistics.expanded and result.statistics.dead_ends > 0


def test_it_is_refused_where_it_says_nothing_more() -> None:
    network = load_text(
        "process P() { clock x; state a, b; init a; trans a -> b { guard x > 3; }; } system P; query { E<> P.b }"
    )
    with pytest.raises(HeuristicError, match="upper bound"):
        check(network, network.properties[0], search="astar", heuristic="timed:hL")
    late = load_text(LATE + "query { E<> P.d }")
    with pytest.raises(HeuristicError, match="a cache"):
        check(late, late.properties[0], search="astar", heuristic="cache(timed:hL)")
