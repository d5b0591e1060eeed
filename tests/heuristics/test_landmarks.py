"""What is counted as missing on every way to the goal, and which steps are preferred for it."""

from __future__ import annotations

import pytest

from beeline import Network, NetworkBuilder, _native, check
from beeline.compile.program import Program, compile_network
from beeline.model.names import Resolver
from beeline.model.syntax import parse_expression

Words = tuple[int, ...]


def door(shortcut: bool = False) -> Network:
    """P walks to a door that opens when Q has counted to two; with `shortcut` there is a way around the corridor."""
    builder = NetworkBuilder("door")
    builder.variable("x", 0, 5)
    walker = builder.process("P")
    for name in ("outside", "corridor", "garden", "inside"):
        walker.location(name)
    walker.edge("outside", "corridor")
    walker.edge("corridor", "inside", guard="x == 2")
    if shortcut:
        walker.edge("outside", "garden")
        walker.edge("garden", "inside", guard="x == 2")
    counter = builder.process("Q")
    counter.location("here")
    counter.edge("here", "here", guard="x < 5", effect="x++")
    return builder.build()


class Counted:
    """Landmarks of a network and a goal, and the states that they are asked about."""

    def __init__(self, network: Network, goal: str) -> None:
        expression = Resolver(network).resolve(parse_expression(goal))
        self.program: Program = compile_network(network, expression)
        native = _native.Program(self.program.tables)
        self.space = _native.ProgramSpace(native)
        self.estimator = _native.landmark_count_estimator(_native.Task(native, False))
        first = self.space.initial_arcs()[0][3]
        assert first is not None
        self.first = first

    def after(self, *processes: int) -> Words:
        """The state after the first step of these processes, one after the other."""
        state = self.first
        for process in processes:
            arcs = self.space.successor_arcs(state)[1]
            targets = [target for action, _, _, target in arcs if self.program.actions[action].number == process]
            assert targets[0] is not None
            state = targets[0]
        return state

    def preferred(self, state: Words) -> set[int]:
        """The processes whose steps are preferred there."""
        self.estimator.estimate(state)
        return {self.program.actions[action].number for action in self.estimator.preferred}


@pytest.mark.parametrize("shortcut", [False, True])
def test_each_thing_that_must_happen_counts_once(shortcut: bool) -> None:
    counted = Counted(door(shortcut), "P@inside")
    ask = counted.estimator.estimate
    assert ask(counted.first) == 4, "inside, the corridor (or garden), x == 1, x == 2"
    assert ask(counted.after(0)) == 3
    assert ask(counted.after(1)) == 3
    assert ask(counted.after(0, 1, 1)) == 1
    assert ask(counted.after(0, 1, 1, 0)) == 0


def test_steps_to_what_is_next_are_preferred() -> None:
    counted = Counted(door(), "P@inside")
    assert counted.preferred(counted.first) == {0, 1}
    assert counted.preferred(counted.after(0)) == {1}
    assert counted.preferred(counted.after(1, 1)) == {0}
    assert counted.preferred(counted.after(0, 1, 1)) == {0}


def test_what_nothing_makes_true_is_a_dead_end() -> None:
    counted = Counted(door(), "P@inside && x <= 2")
    assert counted.estimator.estimate(counted.after(1, 1, 1)) is None


def test_a_search_goes_by_them() -> None:
    plain = check(door(), "A[] !P@inside", search="bfs")
    told = check(door(), "A[] !P@inside", search="multi", heuristic="landmarks")
    assert plain.trace is not None
    assert told.trace is not None
    assert len(told.trace) == len(plain.trace)
    assert told.statistics.expanded < plain.statistics.expanded
