"""Shared costs: promises on random networks, sums that are exact, and what depends on the order."""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest
from tests.explicit import INFINITE, Explicit, explore, graphs, graphs_of_automata
from tests.heuristics.test_abstraction import BOTH, counters, generated, two_walkers
from tests.heuristics.test_promises import check_promises

from beeline import NetworkBuilder, check
from beeline.engine import Found
from beeline.heuristics import HeuristicError, build
from beeline.model.expressions import At, Binary, Literal, Numbered, Ref
from beeline.model.network import Network

KINDS = (
    "scp",
    "scp:hAA+pdb",
    "scp:pdb;saturate=nonnegative;orders=3",
    "scp:goals;orders=1",
    "scp:cartesian+landmarks;swaps=5",
    "scp:landmarks;saturate=nonnegative",
)
ONLINE = ("scp:online=1;orders=1", "scp:pdb+goals+landmarks;online=1;saturate=nonnegative")
BOTH_WAYS = "scp:pdb+goals;orders=1;online=1, scp:pdb+goals;orders=1"
NETWORKS = int(os.environ.get("BEELINE_SCP", "60"))  # BEELINE_SCP=4000 asks for a long run


def hold(networks: Iterable[Explicit]) -> None:
    spoken = 0
    for graph in networks:
        context = graph.context(Found.GOAL)
        for text in (*KINDS, *ONLINE):
            try:
                (estimate,) = build(text, context)
            except HeuristicError:
                continue
            assert estimate.promises.consistent == (text in KINDS)
            spoken += check_promises(graph, estimate)
    assert spoken > 0


def test_shared_costs_keep_their_promises() -> None:
    hold(graphs(NETWORKS // 4, 800))
    hold(graphs_of_automata(NETWORKS // 4 * 3, 800))


def test_an_order_for_each_state_never_says_less_than_the_kept_ones() -> None:
    more = 0
    for graph in graphs_of_automata(NETWORKS, 1000):
        try:
            online, offline = build(BOTH_WAYS, graph.context(Found.GOAL))
        except HeuristicError:
            continue
        for state in graph.successors:
            low, high = offline.native.estimate(state), online.native.estimate(state)
            assert (INFINITE if low is None else low) <= (INFINITE if high is None else high)
            more += low != high
            assert high == online.native.estimate(state), "the state alone decides"
    assert more > 0


def separate_counters(count: int) -> Network:
    builder = NetworkBuilder("counters")
    for number in range(count):
        builder.variable(f"x{number}", 0, 5)
        process = builder.process(f"P{number}")
        process.location("here")
        process.edge("here", "here", guard=f"x{number} < 5", effect=f"x{number}++")
    return builder.build()


def test_parts_that_have_nothing_in_common_are_added_up() -> None:
    goal = " && ".join(f"x{number} == 5" for number in range(4))
    for parts in ("goals", "pdb", "landmarks"):
        result = check(separate_counters(4), f"A[] !({goal})", search="astar", heuristic=f"scp:{parts}")
        assert result.trace is not None and len(result.trace) == 20 and result.shortest
        assert result.statistics.expanded == 20 and result.statistics.reopened == 0
        assert result.heuristic_note.startswith(f"scp:{parts}: ")


def test_what_one_does_not_need_is_left_for_the_next() -> None:
    """Each walks twice as far by a step that both can take; alone each says 3."""
    graph = explore(two_walkers(), BOTH)
    assert graph is not None
    for text, value in (("scp:goals", 6), ("scp:cartesian", 6), ("scp:pdb;orders=1", 6), ("pdb:A", 3)):
        (estimate,) = build(text, graph.context())
        assert estimate.native.estimate(graph.initial) == value
        check_promises(graph, estimate)


def passing(rooms: int) -> Network:
    """A walk through rooms, each of which opens by a key that lies in the one before."""
    builder = NetworkBuilder("rooms")
    for number in range(rooms):
        builder.variable(f"key{number}", 0, 1)
    walker = builder.process("W")
    for number in range(rooms + 1):
        walker.location(f"room{number}")
    for number in range(rooms):
        walker.edge(f"room{number}", f"room{number}", effect=f"key{number} = 1", guard=f"key{number} == 0")
        walker.edge(f"room{number}", f"room{number + 1}", guard=f"key{number} == 1")
    return builder.build()


def test_landmarks_are_passed_on_every_way() -> None:
    graph = explore(passing(4), At(Numbered("W", Literal(0)), "room4"))
    assert graph is not None
    (estimate,) = build("scp:landmarks", graph.context())
    assert estimate.native.systems == 8  # type: ignore[attr-defined]
    assert estimate.native.estimate(graph.initial) == 8
    check_promises(graph, estimate)


def test_a_goal_out_of_reach_is_a_dead_end_from_the_start() -> None:
    graph = explore(counters(), Binary("&&", Binary("==", Ref("x"), Literal(0)), Binary(">", Ref("y"), Literal(0))))
    assert graph is not None
    for parts in ("hAA", "cartesian"):
        (estimate,) = build(f"scp:{parts}", graph.context())
        assert estimate.native.estimate(graph.initial) is None


@pytest.mark.parametrize("search", ["astar", "greedy", "multi", "ut", "idastar"])
def test_searches_go_by_it(search: str) -> None:
    network = generated("arbiter_tree", 2)
    result = check(network, network.properties[0], search=search, heuristic="scp")
    assert result.verdict == "violated"
    assert result.trace is not None and (search in ("greedy", "multi", "ut") or len(result.trace) == 12)


def test_the_same_seed_gives_the_same_states() -> None:
    network = generated("hanoi", 4)
    explored = [
        check(network, network.properties[0], search="astar", heuristic="scp:seed=7").statistics.expanded
        for _ in range(2)
    ]
    assert explored[0] == explored[1]


def test_no_time_leaves_one_order_that_keeps_its_promises() -> None:
    graph = explore(two_walkers(), BOTH)
    assert graph is not None
    hurried = graph.context()
    hurried.deadline = 0.0
    (estimate,) = build("scp", hurried)
    assert "1 orders" in estimate.note or "0 orders" in estimate.note
    check_promises(graph, estimate)


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("scp:pbd", "scp knows hAA"),
        ("scp:saturate=all", "saturates general or"),
        ("scp:orders=0", "orders must be"),
        ("scp:online=2", "online is 0 or 1"),
    ],
)
def test_mistakes_in_options(text: str, mistake: str) -> None:
    graph = explore(counters(), Binary("==", Ref("x"), Literal(1)))
    assert graph is not None
    with pytest.raises(HeuristicError, match=mistake):
        build(text, graph.context())
