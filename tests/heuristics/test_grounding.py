"""A network's steps are listed once where none can fail, and twice where goals must be told from failures."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from tests.explicit import graphs

from beeline.engine import Found, core
from beeline.heuristics.grounding import grounded


def compare(count: int, first_seed: int) -> None:
    """Both listings of random networks: they tell the same where the one with errors counts none."""
    same = 0
    for graph in graphs(count, first_seed):
        failing, plain = core.Task(graph.native, True), core.Task(graph.native, False)
        assert plain.failure_count == 0
        assert (failing.failure_count == 0) == (failing.goals == plain.goals), graph
        if failing.failure_count == 0:
            same += 1
            assert (failing.facts, failing.operators) == (plain.facts, plain.operators), graph
    assert 0 < same < count


def test_listings_with_and_without_errors_are_the_same_where_none_is_counted() -> None:
    compare(80, 61_000)


@pytest.mark.slow
def test_listings_are_the_same_on_thousands_of_networks() -> None:
    compare(3000, 62_000)


def test_steps_that_cannot_fail_are_listed_once() -> None:
    listings = []
    with patch("beeline.heuristics.grounding.core.Task", wraps=core.Task) as made:
        for graph in graphs(40, 61_000):
            made.reset_mock()
            _, covers = grounded(graph.context(), "hU")
            listings.append(made.call_count)
            assert (Found.ERROR in covers) == (made.call_count == 1), graph
    assert set(listings) == {1, 2}
