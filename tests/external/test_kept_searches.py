"""A search in memory that was ended by a limit goes on from its checkpoint as if nothing had been."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.explicit import graphs
from tests.external.test_checkpoints import told
from tests.networks import Sampler

from beeline import _native
from beeline.checking import Options, Result, check
from beeline.engine import Found, Limits, Outcome, Status
from beeline.heuristics import build

NETWORKS = int(os.environ.get("BEELINE_KEPT", "15"))  # BEELINE_KEPT=500 asks for a long run
ORDERS: dict[str, dict[str, Any] | None] = {
    "breadth first": None,
    "A*": {"priority": "sum", "patience": "popped", "reopen": True},
    "weighted A*": {"priority": "sum", "patience": "popped", "reopen": True, "weight": 3},
    "greedy": {},
    "greedy, newest first": {"ties": "lifo", "prune": True},
    "greedy, by chance": {"ties": "random", "seed": 7},
    "lazy": {"lazy": True, "preferred": True},
    "eager, preferred": {"preferred": True},
    "with all open lists": {"novelty": 2, "types": True, "seed": 3},
    "useless steps": {"priority": "useless", "ties": "lifo"},
    "until nothing is shorter": {"patience": "never", "reopen": True},
}
AHEAD = [0, 20, 50_000]  # the work of the directed part of `auto` before others take turns


def counted(outcome: Outcome) -> tuple[Any, ...]:
    counts = outcome.statistics
    return *told(outcome), counts.evaluated, counts.dead_ends, counts.reopened, counts.transient, outcome.proven


Search = Callable[[int | None, dict[str, Any] | None], Outcome]


def assert_goes_on(search: Search, file: Path, every: float, number: int, counts: bool = True) -> None:
    """A search that is ended by a limit again and again ends as one with the last limit does."""
    kept: dict[str, Any] = {"checkpoint": str(file), "every": every, "identity": "one", "resumes": False}
    states, outcome = 3, search(3, kept)
    while outcome.status is Status.STATES:
        states += 1 + states // 2
        outcome = search(states, {**kept, "resumes": file.exists()})
    expected = search(states, None)
    if counts:
        assert counted(outcome) == counted(expected), number
    assert (outcome.status, outcome.found) == (expected.status, expected.found), number
    assert list(file.parent.iterdir()) == []


@pytest.mark.parametrize("name", ORDERS)
def test_many_limits_end_in_what_none_ends_in(name: str, tmp_path: Path) -> None:
    file, options = tmp_path / "search", ORDERS[name]
    for number, graph in enumerate(graphs(NETWORKS, 7000)):
        chance = random.Random(number)
        stop = chance.choice([Found.GOAL, Found.ANYTHING, Found.NOTHING])
        depth, every = chance.choice([None, None, 6]), chance.choice([0.0, 1000.0])

        def search(states: int | None, kept: dict[str, Any] | None = None) -> Outcome:
            request = _native.Request(stop=stop.value, states=states, depth=depth)  # noqa: B023
            space, order = graph.space(), None  # noqa: B023
            if options is not None:
                names = ["hU", "Hf"] if "preferred" in options or "novelty" in options else ["Hf"]
                natives = [build(each, graph.context(Found.GOAL))[0].native for each in names]  # noqa: B023
                order = _native.BestFirst(natives, **options)
            if kept is not None:
                return Outcome(_native.kept_search(space, request, order, **kept))
            return Outcome(space.breadth_first(request) if order is None else space.best_first(request, order))

        assert_goes_on(search, file, every, number)


def test_several_threads_go_on_where_a_layer_begins(tmp_path: Path) -> None:
    for number, graph in enumerate(graphs(NETWORKS, 8000)):
        chance = random.Random(number)
        stop, depth = chance.choice([Found.GOAL, Found.ANYTHING, Found.NOTHING]), chance.choice([None, None, 6])

        def search(states: int | None, kept: dict[str, Any] | None = None) -> Outcome:
            request = _native.Request(
                stop=stop.value,  # noqa: B023
                states=states,
                depth=depth,  # noqa: B023
                threads=2,
                smallest_layer=1,
                smallest_search=1,
            )
            space = graph.space()  # noqa: B023
            return Outcome(
                space.breadth_first(request) if kept is None else _native.kept_search(space, request, None, **kept)
            )

        assert_goes_on(search, tmp_path / "search", chance.choice([0.0, 1000.0]), number)


def test_the_default_search_goes_on(tmp_path: Path) -> None:
    """A limit of states ends its directed part, so that it goes another way when the limit is raised; saved and read
    again at each step, it counts as if nothing had been."""
    for number, graph in enumerate(graphs(NETWORKS, 9000)):
        chance = random.Random(number)
        stop, ahead = chance.choice([Found.GOAL, Found.ANYTHING, Found.NOTHING]), AHEAD[number % 3]

        def search(states: int | None, kept: dict[str, Any] | None = None) -> Outcome:
            request = _native.Request(stop=stop.value, states=states)  # noqa: B023
            natives = [build(each, graph.context(Found.GOAL))[0].native for each in ("hU", "Hf")]  # noqa: B023
            directed = _native.BestFirst(natives[:1], lazy=True, preferred=True, ties="lifo")
            order = _native.Anytime(
                directed,
                bound=None,
                blind=_native.blind_estimator(),
                covered=0,
                ahead=ahead,  # noqa: B023
            )
            space = graph.space()  # noqa: B023
            return Outcome(
                space.anytime(request, order) if kept is None else _native.kept_anytime(space, request, order, **kept)
            )

        file = tmp_path / "search"
        assert_goes_on(search, file, chance.choice([0.0, 1000.0]), number, counts=False)
        often = {"checkpoint": str(file), "every": 0.0, "identity": "one", "resumes": False}
        assert counted(search(None, often)) == counted(search(None)), number


REDUCED: dict[str, dict[str, Any]] = {
    "stubborn sets, breadth first": {"search": "bfs", "reduce": "stubborn"},
    "ample sets, breadth first": {"search": "bfs", "reduce": "ample:closed"},
    "stubborn sets, A*": {"search": "astar", "heuristic": "blind", "reduce": "stubborn"},
    "symmetry, breadth first": {"search": "bfs", "symmetry": "exact"},
    "symmetry, two threads": {"search": "bfs", "symmetry": "exact", "threads": 2},
}


@pytest.mark.parametrize("name", REDUCED)
def test_reduced_spaces_go_on(name: str, tmp_path: Path) -> None:
    def told(result: Result) -> tuple[Any, ...]:
        counts = result.statistics
        return result.verdict, result.reason, counts.stored, counts.expanded, counts.generated, result.trace

    for seed in range(NETWORKS):
        network = Sampler(seed).network()
        options = Options(**REDUCED[name], shrink="none", tier="bytecode")

        def answer(states: int, checkpoint: str | None = None, resumes: bool = False) -> Result:
            limits = Limits(states=states)
            return check(network, "deadlock", options, limits=limits, checkpoint=checkpoint, resumes=resumes)  # noqa: B023

        states, result = 3, answer(3, str(tmp_path))
        while result.reason == "state limit" and states < 3000:
            states += 1 + states // 2
            result = answer(states, str(tmp_path), (tmp_path / "search").exists())
        assert told(result) == told(answer(states)), seed
        (tmp_path / "search").unlink(missing_ok=True)
