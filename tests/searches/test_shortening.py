"""SPIN's two ways of shortening a trail, and what the first one misses."""

from tests.searches.test_searches import Graph

from beeline.engine import Found, python_space
from beeline.searches.runner import run


def anomaly() -> Graph:
    """A long way to state 4, on which a first error is found; the short way to it comes later."""
    return Graph([[1, 4], [2], [3], [4], [5], [], []], 5)


def test_a_state_first_met_deep_hides_a_shorter_error_without_reopening() -> None:
    space = python_space(anomaly())
    found = run(space, "idfs")
    assert found.found is Found.GOAL
    assert len(found.path) - 1 == 5


def test_with_reopening_the_shortest_error_is_found_and_proven() -> None:
    outcome = run(python_space(anomaly()), "adfs")
    assert len(outcome.path) - 1 == 2
    assert outcome.proven
    assert outcome.statistics.reopened > 0


def test_both_go_on_after_the_first_error() -> None:
    graph = Graph([[1, 4], [2], [3], [], [3]], 3)
    assert len(run(python_space(graph), "dfs").path) - 1 == 3
    assert len(run(python_space(graph), "idfs").path) - 1 == 2
