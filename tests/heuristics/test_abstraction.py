"""Estimates by abstraction: promises on random networks, known values, and what searches make of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from tests.explicit import Explicit, explore, graphs, graphs_of_automata
from tests.heuristics.test_promises import check_promises

from beeline import Limits, _native, check
from beeline.engine import Found
from beeline.heuristics import HeuristicError, build
from beeline.heuristics.abstraction import factored, note
from beeline.languages.uppaal import load_text
from beeline.model.builder import NetworkBuilder
from beeline.model.expressions import At, Binary, Literal, Numbered, Ref
from beeline.model.network import Network

MODELS = Path(__file__).parents[2] / "models" / "uppaal"

KINDS = ("hAA:1000", "hAA:4", "hAA:20;definition;far", "hAA:15;smallest;bisimulation", "hAA:10;nearest")
PATTERNS = ("pdb:cegar", "pdb:cegar;30", "pdb:doll;50", "pdb:causal;40")


@cache
def generated(module: str, *arguments: int) -> Network:
    """A network of one of the generators beside the models."""
    sys.path.insert(0, str(MODELS))
    try:
        made = getattr(__import__(module), module)(*arguments)
    finally:
        sys.path.remove(str(MODELS))
    return load_text(f"{made.xta}\nquery {{ {made.query} }}")


def hold(networks: Iterable[Explicit]) -> None:
    spoken = 0
    for graph in networks:
        context = graph.context(Found.GOAL)
        for text in (*KINDS, *PATTERNS):
            try:
                (estimate,) = build(text, context)
            except HeuristicError:
                continue
            spoken += check_promises(graph, estimate)
    assert spoken > 0


def test_abstractions_keep_their_promises() -> None:
    hold(graphs(20, 500))
    hold(graphs_of_automata(60, 500))


@pytest.mark.slow
def test_abstractions_keep_their_promises_on_thousands_of_networks() -> None:
    hold(graphs_of_automata(3000, 20_000))


@pytest.mark.slow
def test_abstractions_keep_their_promises_on_networks_with_everything() -> None:
    hold(graphs(100, 20_000))


@pytest.mark.parametrize(("disks", "steps"), [(1, 4), (2, 16), (3, 44)])
def test_a_large_bound_is_exact(disks: int, steps: int) -> None:
    network = generated("hanoi", disks)
    result = check(network, network.properties[0], search="astar", heuristic="hAA:100000")
    assert result.trace is not None and len(result.trace) == steps and result.shortest
    assert result.statistics.expanded == steps  # only states of the shortest way


def test_what_was_built_is_reported_and_a_lowered_bound_named() -> None:
    network = generated("hanoi", 3)
    result = check(network, network.properties[0], search="astar", heuristic="hAA:100")
    assert result.heuristic_note.startswith("hAA:100: ") and "KiB" in result.heuristic_note
    combined = check(network, network.properties[0], search="astar", heuristic="max(hAA:100, 1*hAA:20, blind)")
    assert combined.heuristic_note.count("KiB") == 2
    context = explore(counters(), Binary("==", Ref("x"), Literal(5)))
    assert context is not None
    task, _ = factored(context.context(), "hAA")
    small = _native.abstraction_estimator(task, 1000, "ranking", "near", True, 100, 1000)
    assert "lowered" in note(small, 0.0, 1000)


@pytest.mark.parametrize("text", ["hAA", "hAA:200;definition", "pdb:cegar", "pdb:causal"])
def test_limits_leave_smaller_tables_that_keep_their_promises(text: str) -> None:
    goal = Binary("&&", Binary("==", Ref("x"), Literal(5)), Binary("==", Ref("y"), Literal(2)))
    graph = explore(counters(), goal)
    assert graph is not None
    (full,) = build(text, graph.context())
    hurried = graph.context()
    hurried.deadline = 0.0
    (estimate,) = build(text, hurried)
    assert "time was up" in estimate.note and "time was up" not in full.note
    check_promises(graph, estimate)
    cramped = graph.context()
    cramped.memory = 3000
    try:
        (estimate,) = build(text, cramped)
    except HeuristicError as refused:
        assert "too much work" in str(refused)
    else:
        assert "lowered" in estimate.note and "lowered" not in full.note
        check_promises(graph, estimate)


def test_what_tables_took_is_not_left_for_the_search() -> None:
    network = generated("hanoi", 3)
    result = check(network, network.properties[0], search="astar", heuristic="hAA", limits=Limits(time=0.0))
    assert result.verdict == "unknown" and "time was up" in result.heuristic_note


@pytest.mark.parametrize(
    "text", ["hAA:20", "hAA:50", "hAA:100", "hAA:100;definition;far", "hAA:60;smallest;bisimulation"]
)
def test_shortest_traces_by_abstraction(text: str) -> None:
    for network in (generated("hanoi", 4), generated("arbiter_tree", 2), generated("random_network", 5, 3)):
        shortest = check(network, network.properties[0], search="bfs").trace
        result = check(network, network.properties[0], search="astar", heuristic=text)
        assert shortest is not None and result.trace is not None
        assert len(result.trace) == len(shortest) and result.shortest
        assert result.statistics.reopened == 0


def test_the_bound_on_states_bounds_the_estimate_before_the_last_composition() -> None:
    network = generated("hanoi", 4)
    far = check(network, network.properties[0], search="astar", heuristic="hAA:50").statistics.expanded
    near = check(network, network.properties[0], search="astar", heuristic="hAA:2000").statistics.expanded
    blind = check(network, network.properties[0], search="astar", heuristic="blind").statistics.expanded
    assert near < far < blind


def counters() -> Network:
    builder = NetworkBuilder("counters")
    builder.variable("x", 0, 9)
    builder.variable("y", 0, 9)
    process = builder.process("P")
    process.location("run")
    process.edge("run", "run", guard="x < 9", effect="x++")
    process.edge("run", "run", guard="y < 9 && x > 2", effect="y++; x--")
    return builder.build()


def test_integers_are_systems_of_their_own() -> None:
    graph = explore(
        counters(),
        Binary("&&", Binary("==", Ref("x"), Literal(5)), Binary("==", Ref("y"), Literal(2))),
    )
    assert graph is not None
    (estimate,) = build("hAA:1000", graph.context())
    distance = graph.distances(Found.GOAL)
    assert estimate.native.estimate(graph.initial) == distance[graph.initial] == 9
    check_promises(graph, estimate)


def test_a_part_that_asks_for_nothing_still_knows_its_dead_ends() -> None:
    """Once A has moved it cannot come back to where the goal wants it; its shortcut must not count for others."""
    builder = NetworkBuilder("shortcut")
    builder.variable("x", 0, 4)
    leaving, counting = builder.process("A"), builder.process("B")
    leaving.location("here")
    leaving.location("gone")
    leaving.edge("here", "gone", guard="x < 2", effect="x = x + 3")
    counting.location("count")
    counting.edge("count", "count", guard="x < 4", effect="x++")
    goal = Binary("&&", At(Numbered("A", Literal(0)), "here"), Binary("==", Ref("x"), Literal(4)))
    graph = explore(builder.build(), goal)
    assert graph is not None
    (estimate,) = build("hAA", graph.context())
    assert estimate.native.estimate(graph.initial) == 4
    assert [estimate.native.estimate(state) for state in graph.successors].count(None) > 0
    check_promises(graph, estimate)


def test_a_goal_out_of_reach_is_a_dead_end_from_the_start() -> None:
    graph = explore(
        counters(),
        Binary("&&", Binary("==", Ref("x"), Literal(0)), Binary(">", Ref("y"), Literal(0))),
    )
    assert graph is not None
    (estimate,) = build("hAA", graph.context())
    assert estimate.native.estimate(graph.initial) is None


@pytest.mark.parametrize("goal", ["S.c", "S.c and x == 9", "x == 9 and y == 1"])
@pytest.mark.parametrize("heuristic", ["hAA", "hAA:200;definition", "pdb:cegar", "pdb:causal"])
def test_a_cell_with_too_many_moves_is_left_out_of_steps_and_goal(goal: str, heuristic: str) -> None:
    """x may get any of 510 values by each of as many steps, and any at all by the broadcast."""
    network = load_text(
        "broadcast chan go; int[0,509] x := 0; int[0,1] y := 0;"
        "process S() { state a, b, c; init a;"
        " trans a -> b { sync go!; }, b -> c { guard x == 7; assign y := 1; }; }"
        "process L() { state l; init l; trans l -> l { select i : int[0,509]; sync go?; assign x := i; }; }"
        "process M() { state l; init l; trans l -> l { select i : int[0,509]; assign x := i; },"
        " l -> l { guard x < 509; assign x := x + 1; }; }"
        f"system S, L, M; query {{ E<> {goal} }}"
    )
    result = check(network, network.properties[0], search="astar", heuristic=heuristic)
    assert result.trace is not None and len(result.trace) == (2 if goal == "S.c" else 3)


# Pattern databases


def two_walkers() -> Network:
    """Two that have nothing to do with each other; each has three steps to go."""
    builder = NetworkBuilder("walkers")
    for name in ("A", "B"):
        process = builder.process(name)
        for place in ("l0", "l1", "l2", "l3"):
            process.location(place)
        for number in range(3):
            process.edge(f"l{number}", f"l{number + 1}")
    return builder.build()


BOTH = Binary("&&", At(Numbered("A", Literal(0)), "l3"), At(Numbered("B", Literal(1)), "l3"))


@pytest.mark.parametrize(
    ("text", "value"), [("pdb:A", 3), ("pdb:A/B", 6), ("pdb:A+B", 6), ("pdb:A/A", 3), ("pdb:causal", 6)]
)
def test_databases_are_added_where_no_step_counts_twice(text: str, value: int) -> None:
    graph = explore(two_walkers(), BOTH)
    assert graph is not None
    (estimate,) = build(text, graph.context())
    assert estimate.native.estimate(graph.initial) == value
    check_promises(graph, estimate)


@pytest.mark.parametrize("choice", ["cegar", "doll"])
def test_a_pattern_grows_until_its_trace_is_real(choice: str) -> None:
    """One must wait for the other, which the goal does not name."""
    builder = NetworkBuilder("waiting")
    builder.variable("x", 0, 5)
    waiting, working = builder.process("waiting"), builder.process("working")
    waiting.location("wait")
    waiting.location("done")
    waiting.edge("wait", "done", guard="x == 5")
    working.location("work")
    working.edge("work", "work", guard="x < 5", effect="x++")
    graph = explore(builder.build(), At(Numbered("waiting", Literal(0)), "done"))
    assert graph is not None
    (estimate,) = build(f"pdb:{choice}", graph.context())
    assert estimate.native.estimate(graph.initial) == 6
    (alone,) = build("pdb:waiting", graph.context())
    assert alone.native.estimate(graph.initial) == 1


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("hAA:1", "at least 2"),
        ("hAA:9;sideways", "knows smallest"),
        ("hAA:9;ranking;up", "knows near"),
        ("pdb:nobody", "nothing called"),
        ("pdb:cegar;0", "between 1 and"),
    ],
)
def test_mistakes_in_options(text: str, mistake: str) -> None:
    graph = explore(counters(), Binary("==", Ref("x"), Literal(1)))
    assert graph is not None
    with pytest.raises(HeuristicError, match=mistake):
        build(text, graph.context())
