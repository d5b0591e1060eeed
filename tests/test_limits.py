"""Limits end whatever a model does, and every run of the same question gives the same answer."""

from typing import Any

import pytest

from beeline import Limits, NetworkBuilder, check, explore
from beeline.model.network import Variable
from beeline.model.types import INT


def endless_run() -> NetworkBuilder:
    """A process that never gives up control, over four thousand million states."""
    builder = NetworkBuilder("endless")
    builder.variables.append(Variable("x", INT))
    builder.variable("y", 0, 1)
    builder.process("P").location("s").edge("s", "s", effect="x = x + 1", keeps_control=True)
    builder.process("Q").location("s").edge("s", "s", effect="y = 1 - y")
    return builder


@pytest.mark.parametrize("search", ["bfs", "dfs", "random-dfs", "iddfs"])
def test_an_endless_uninterrupted_run_ends_at_the_time_limit(search: str) -> None:
    result = check(endless_run(), search=search, limits=Limits(time=0.5), shrink="none")
    assert (result.verdict, result.reason) == ("unknown", "time limit")
    assert result.statistics.seconds < 5


def test_counting_an_endless_uninterrupted_run_ends_at_the_time_limit() -> None:
    found = explore(endless_run(), limits=Limits(time=0.5))
    assert not found.complete
    assert found.statistics.seconds < 5


def busy() -> NetworkBuilder:
    builder = NetworkBuilder("busy")
    builder.variable("x", 0, 9, size=4)
    for i in range(4):
        builder.process(f"P{i}").location("s").edge("s", "s", guard=f"x[{i}] < 9", effect=f"x[{i}]++")
    return builder


@pytest.mark.parametrize("search", ["bfs", "dfs", "random-dfs:3", "iddfs"])
def test_the_same_question_gives_the_same_answer(search: str) -> None:
    def once() -> Any:
        result = check(busy(), "x[0] + x[1] + x[2] + x[3] < 9", search=search)
        assert result.trace is not None
        counts = result.statistics
        return result.trace.steps, (counts.stored, counts.expanded, counts.generated, counts.depth, counts.memory)

    assert once() == once()


@pytest.mark.parametrize("search", ["bfs", "dfs", "iddfs"])
def test_limits_of_states_are_exact(search: str) -> None:
    result = check(busy(), "x[0] <= 9", search=search, limits=Limits(states=123), shrink="none")
    assert (result.verdict, result.reason) == ("unknown", "state limit")
    assert result.statistics.stored == 123


def test_the_number_of_states_does_not_depend_on_the_search() -> None:
    for search in ("bfs", "dfs", "random-dfs"):
        assert check(busy(), "x[0] <= 9", search=search, shrink="none").statistics.stored == 10_000
