"""lmcut says no less than the layers that it cuts, and never too much."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.explicit import INFINITE, graphs

from beeline import NetworkBuilder, check
from beeline.engine import Found
from beeline.heuristics import HeuristicError, build
from beeline.languages import load


def compare_with_layers(count: int, first_seed: int) -> int:
    """In how many states landmarks say more than layers do."""
    more = 0
    for graph in graphs(count, first_seed):
        for stop in (Found.GOAL, Found.ANYTHING):
            try:
                cut, layers = build("lmcut, hL", graph.context(stop))
            except HeuristicError:
                continue
            distance = graph.distances(cut.covers)
            for state in graph.successors:
                low, high = layers.native.estimate(state), cut.native.estimate(state)
                assert (low is None) == (high is None)
                if low is not None and high is not None:
                    assert low <= high <= distance[state], f"{graph.native.unpack(state)} of\n{graph}"
                    more += low < high
                else:
                    assert distance[state] == INFINITE
    return more


def test_landmarks_lie_between_layers_and_distances() -> None:
    assert compare_with_layers(60, 4200) > 0


@pytest.mark.slow
def test_landmarks_lie_between_layers_and_distances_in_thousands_of_networks() -> None:
    assert compare_with_layers(4000, 42_000) > 0


def test_goals_that_ask_for_several_things_are_added_up() -> None:
    builder = NetworkBuilder("counters")
    for number in range(4):
        builder.variable(f"x{number}", 0, 5)
        process = builder.process(f"P{number}")
        process.location("here")
        process.edge("here", "here", guard=f"x{number} < 5", effect=f"x{number}++")
    goal = " && ".join(f"x{number} == 5" for number in range(4))
    result = check(builder.build(), f"A[] !({goal})", search="astar", heuristic="lmcut")
    assert result.trace is not None
    assert len(result.trace) == 20
    assert result.shortest
    assert result.statistics.expanded <= 4 * 21, "the estimate is exact: nothing but ties is left"


def test_all_receivers_of_a_broadcast_move_in_the_same_step() -> None:
    """Each of them is an operator of its own there: counting them all would call the way too long."""
    builder = NetworkBuilder("call")
    builder.channel("all", broadcast=True)
    caller = builder.process("C")
    caller.location("here")
    caller.edge("here", "here", sync="all!")
    for number in range(3):
        process = builder.process(f"P{number}")
        process.location("idle").location("called")
        process.edge("idle", "called", sync="all?")
    goal = " && ".join(f"P{number}@called" for number in range(3))
    result = check(builder.build(), f"A[] !({goal})", search="astar", heuristic="lmcut")
    assert result.trace is not None
    assert len(result.trace) == 1
    assert result.statistics.best_estimate == 1, "that of the initial state"


def test_a_claim_moves_in_the_same_step(tmp_path: Path) -> None:
    """Two operators are one step there: counting both would call ways too long."""
    model = tmp_path / "claim.pml"
    model.write_text(
        "byte x, y; active proctype P() { do :: x < 6 -> x++ :: y < 6 -> y++ od }"
        "never { do :: x == 2 -> break :: else od; do :: y == 2 -> break :: else od; do :: x == 5 -> break :: else od }"
    )
    network = load(model)
    plain = check(network, "never_0", search="bfs")
    told = check(network, "never_0", search="astar", heuristic="lmcut")
    assert plain.trace is not None
    assert told.trace is not None
    assert len(told.trace) == len(plain.trace) == 15
    assert told.statistics.expanded < plain.statistics.expanded
