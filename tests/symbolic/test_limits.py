"""Searches with sets keep their limits, can be interrupted, and tell how far they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from beeline import Limits, check, explore
from beeline.checking import COUNTING
from beeline.engine import Statistics, Status
from beeline.engines import Counting, find_engine
from beeline.languages import load
from beeline.model.network import Network
from beeline.problems.make import problem_of
from beeline.searches import find
from beeline.symbolic import meter

MODELS = Path(__file__).parents[2] / "models" / "promela"
pytest.importorskip("oxidd")


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress is told at every operation."""
    monkeypatch.setattr(meter, "BETWEEN_REPORTS", 0.0)


def leader() -> Network:
    found = load(MODELS / "leader.pml")
    assert isinstance(found, Network)
    return found


def test_diagrams_that_do_not_fit_end_the_search() -> None:
    engine = find_engine("bdd")
    assert engine.explore is not None
    asked = Counting(find("auto"), Limits(memory=1))  # as few nodes as there can be
    assert engine.explore(problem_of(leader(), COUNTING), asked).status is Status.MEMORY


@pytest.mark.usefixtures("often")
def test_an_interrupted_search_says_so() -> None:
    def interrupt(told: Statistics) -> None:
        if "iteration" in told.phase:
            raise KeyboardInterrupt

    assert explore(leader(), engine="bdd", progress=interrupt).reason == "interrupted"
    for asked in (None, "ctl: AG EF false"):
        found = check(leader(), asked, engine="bdd", progress=interrupt)
        assert (found.verdict, found.reason) == ("unknown", "interrupted")


@pytest.mark.usefixtures("often")
def test_progress_tells_iterations_frontier_and_nodes() -> None:
    told: list[Statistics] = []
    found = explore(leader(), engine="bdd", progress=told.append)
    searching = [one for one in told if one.phase.startswith("searching: iteration")]
    assert found.complete
    assert all("nodes" in one.phase and "in all" in one.phase for one in searching)
    assert any("in the frontier" in one.phase and one.frontier > 0 for one in searching)
    assert searching[-1].stored <= found.statistics.stored
    assert max(one.memory for one in searching) > 0


def test_limits_of_states_and_time_are_kept() -> None:
    assert explore(leader(), engine="bdd", limits=Limits(states=10)).reason == "state limit"
    assert check(leader(), engine="bdd", limits=Limits(depth=0)).reason == "depth limit"
    assert explore(leader(), engine="bdd", limits=Limits(time=0.0)).reason.startswith("time limit")
