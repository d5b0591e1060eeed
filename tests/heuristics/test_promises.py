"""Every heuristic keeps its promises, on every state of many random networks."""

from __future__ import annotations

import pytest
from tests.explicit import INFINITE, Explicit, Words, explore, graphs

from beeline import _native
from beeline.compile.program import compile_network
from beeline.engine import Found
from beeline.heuristics import Estimator, HeuristicError, all_heuristics, build
from beeline.model.builder import NetworkBuilder
from beeline.model.expressions import At, Binary, Expression, Literal, Numbered, Ref

COMBINED = ("max(Hf, blind)", "min(Hf, expr:x)", "sum(Hf, Hf:1)", "2*Hf", "1*Hf", "cache:50(Hf)", "Hf:1", "expr:x")


def check_promises(graph: Explicit, estimator: Estimator) -> int:
    """Holds a heuristic against true distances; returns how many states it said something about."""
    distance = graph.distances(estimator.covers)
    value: dict[Words, int] = {}
    for state in graph.successors:
        said = estimator.native.estimate(state)
        value[state] = INFINITE if said is None else said
        if estimator.promises.admissible:
            assert value[state] <= distance[state], f"{estimator} in {graph.native.unpack(state)} of\n{graph}"
        if estimator.promises.safe and said is None:
            assert distance[state] == INFINITE, f"{estimator} in {graph.native.unpack(state)} of\n{graph}"
        assert estimator.native.safe == estimator.promises.safe
    if estimator.promises.consistent:
        for state, following in graph.successors.items():
            for target in following:
                assert value[state] <= min(1 + value[target], INFINITE), f"{estimator}\n{graph}"
    return sum(steps > 0 for steps in value.values())


def check_all(count: int, first_seed: int) -> None:
    spoken: dict[str, int] = {}
    for graph in graphs(count, first_seed):
        for stop in (Found.GOAL, Found.ANYTHING):
            context = graph.context(stop)
            for text in (*all_heuristics(), *COMBINED):
                try:
                    (estimator,) = build(text, context)
                except HeuristicError:
                    continue
                spoken[text] = spoken.get(text, 0) + check_promises(graph, estimator)
    assert spoken["Hf"] > 0
    assert spoken["active"] > 0
    assert spoken["blind"] == 0


def test_heuristics_keep_their_promises() -> None:
    check_all(40, 0)


@pytest.mark.slow
def test_heuristics_keep_their_promises_on_thousands_of_networks() -> None:
    check_all(3000, 10_000)


@pytest.mark.parametrize("name", ["hL", "hU", "hADD", "hFF"])
def test_a_goal_without_a_value_is_reached(name: str) -> None:
    builder = NetworkBuilder("division")
    builder.variable("y", 0, 5, 5)
    process = builder.process("P")
    process.location("down")
    process.edge("down", "down", guard="y > 0", effect="y--")
    goal = Binary("==", Binary("/", Literal(4), Ref("y")), Literal(5))
    graph = explore(builder.build(), goal)
    assert graph is not None
    (estimator,) = build(name, graph.context())
    check_promises(graph, estimator)
    assert graph.distances(Found.GOAL)[graph.initial] == 5
    assert estimator.native.estimate(graph.initial) == 5


def test_a_goal_about_any_two_of_many_processes_is_told_by_tests() -> None:
    """Not by all combinations of places, which would be 65,536."""
    builder = NetworkBuilder("many")
    names = [f"P{number}" for number in range(8)]
    for name in names:
        process = builder.process(name)
        for location in ("a", "b", "c", "d"):
            process.location(location)
        for source, target in (("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")):
            process.edge(source, target)
    there: list[Expression] = [At(Numbered(name, Literal(number)), "d") for number, name in enumerate(names)]
    pairs = [Binary("&&", one, other) for number, one in enumerate(there) for other in there[:number]]
    goal: Expression = pairs[0]
    for pair in pairs[1:]:
        goal = Binary("||", goal, pair)
    network = builder.build()
    program = compile_network(network, goal, len(names))
    graph = Explicit(network, goal, program, _native.Program(program.tables))
    ((_, _, _, initial),) = graph.space().initial_arcs()
    assert initial is not None
    for name, steps in (("hL", 3), ("hU", 6)):
        (estimator,) = build(name, graph.context())
        assert estimator.native.estimate(initial) == steps, name
