"""A network's steps are listed once, with errors: without these, it is the listing that knows of none."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from tests.explicit import graphs

from beeline.engine import Found, core
from beeline.heuristics.grounding import grounded


def compare(count: int, first_seed: int) -> None:
    """Both listings of random networks. Where a step has so many combinations of values that it is approximated, ways
    to fail among them can have that come sooner: seldom."""
    failing = same = 0
    for graph in graphs(count, first_seed):
        whole, plain = core.Task(graph.native, True), core.Task(graph.native, False)
        assert plain.failure_count == 0
        rest = whole.without_failures()
        assert rest.failure_count == 0
        assert len(rest.goals) == len(whole.goals) - whole.failure_count
        same += (rest.facts, rest.operators, rest.goals) == (plain.facts, plain.operators, plain.goals)
        failing += whole.failure_count > 0
    assert 0 < failing < count
    assert same >= 0.98 * count


def test_a_listing_less_its_failures_is_the_one_without_errors() -> None:
    compare(80, 61_000)


@pytest.mark.slow
def test_listings_are_the_same_on_thousands_of_networks() -> None:
    compare(3000, 62_000)


def test_steps_are_listed_once() -> None:
    with patch("beeline.heuristics.grounding.core.Task", wraps=core.Task) as made:
        for graph in graphs(40, 61_000):
            made.reset_mock()
            task, covers = grounded(graph.context(), "hU")
            assert made.call_count == 1
            assert task.failure_count == 0
            assert (Found.ERROR in covers) == (core.Task(graph.native, True).failure_count == 0), graph
