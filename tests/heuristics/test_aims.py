"""Hf without an expression: what assertions need to fail, and what a network needs to be stuck."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from benchmarks.conformance.generator import program_of
from tests.explicit import Automata, Explicit, explore
from tests.heuristics.test_promises import check_promises
from tests.networks import Sampler

from beeline import check
from beeline.engine import Found
from beeline.heuristics import HeuristicError, build
from beeline.languages.promela.elaborate import elaborate
from beeline.languages.promela.parser import parse_text
from beeline.model.network import Network

MANY = int(os.environ.get("BEELINE_AIMS", "60"))
STOPS = (Found.ERROR, Found.DEADLOCK, Found.ERROR | Found.DEADLOCK)


def parse(text: str) -> Network:
    return elaborate(parse_text(text, "model.pml"))


class Asserting(Automata):
    """Automata whose edges may have assertions."""

    def edge(self) -> dict[str, Any]:
        edge = super().edge()
        if self.random.randrange(4) == 0:
            before = edge.get("effect", "")
            edge["effect"] = f"{before + '; ' if before else ''}assert({self.random.choice(['x < 3', 'x != 1'])})"
        return edge


def programs(count: int) -> Iterator[Explicit]:
    """Graphs without a goal: of random networks, of automata, and of Promela programs."""
    for seed in range(count):
        for network in (Sampler(seed).network(), Asserting(seed).network(), parse(program_of(seed))):
            graph = explore(network, None)
            if graph is not None:
                yield graph


def test_promises_about_assertions_and_deadlocks() -> None:
    spoken = 0
    for graph in programs(MANY):
        for stop in STOPS:
            try:
                (estimator,) = build("Hf", graph.context(stop))
            except HeuristicError:
                continue
            assert estimator.covers == stop | Found.GOAL and estimator.promises.admissible
            spoken += check_promises(graph, estimator)
    assert spoken > MANY


ASSERTION = """
byte x, y;
active proctype P() { do :: x < 200 -> x++ :: y < 2 -> y++ od }
active proctype Q() { do :: skip :: y == 2 -> break od; assert(y != 2) }
"""


def test_the_branch_that_leads_to_an_assertion_is_found() -> None:
    directed = check(parse(ASSERTION), search="greedy", heuristic="Hf:1")
    plain = check(parse(ASSERTION), search="bfs")
    assert directed.verdict == plain.verdict == "violated"
    assert directed.trace is not None and plain.trace is not None
    assert len(directed.trace) == len(plain.trace)
    assert directed.statistics.stored < plain.statistics.stored


PHILOSOPHERS = """
byte fork[5];
active [5] proctype P() {
  byte left = _pid, right = (_pid + 1) % 5;
  do :: atomic { fork[left] == 0 -> fork[left] = 1 }; atomic { fork[right] == 0 -> fork[right] = 1 };
        fork[left] = 0; fork[right] = 0
  od
}
"""


@pytest.mark.parametrize("search", ["greedy", "astar"])
def test_what_makes_every_process_block_leads_to_a_deadlock(search: str) -> None:
    heuristic = "Hf:1" if search == "greedy" else "Hf"
    result = check(parse(PHILOSOPHERS), search=search, heuristic=heuristic)
    plain = check(parse(PHILOSOPHERS), search="bfs")
    assert result.trace is not None and plain.trace is not None
    assert result.statistics.stored < plain.statistics.stored
    if search == "astar":
        assert result.shortest and len(result.trace) == len(plain.trace)


def test_an_aim_that_is_not_looked_for_is_refused() -> None:
    graph = explore(parse("active proctype P() { skip }"), None)
    assert graph is not None
    with pytest.raises(HeuristicError, match="something to aim at"):
        build("Hf:aim=deadlocks", graph.context(Found.ERROR))
    with pytest.raises(HeuristicError, match="aims at any"):
        build("Hf:aim=nowhere", graph.context(Found.ERROR))
