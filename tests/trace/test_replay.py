"""Nothing is shown to a person that the interpreter cannot replay."""

from typing import Any

import pytest

from beeline import Network, NetworkBuilder, check
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.records import replace
from beeline.trace import ReplayError, replay


def counter() -> Network:
    builder = NetworkBuilder("counter")
    builder.variable("x", 0, 5)
    builder.process("up").location("run").edge("run", "run", guard="x < 5", effect="x++")
    builder.process("over").location("wait").location("done").edge("wait", "done", guard="x == 2", effect="x = x + 9")
    return builder.build()


def path(network: Network, *values: int) -> list[State]:
    first = Semantics(network).initial_states()[0]
    return [replace(first, variables=(value,)) for value in values]


def test_a_right_path_becomes_a_trace() -> None:
    network = counter()
    trace = replay(network, path(network, 0, 1, 2), failed=False)
    assert len(trace) == 2
    assert [step.process for step in trace] == ["up", "up"]
    assert [step.changes for step in trace] == [{"x": ("0", "1")}, {"x": ("1", "2")}]
    assert trace.initial["x"] == "0"
    assert trace.final()["x"] == "2"
    assert len(trace.states) == 3


def test_a_path_to_an_error_ends_in_a_step_without_a_state() -> None:
    network = counter()
    trace = replay(network, path(network, 0, 1, 2), failed=True)
    assert len(trace) == 3
    assert len(trace.states) == 3
    last = trace.steps[-1]
    assert (last.process, last.error, last.changes) == ("over", "value 11 outside 0..5", {})


@pytest.mark.parametrize(
    ("values", "failed", "message"),
    [
        ((), False, "does not begin in an initial state"),
        ((1, 2), False, "does not begin in an initial state"),
        ((0, 2), False, "knows no such step"),
        ((0, 1, 0), False, "knows no such step"),
        ((0, 0), False, "knows no such step"),
        ((0, 1), True, "knows no such step"),
    ],
)
def test_a_wrong_path_is_refused(values: tuple[int, ...], failed: bool, message: str) -> None:
    network = counter()
    with pytest.raises(ReplayError, match=message):
        replay(network, path(network, *values), failed)


def test_a_verdict_that_the_interpreter_does_not_confirm_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Semantics, "holds", lambda self, expression, state: False)
    with pytest.raises(ReplayError, match="does not end in a violation"):
        check(counter(), "x < 2")


def uninterrupted() -> Network:
    builder = NetworkBuilder("uninterrupted")
    builder.variable("x", 0, 9)
    process = builder.process("P").location("a").location("b").location("c").location("d")
    process.edge("a", "b", effect="x = 1", keeps_control=True).edge("b", "c", effect="x = 2", keeps_control=True)
    process.edge("c", "d", effect="x = 3")
    builder.process("Q").location("s").edge("s", "s", guard="x == 0")
    return builder.build()


@pytest.mark.parametrize("search", ["bfs", "dfs"])
def test_steps_that_a_search_passed_over_are_found_again(search: str) -> None:
    result = check(uninterrupted(), "x < 3", search=search)
    assert result.trace is not None
    assert [step.changes["x"] for step in result.trace if "x" in step.changes] == [("0", "1"), ("1", "2"), ("2", "3")]


def test_a_goal_in_the_middle_of_an_uninterrupted_run_is_seen_by_every_search() -> None:
    for search in ("bfs", "dfs", "random-dfs", "iddfs"):
        result = check(uninterrupted(), "x != 2", search=search)
        assert result.verdict == "violated"
        assert result.trace is not None
        assert result.trace.final()["x"] == "2"


def test_every_state_of_a_trace_can_be_looked_at() -> None:
    result = check(counter(), "x < 2")
    assert result.trace is not None
    assert [state.variables for state in result.trace.states] == [(0,), (1,), (2,)]
    assert str(result) == "x < 2: violated (invariant violated)"


def crowd(processes: int) -> Network:
    """One that counts beside others that can move at any time."""
    builder = NetworkBuilder("crowd")
    builder.variable("x", 0, 9)
    builder.process("up").location("run").edge("run", "run", guard="x < 9", effect="x++")
    for number in range(processes):
        builder.process(f"idle{number}").location("here").edge("here", "here")
    return builder.build()


def test_a_replay_looks_at_the_step_that_was_taken_and_not_at_others(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    of_edge = Semantics._of_edge

    def noted(self: Semantics, state: State, pid: int, *more: Any) -> list[Any]:
        asked.append(pid)
        return of_edge(self, state, pid, *more)

    monkeypatch.setattr(Semantics, "_of_edge", noted)
    result = check(crowd(50), "x < 9", search="bfs", shrink="none")
    assert result.trace is not None
    assert len(result.trace) == 9
    assert set(asked[-9:]) == {0}
    assert len(asked) < 30  # all steps of all states would be 450
