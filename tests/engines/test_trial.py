"""`auto` tries sets of states beside a search of single states, and says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from beeline import check
from beeline.checking import DEFAULTS
from beeline.engine import Limits, Statistics
from beeline.engines import Engine, EngineError, find_engine, trial
from beeline.engines.trial import wants_trial, with_trials
from beeline.languages import load
from beeline.model.network import Network
from beeline.problems.make import problem_of
from beeline.problems.problem import Problem
from beeline.problems.settings import Result, Settings
from beeline.properties import questions
from beeline.records import replace
from beeline.report.objects import result_object

MODELS = Path(__file__).parents[2] / "models" / "promela"
SMV = Path(__file__).parents[2] / "models" / "smv"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial at every report, with time enough for a small model."""
    monkeypatch.setattr(trial, "PATIENCE", 0.0)
    monkeypatch.setattr(trial, "AGAIN", 0.0)
    monkeypatch.setattr(trial, "SHARE", 1e9)


def slow(reports: int = 1) -> Engine:
    """Single states that report a few times before they answer."""
    explicit = find_engine("explicit")

    def solve(problem: Problem, settings: Settings) -> Result:
        assert settings.progress is not None
        for number in range(reports):
            settings.progress(Statistics(stored=number + 1))
        return explicit.solve(problem, settings)

    return replace(explicit, solve=solve)


def answered(name: str, engine: Engine, settings: Settings | None = None) -> Result:
    model = load((SMV if name.endswith(".smv") else MODELS) / name)
    assert isinstance(model, Network)
    problem = problem_of(model, questions(model)[0])
    return engine.solve(problem, settings or DEFAULTS.settings())


@pytest.mark.parametrize("name", ["leader.pml", "philosophers.pml"])
def test_sets_that_have_the_answer_end_the_search(name: str) -> None:
    pytest.importorskip("oxidd")
    found = answered(name, with_trials(slow(), lambda: find_engine("bdd")))
    alone = check(MODELS / name)
    assert (found.verdict, found.engine) == (alone.verdict, "bdd")
    assert (found.trace is None) == (alone.trace is None)
    assert "bdd was tried after" in result_object(found)["engine_note"]


def failing(how: Any) -> Engine:
    """An engine that has no answer."""

    def solve(problem: Problem, settings: Settings) -> Result:
        assert settings.progress is not None
        settings.progress(Statistics(stored=10**9))
        if isinstance(how, BaseException):
            raise how
        return replace(check(MODELS / "leader.pml"), verdict="unknown", reason=how)

    return replace(find_engine("explicit"), name="sets", solve=solve)


@pytest.mark.parametrize("how", ["time limit", "memory limit", MemoryError(), EngineError("no")])
def test_a_trial_without_an_answer_changes_nothing(how: Any) -> None:
    tried: list[Engine] = []

    def other() -> Engine:
        tried.append(failing(how))
        return tried[-1]

    found = answered("leader.pml", with_trials(slow(3), other))
    alone = check(MODELS / "leader.pml")
    assert len(tried) >= 3
    assert (found.verdict, found.statistics.stored) == (alone.verdict, alone.statistics.stored)
    assert found.engine_note.count("had none") == len(tried)


def test_sets_go_first_where_processes_step_together() -> None:
    pytest.importorskip("oxidd")
    found = answered("ring_3.smv", with_trials(find_engine("explicit"), lambda: find_engine("bdd")))
    assert (found.verdict, found.engine, found.statistics.stored) == ("holds", "bdd", 7080)
    assert "bdd was tried first" in found.engine_note


def test_a_glance_at_single_states_comes_before() -> None:
    found = answered("tree_3_faulty.smv", with_trials(find_engine("explicit"), lambda: failing("time limit")))
    assert (found.verdict, found.engine_note) == ("violated", "")


@pytest.mark.parametrize("how", ["time limit", MemoryError(), EngineError("no")])
def test_sets_that_went_first_in_vain_change_nothing(how: Any) -> None:
    found = answered("ring_3.smv", with_trials(find_engine("explicit"), lambda: failing(how)))
    assert (found.verdict, found.statistics.stored) == ("holds", 7080)
    assert found.engine_note.startswith("sets was tried first, and had no answer")


def test_an_interrupt_within_a_trial_is_one_of_the_search() -> None:
    with pytest.raises(KeyboardInterrupt):
        answered("leader.pml", with_trials(slow(), lambda: failing(KeyboardInterrupt())))


def test_what_sets_do_not_take_is_not_tried() -> None:
    refusing = replace(failing("time limit"), accepts=lambda problem: "no")
    assert answered("leader.pml", with_trials(slow(3), lambda: refusing)).engine_note == ""


@pytest.mark.parametrize(
    "changes",
    [
        {"search": "bfs"},
        {"heuristic": "hU"},
        {"reduce": "stubborn"},
        {"limits": Limits(states=5)},
        {"symmetry": "auto"},
    ],
)
def test_what_was_asked_for_is_done(changes: dict[str, Any]) -> None:
    assert wants_trial(DEFAULTS.settings())
    assert not wants_trial(replace(DEFAULTS, **changes).settings())


def test_a_result_names_its_engine() -> None:
    assert check(MODELS / "leader.pml", engine="explicit").engine == "explicit"
    pytest.importorskip("oxidd")
    assert check(MODELS / "leader.pml", engine="bdd").engine == "bdd"
