"""The project's own SMV models, and circuits that are generated: one answer, whatever the engine."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from beeline import check, explore
from beeline.languages.smv import load_smv, read_smv

FOLDER = Path(__file__).resolve().parents[3] / "models" / "smv"
VERDICTS = {
    "semaphore.smv": {"ctl_1": "holds", "ctl_2": "violated", "ltl_1": "holds", "ltl_2": "violated"},
    "ring_3.smv": {"invariant_1": "holds"},
    "tree_3_faulty.smv": {"invariant_1": "violated"},
}


def circuits() -> Any:
    spec = importlib.util.spec_from_file_location("circuits", FOLDER / "circuits.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_model_has_an_answer() -> None:
    assert {path.name for path in FOLDER.glob("*.smv")} == VERDICTS.keys()


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("engine", ["explicit", "bdd"])
def test_verdicts_are_known(name: str, engine: str) -> None:
    pytest.importorskip("oxidd")
    network = load_smv(FOLDER / name)
    for asked, verdict in VERDICTS[name].items():
        if engine == "explicit" or not asked.startswith("ltl"):
            assert check(network, asked, engine=engine).verdict == verdict


def test_files_are_what_the_generator_writes() -> None:
    made = circuits()
    assert (FOLDER / "ring_3.smv").read_text() == made.ring(3)
    assert (FOLDER / "tree_3_faulty.smv").read_text() == made.tree_arbiter(3)


@pytest.mark.parametrize("steps", ["interleaving", "any", "synchronous"])
def test_circuits_have_the_same_states_in_both_engines(steps: str) -> None:
    pytest.importorskip("oxidd")
    made = circuits()
    for text in (made.ring(3, steps), made.tree_arbiter(2, steps, faulty=False), made.tree_arbiter(2, steps)):
        network = read_smv(text)
        assert explore(network, engine="bdd").statistics.stored == explore(network).statistics.stored


@pytest.mark.parametrize("steps", ["interleaving", "any"])
@pytest.mark.parametrize("search", ["bfs", "backward", "bidirectional", "astar", "setastar", "bdda"])
def test_every_search_with_sets_finds_a_shortest_trace(search: str, steps: str) -> None:
    pytest.importorskip("oxidd")
    network = read_smv(circuits().tree_arbiter(2, steps))
    shortest = check(network, "invariant_1", search="bfs").trace
    found = check(network, "invariant_1", engine="bdd", search=search).trace
    assert shortest is not None and found is not None
    assert len(found) == len(shortest)


def test_a_trace_names_who_runs_and_what_changes() -> None:
    trace = check(load_smv(FOLDER / "semaphore.smv"), "ltl_2").trace
    assert trace is not None
    assert {step.action for step in trace.steps} >= {"first runs", "second runs"}
    assert trace.steps[0].changes["first.state"] == ("idle", "entering")
