"""A search in memory that was ended by a limit goes on from its checkpoint as if nothing had been."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest
from tests.explicit import graphs
from tests.external.test_checkpoints import told

from beeline import _native
from beeline.engine import Found, Outcome, Status
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


def counted(outcome: Outcome) -> tuple[Any, ...]:
    counts = outcome.statistics
    return *told(outcome), counts.evaluated, counts.dead_ends, counts.reopened, counts.transient, outcome.proven


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

        kept: dict[str, Any] = {"checkpoint": str(file), "every": every, "identity": "one", "resumes": False}
        states, outcome = 3, search(3, kept)
        while outcome.status is Status.STATES:
            states += 1 + states // 2
            outcome = search(states, {**kept, "resumes": True})
        assert counted(outcome) == counted(search(states)), number
        assert list(tmp_path.iterdir()) == []
