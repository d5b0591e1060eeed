"""Every search keeps its promises, and says what it is."""

from collections import deque
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beeline.declared import Folder
from beeline.engine import Found, Limits, Status, python_space, user_path
from beeline.searches import Search, SearchError, all_searches, find
from beeline.searches.runner import run

GRAPHS = st.lists(st.lists(st.integers(0, 14), max_size=4), min_size=15, max_size=15)


class Graph:
    """A graph given by lists of targets; node 0 is initial, one node is the goal."""

    def __init__(self, targets: list[list[int]], goal: int) -> None:
        self.targets = targets
        self.goal = goal

    def initial(self) -> int:
        return 0

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [(f"arc {i}", target) for i, target in enumerate(self.targets[state])]

    def violates(self, state: int) -> bool:
        return state == self.goal

    def distances(self) -> dict[int, int]:
        distance = {0: 0}
        queue = deque([0])
        while queue:
            node = queue.popleft()
            for target in self.targets[node]:
                if target not in distance:
                    distance[target] = distance[node] + 1
                    queue.append(target)
        return distance


def test_the_four_searches_are_there() -> None:
    assert {"bfs", "dfs", "random-dfs", "iddfs"} <= set(all_searches())


@pytest.mark.parametrize("name", all_searches())
def test_each_declaration_is_complete(name: str) -> None:
    search = all_searches()[name]
    assert search.summary
    assert search.paper
    assert str(search) == name
    assert all(option.summary for option in search.options)


# Not `testing`, which is for products with testing automata, `owcty` for the disk, and not those for sets of states.
ELSEWHERE = ("testing", "owcty")
EVERYWHERE = [name for name, search in all_searches().items() if name not in ELSEWHERE and not search.needs_sets]


@pytest.mark.parametrize("name", EVERYWHERE)
@given(targets=GRAPHS, goal=st.integers(0, 14))
def test_each_search_keeps_its_promises(name: str, targets: list[list[int]], goal: int) -> None:
    graph = Graph(targets, goal)
    space = python_space(graph)
    promises = all_searches()[name].promises
    distance = graph.distances().get(goal)
    outcome = run(space, name)
    if distance is None:
        assert outcome.status is (Status.EXHAUSTED if promises.complete else Status.GAVE_UP)
        return
    assert not promises.complete or outcome.found is Found.GOAL
    if not outcome.found:
        return
    path = [step.state for step in user_path(space, outcome)]
    assert path[0] == 0
    assert path[-1] == goal
    assert all(b in graph.targets[a] for a, b in pairwise(path))
    assert not promises.shortest or len(path) - 1 == distance


FOR_STATES = [name for name in EVERYWHERE if all_searches()[name].promises.complete and not all_searches()[name].cycles]


@pytest.mark.parametrize("name", FOR_STATES)
@given(targets=GRAPHS, bound=st.integers(0, 6))
def test_a_depth_bound_cuts_exactly_what_lies_behind_it(name: str, targets: list[list[int]], bound: int) -> None:
    graph = Graph(targets, -1)
    outcome = run(python_space(graph), name, stop=Found.NOTHING, limits=Limits(depth=bound))
    distances = graph.distances().values()
    assert outcome.statistics.stored == sum(distance <= bound for distance in distances)
    assert outcome.complete == (max(distances) <= bound)


def test_seeds_change_the_order_and_nothing_else() -> None:
    graph = Graph([[(i * k + 1) % 15 for k in range(1, 5)] for i in range(15)], 7)
    space = python_space(graph)

    def path(search: str, **options: Any) -> Any:
        return user_path(space, run(space, search, **options))

    assert path("random-dfs:3") == path("random-dfs:seed=3") == path("random-dfs", seed=3) == path("dfs:3")
    assert len({tuple(path(f"random-dfs:{seed}")) for seed in range(10)}) > 1


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("bsf", "did you mean bfs"),
        ("", "there is no search"),
        ("bfs:1", "no option"),
        ("dfs:x", "whole number"),
        ("dfs:-1", "between"),
        ("dfs:seed=1,seed=2", "twice"),
        ("dfs:depth=3", "has no option 'depth'"),
        ("iddfs:0", "between"),
    ],
)
def test_what_cannot_be_understood_is_explained(text: str, part: str) -> None:
    with pytest.raises(SearchError, match=part):
        find(text)


def test_a_seed_out_of_range_is_refused() -> None:
    with pytest.raises(SearchError):
        run(python_space(Graph([[]], 0)), "random-dfs", seed=-1)


def test_a_larger_step_of_deepening_still_finds() -> None:
    graph = Graph([[i + 1] for i in range(14)] + [[]], 14)
    outcome = run(python_space(graph), "iddfs:step=4")
    assert outcome.found is Found.GOAL
    assert len(outcome.path) == 15


def test_every_search_is_found_in_the_file_of_its_name() -> None:
    folder = Folder("beeline.searches", "SEARCH", Search)
    assert {name: folder.find(name) for name in all_searches()} == all_searches()
    assert "all" not in folder.__dict__, "a search whose file has another name makes commands import all of them"
