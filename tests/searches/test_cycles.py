"""Searches for cycles agree with brute force on random graphs, whatever they are and whoever must be treated fairly."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

from beeline.engine import Found, core, python_space
from beeline.records import Record
from beeline.searches.runner import run

GRAPHS = 400


class Graph(Record, frozen=True):
    """A random graph as a user would write one."""

    targets: tuple[tuple[int, ...], ...]
    marked: frozenset[int]

    def initial(self) -> int:
        return 0

    def successors(self, state: int) -> Iterator[int]:
        return iter(self.targets[state])

    def accepting(self, state: int) -> bool:
        return state in self.marked


def random_graph(dice: random.Random) -> Graph:
    size = dice.randint(1, 9)
    density = dice.choice([0.8, 1.2, 2.0])
    targets = tuple(
        tuple(dice.randrange(size) for _ in range(dice.choice([0, 1, 1, 2, 3]) if dice.random() < density else 0))
        for _ in range(size)
    )
    return Graph(targets, frozenset(state for state in range(size) if dice.random() < 0.3))


def distances(graph: Graph, start: int) -> dict[int, int]:
    """Steps, one at least, to everything that can be reached."""
    found: dict[int, int] = {}
    layer, steps = {start}, 0
    while layer:
        steps += 1
        layer = {target for state in layer for target in graph.targets[state]} - found.keys()
        found |= dict.fromkeys(layer, steps)
    return found


def shortest_lasso(graph: Graph) -> int | None:
    """The fewest steps to an accepting state and round to it again, by trying all."""
    first = {**distances(graph, 0), 0: 0}
    rounds = {state: distances(graph, state).get(state) for state in graph.marked & first.keys()}
    return min((first[state] + steps for state, steps in rounds.items() if steps is not None), default=None)


SEED = range(GRAPHS)


@pytest.mark.parametrize("part", range(4))
def test_every_search_for_cycles_agrees_with_brute_force(part: int) -> None:
    for seed in SEED[part::4]:
        graph = random_graph(random.Random(seed))
        shortest = shortest_lasso(graph)
        for name in ("ndfs", "scc"):
            outcome = run(python_space(graph), name, stop=Found.CYCLE)
            assert (outcome.cycle is not None) == (shortest is not None), (seed, name)
            if shortest is not None:
                check_lasso(graph, [step.state[0] for step in outcome.path], outcome.cycle)
        space = core.PairedPythonSpace(python_space(graph))
        outcome = run(space, "bfs", stop=Found.GOAL)
        assert (None if outcome.cycle is None else len(outcome.path) - 1) == shortest, seed


def check_lasso(graph: Graph, numbers: list[int], cycle: int | None) -> None:
    """The path is one of the graph, comes back to where its cycle begins, and the cycle is accepting."""
    assert cycle is not None
    space = python_space(graph)
    outcome = run(space, "bfs", stop=Found.NOTHING)
    assert outcome.complete
    states = states_of(graph, numbers)
    assert states[0] == 0
    assert all(after in graph.targets[before] for before, after in pairwise(states))
    assert states[cycle] == states[-1]
    assert graph.marked & set(states[cycle:])


def states_of(graph: Graph, numbers: list[int]) -> list[int]:
    """Searches number states as they meet them; here a depth-first one that stores all targets at once."""
    space = python_space(graph)
    run(space, "ndfs", stop=Found.CYCLE)
    return [int(str(space.state(number))) for number in numbers]


def test_any_seed_gives_the_shortest_of_all_lassos() -> None:
    """0 -> 1 -> 2 -> 1 with 2 accepting: an accepting seed takes 4 steps, the lasso itself 3."""
    graph = Graph(((1,), (2,), (1,)), frozenset({2}))
    lengths = [
        len(run(core.PairedPythonSpace(python_space(graph), any_seed=any_seed), "bfs", stop=Found.GOAL).path) - 1
        for any_seed in (False, True)
    ]
    assert lengths == [4, 3]


def test_any_seed_finds_a_lasso_exactly_where_there_is_one() -> None:
    for seed in range(200):
        graph = random_graph(random.Random(seed))
        outcome = run(core.PairedPythonSpace(python_space(graph), any_seed=True), "bfs", stop=Found.GOAL)
        shortest = shortest_lasso(graph)
        assert (outcome.cycle is None) == (shortest is None)
        assert shortest is None or len(outcome.path) - 1 <= shortest


def test_a_weak_search_needs_no_second_one() -> None:
    graph = Graph(((1,), (2,), (1,)), frozenset({1, 2}))
    space = python_space(graph)
    outcome = space.nested_depth_first(core.Request(stop=Found.CYCLE.value), weak=True)
    assert outcome.cycle >= 0


@pytest.mark.parametrize("name", ["ndfs", "scc"])
def test_a_depth_bound_leaves_the_question_open(name: str) -> None:
    from beeline.engine import Limits, Status

    chain = Graph((*((i + 1,) for i in range(5)), ()), frozenset())
    assert run(python_space(chain), name, stop=Found.CYCLE, limits=Limits(depth=2)).status is Status.DEPTH
    assert run(python_space(chain), name, stop=Found.CYCLE).status is Status.EXHAUSTED
