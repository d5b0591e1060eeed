"""Searches with sets keep their limits, can be interrupted, and tell how far they are."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest

from beeline import Limits, check, explore
from beeline.checking import COUNTING
from beeline.engine import Statistics, Status
from beeline.engine.budget import LimitReached, spend
from beeline.engines import Counting, find_engine
from beeline.languages import LoadOptions, load
from beeline.model.network import Network
from beeline.problems.make import problem_of
from beeline.searches import find
from beeline.symbolic import meter
from beeline.symbolic.diagrams import Diagram, Diagrams, joined

MODELS = Path(__file__).parents[2] / "models" / "promela"
pytest.importorskip("oxidd")


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress is told at every operation."""
    monkeypatch.setattr(meter, "BETWEEN_REPORTS", 0.0)


def leader(**defines: str) -> Network:
    found = load(MODELS / "leader.pml", options=LoadOptions(defines))
    assert isinstance(found, Network)
    return found


def test_diagrams_that_do_not_fit_end_the_search() -> None:
    engine = find_engine("bdd")
    assert engine.explore is not None
    asked = Counting(find("auto"), Limits(memory=1))  # as few nodes as there can be
    assert engine.explore(problem_of(leader(N="5"), COUNTING), asked).status is Status.MEMORY


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


def test_memory_that_the_system_refuses_does_not_end_the_process() -> None:
    """OxiDD reserves a stack of a gigabyte, which a command with so little memory must not ask the system for in
    vain; what it uses fits."""
    command = [str(Path(sys.executable).with_name("beeline")), "check", str(MODELS / "leader.pml"), "--engine", "bdd"]
    done = subprocess.run([*command, "--max-memory", "200M", "--json"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["verdict"] == "holds"


def test_no_order_is_sought_where_there_is_no_room_for_it() -> None:
    """OxiDD ends the process if it has no nodes left in the middle of that."""
    diagrams = Diagrams(40, 1)
    random = Random(3)
    found = diagrams.false
    with pytest.raises(MemoryError):
        while True:
            found = found | diagrams.cube((i, random.random() < 0.5) for i in random.sample(range(40), 12))
    with pytest.raises(MemoryError):
        diagrams.reorder(random.sample(range(40), 40))


def test_a_limit_that_is_reached_within_an_operation_is_told() -> None:
    """OxiDD takes an exception of a signal's handler for an operator of the wrong kind."""

    class Interrupted:
        def apply_exists(self, *_: object) -> Diagram:
            raise TypeError("Expected an instance of oxidd.util.BooleanOperator")

    operand: Any = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        joined(operand, operand, operand)
    with pytest.raises(LimitReached), spend(Limits(time=0.0)) as budget:
        try:
            sleep(60)  # until the budget is spent
        except LimitReached:
            assert budget.is_spent
        joined(operand, operand, operand)
