"""Cartesian abstractions: promises on random networks, and what refinement comes to."""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest
from tests.explicit import INFINITE, Explicit, explore, graphs, graphs_of_automata
from tests.heuristics.test_abstraction import BOTH, counters, generated, two_walkers
from tests.heuristics.test_promises import check_promises

from beeline import check
from beeline.engine import Found
from beeline.heuristics import HeuristicError, build
from beeline.heuristics.abstraction import factored
from beeline.model.expressions import Binary, Literal, Ref

KINDS = ("cartesian", "cartesian:2", "cartesian:9;coarse", "cartesian:17;first", "cartesian:40")
NETWORKS = int(os.environ.get("BEELINE_CARTESIAN", "80"))  # BEELINE_CARTESIAN=4000 asks for a long run


def hold(networks: Iterable[Explicit]) -> None:
    """Promises, and that more states never say less: each split keeps what is known."""
    spoken = 0
    for graph in networks:
        try:
            estimates = [build(text, graph.context(Found.GOAL))[0] for text in KINDS]
        except HeuristicError:
            continue
        spoken += sum(check_promises(graph, estimate) for estimate in estimates)
        full, few = estimates[0], estimates[1]
        for state in graph.successors:
            fine, coarse = full.native.estimate(state), few.native.estimate(state)
            assert (INFINITE if fine is None else fine) >= (INFINITE if coarse is None else coarse)
    assert spoken > 0


def test_cartesian_abstractions_keep_their_promises() -> None:
    hold(graphs(NETWORKS // 4, 700))
    hold(graphs_of_automata(NETWORKS // 4 * 3, 700))


def test_without_a_limit_the_estimate_of_the_first_state_is_that_of_the_whole_product() -> None:
    """hAA with room for all composes the same product, and drops nothing on the way."""
    compared = 0
    for graph in graphs_of_automata(60, 900):
        try:
            fine, composed = build("cartesian:100000, hAA:100000", graph.context(Found.GOAL))
        except HeuristicError:
            continue
        assert "no abstract trace fails" in fine.note
        assert fine.native.estimate(graph.initial) == composed.native.estimate(graph.initial)
        compared += 1
    assert compared > 0


def test_refinement_ends_where_the_trace_is_a_real_one() -> None:
    for disks, steps in ((1, 4), (2, 16), (3, 44)):
        network = generated("hanoi", disks)
        result = check(network, network.properties[0], search="astar", heuristic="cartesian")
        assert result.trace is not None and len(result.trace) == steps and result.shortest
        plain = check(network, network.properties[0], search="bfs")
        assert "no abstract trace fails any more" in result.heuristic_note
        assert result.statistics.expanded <= plain.statistics.expanded and result.statistics.reopened == 0


def test_more_states_leave_less_to_explore() -> None:
    network = generated("hanoi", 4)
    explored = [
        check(network, network.properties[0], search="astar", heuristic=f"cartesian:{states}").statistics.expanded
        for states in (1, 30, 3000)
    ]
    assert explored == sorted(explored, reverse=True)
    assert explored[0] > explored[1] > explored[2]


def test_each_of_two_goals_is_refined() -> None:
    graph = explore(two_walkers(), BOTH)
    assert graph is not None
    (estimate,) = build("cartesian", graph.context())
    assert estimate.native.estimate(graph.initial) == 6
    check_promises(graph, estimate)


def test_a_goal_out_of_reach_is_a_dead_end_from_the_start() -> None:
    graph = explore(counters(), Binary("&&", Binary("==", Ref("x"), Literal(0)), Binary(">", Ref("y"), Literal(0))))
    assert graph is not None
    (estimate,) = build("cartesian", graph.context())
    assert estimate.native.estimate(graph.initial) is None


def test_limits_leave_smaller_tables_that_keep_their_promises() -> None:
    graph = explore(counters(), Binary("&&", Binary("==", Ref("x"), Literal(5)), Binary("==", Ref("y"), Literal(2))))
    assert graph is not None
    (full,) = build("cartesian", graph.context())
    hurried = graph.context()
    hurried.deadline = 0.0
    (estimate,) = build("cartesian", hurried)
    assert "time was up" in estimate.note and "time was up" not in full.note
    check_promises(graph, estimate)
    cramped = graph.context()
    cramped.memory = 4000  # seven steps
    (estimate,) = build("cartesian", cramped)
    assert estimate.native.states < full.native.states  # type: ignore[attr-defined]
    check_promises(graph, estimate)
    assert factored(graph.context(), "cartesian")[0].sizes


@pytest.mark.parametrize(
    ("text", "mistake"), [("cartesian:0", "at least 1"), ("cartesian:9;sideways", "knows refined")]
)
def test_mistakes_in_options(text: str, mistake: str) -> None:
    graph = explore(counters(), Binary("==", Ref("x"), Literal(1)))
    assert graph is not None
    with pytest.raises(HeuristicError, match=mistake):
        build(text, graph.context())
