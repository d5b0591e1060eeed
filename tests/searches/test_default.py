"""What `beeline check` does unless told otherwise gives the verdicts of breadth-first search, whatever is asked."""

from __future__ import annotations

import pytest
from tests.explicit import graphs

from beeline import check
from beeline.checking import DEFAULT_SEARCH
from beeline.model.network import Property
from beeline.properties import DEADLOCK, SAFETY


def compare(count: int, first_seed: int) -> None:
    """Verdicts on random networks, and lengths where a trace is called the shortest."""
    violated = directed = 0
    for graph in graphs(count, first_seed):
        for asked in (Property("goal", "goal", graph.goal), DEADLOCK, SAFETY):
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
