"""The search for the fewest process switches keeps that promise, and finds what there is."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import pytest
from tests.explicit import Explicit, graphs

from beeline import NetworkBuilder, check
from beeline.engine import Found
from beeline.searches.runner import run

Last = int | None
"""The process that took the last step; nobody before the first one."""


def mover(graph: Explicit, action: int, last: Last) -> Last:
    """Who is last after an action; a step of no process leaves that as it was."""
    process = graph.program.actions[action].number
    return last if process < 0 else process


def fewest_switches(graph: Explicit) -> int | None:
    """By a search over all pairs of a state and the process that was last."""
    space = graph.space()
    cost: dict[tuple[tuple[int, ...], Last], int] = {}
    queue: deque[tuple[int, tuple[int, ...], Last]] = deque([(0, graph.initial, None)])
    best: int | None = None
    while queue:
        switches, state, last = queue.popleft()
        if (state, last) in cost or (best is not None and switches >= best):
            continue
        cost[state, last] = switches
        if graph.violations[state] & (Found.GOAL | Found.DEADLOCK):
            best = switches
            continue
        for action, _, _, target in space.successor_arcs(state)[1]:
            after = mover(graph, action, last)
            more = switches + (last is not None and after != last)
            if target is None:
                best = more if best is None else min(best, more)
            elif more == switches:
                queue.appendleft((more, target, after))
            else:
                queue.append((more, target, after))
    return best


def switches_of(graph: Explicit, actions: list[int]) -> int:
    last: Last = None
    count = 0
    for action in actions:
        after = mover(graph, action, last)
        count += last is not None and after != last
        last = after
    return count


def compare_with_pairs(count: int, first_seed: int) -> int:
    """In how many networks what is found takes more than one process."""
    several = 0
    for graph in graphs(count, first_seed):
        outcome = run(graph.space(), "switches")
        expected = fewest_switches(graph)
        assert bool(outcome.found) == (expected is not None), str(graph)
        if expected is None:
            assert outcome.statistics.stored == len(graph.successors)
            continue
        failing = [outcome.native.error_action] if Found.ERROR in outcome.found else []
        path = outcome.path
        space = graph.space()
        for before, step in pairwise(path):
            arcs = space.successor_arcs(before.state)[1]
            assert any(arc[0] == step.action and arc[3] == step.state for arc in arcs), str(graph)
        assert switches_of(graph, [*(step.action for step in path[1:]), *failing]) == expected, str(graph)
        several += expected > 0
    return several


def test_no_way_has_fewer_switches() -> None:
    assert compare_with_pairs(80, 7700) > 5


@pytest.mark.slow
def test_no_way_has_fewer_switches_in_thousands_of_networks() -> None:
    assert compare_with_pairs(4000, 77_000) > 0


def test_a_longer_trace_is_preferred_to_one_that_goes_back_and_forth() -> None:
    """P and Q can meet the goal in turns of one step, or P alone in more steps."""
    builder = NetworkBuilder("two ways")
    builder.variable("x", 0, 9)
    for name, remainder in (("P", 0), ("Q", 1)):
        process = builder.process(name)
        process.location("here")
        process.edge("here", "here", guard=f"x % 2 == {remainder} && x < 4", effect="x++")
    slow = builder.process("R")
    for number in range(9):
        slow.location(f"at{number}")
    for number in range(8):
        slow.edge(f"at{number}", f"at{number + 1}", effect="x = 4" if number == 7 else "")
    network = builder.build()
    shortest = check(network, "A[] x < 4", search="bfs")
    told = check(network, "A[] x < 4", search="switches")
    assert shortest.trace is not None
    assert told.trace is not None
    assert (len(shortest.trace), len(told.trace)) == (4, 8)
    assert not told.shortest
