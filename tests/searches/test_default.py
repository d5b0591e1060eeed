"""What `beeline check` does unless told otherwise gives the verdicts of breadth-first search, whatever is asked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.explicit import graphs

from beeline import NetworkBuilder, check
from beeline.checking import DEFAULT_SEARCH
from beeline.languages import LoadOptions, load
from beeline.model.property import Goal
from beeline.properties import DEADLOCK, SAFETY

MODELS = Path(__file__).parents[2] / "models"


def compare(count: int, first_seed: int) -> None:
    """Verdicts on random networks, and lengths where a trace is called the shortest."""
    violated = directed = 0
    for graph in graphs(count, first_seed):
        assert graph.goal is not None
        for asked in (Goal("goal", expression=graph.goal), DEADLOCK, SAFETY):
            wide = check(graph.network, asked, search="bfs")
            ours = check(graph.network, asked, search=DEFAULT_SEARCH)
            assert ours.verdict == wide.verdict, f"{asked.name} of\n{graph}"
            directed += ours.heuristic is not None
            violated += ours.trace is not None
            if ours.trace is not None and ours.shortest:
                assert wide.trace is not None and len(ours.trace) == len(wide.trace), f"{asked.name} of\n{graph}"
    assert violated > count // 2
    assert directed > count


def test_the_default_search_agrees_with_breadth_first_search() -> None:
    compare(60, 30_000)


@pytest.mark.slow
def test_the_default_search_agrees_with_breadth_first_search_on_thousands_of_networks() -> None:
    compare(3000, 40_000)


def test_a_state_given_up_on_a_long_way_is_looked_at_on_a_shorter_one() -> None:
    graph = next(graphs(1, 40_343))  # a bound by Hf: with some states given up for good, 8 steps were called shortest
    wide, ours = check(graph.network, DEADLOCK, search="bfs"), check(graph.network, DEADLOCK, heuristic="Hf")
    assert wide.trace is not None and ours.trace is not None and ours.shortest
    assert len(ours.trace) == len(wide.trace) == 7


def wandering(seed: int) -> NetworkBuilder:
    """A network in which estimates say little and no short look comes to the end: a number jumps about, and a process
    waits for one of its values."""
    chance = random.Random(seed)
    size = chance.choice([1009, 5003])
    builder = NetworkBuilder("wandering")
    builder.variable("v", 0, size - 1, 1)
    builder.variable("u", 0, 40, 0)
    other = builder.process("Q").location("a").location("b").edge("b", "a")
    other.edge("a", "b", guard=f"v % {chance.choice([5, 7, 11])} == 0")
    process = builder.process("P").location("run").location("bad")
    for _ in range(2):
        jump = f"v * {chance.randrange(2, 60)} + {chance.randrange(1, 300)}"
        process.edge("run", "run", effect=f"v = ({jump}) % {size}")
    process.edge("run", "run", guard="u < 40", effect="u++").edge("run", "run", guard="u > 0", effect="u--")
    process.edge("run", "bad", guard=f"v == {chance.randrange(size)} && u >= {chance.choice([0, 2, 6])}")
    return builder


@pytest.mark.parametrize("asked", ["!P.bad", "deadlock"])
def test_what_the_default_search_calls_shortest_is(asked: str) -> None:
    proven = 0
    for seed in range(12):
        network = wandering(seed).build()
        ours, wide = check(network, asked), check(network, asked, search="bfs")
        assert ours.verdict == wide.verdict, seed
        if ours.shortest:
            assert ours.trace is not None and wide.trace is not None
            assert len(ours.trace) == len(wide.trace), seed
            proven += 1
    assert proven


def test_where_the_estimate_misleads_a_plunge_bounds_the_states() -> None:
    """Greedy search by hU expands some 70,000 states of this model, depth-first search some thousands."""
    network = load(MODELS / "promela" / "two_phase_commit.pml", options=LoadOptions({"CRASH": "1", "HASTY": "1"}))
    ours, deep = (check(network, search=search) for search in ("auto:improve=0", "dfs"))
    assert ours.trace is not None and deep.trace is not None
    assert ours.statistics.expanded < 5 * deep.statistics.expanded
