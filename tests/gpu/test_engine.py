"""`--engine gpu`: what it takes, what it refuses, and how it says so."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from beeline import check, explore
from beeline.engine import Limits, Status
from beeline.engines import EngineError
from beeline.gpu import DeviceError, find_device
from beeline.jit.compiler import find_compiler
from beeline.model.expressions import TRUE, Literal
from beeline.model.property import Range

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C++ compiler")
MODELS = Path(__file__).parents[2] / "models"
PHILOSOPHERS = MODELS / "promela" / "philosophers.pml"


@pytest.fixture(autouse=True)
def on_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEELINE_DEVICE", "host")
    monkeypatch.setenv("BEELINE_DEVICE_FLAGS", "-O0")


@pytest.fixture
def slow_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search of the processor finds nothing before the device is ready."""

    def wait(*_: Any, cancellation: Any, **__: Any) -> Any:
        while not cancellation.requested:
            pass
        return SimpleNamespace(status=Status.INTERRUPTED)

    monkeypatch.setattr("beeline.engines.gpu.run", wait)


def test_a_violation_is_found_replayed_and_the_shortest(slow_processor: None) -> None:
    result = check(PHILOSOPHERS, engine="gpu")
    expected = check(PHILOSOPHERS, search="bfs")
    assert (result.verdict, result.shortest, result.tier) == ("violated", True, "host")
    assert result.trace is not None and expected.trace is not None
    assert [str(step) for step in result.trace.steps] == [str(step) for step in expected.trace.steps]


def test_several_devices_find_a_shortest_violation(slow_processor: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEELINE_DEVICE", "host:0,1")
    result, expected = check(PHILOSOPHERS, engine="gpu"), check(PHILOSOPHERS, search="bfs")
    assert (result.verdict, result.shortest, result.tier) == ("violated", True, "host")
    assert result.trace is not None and expected.trace is not None
    assert len(result.trace.steps) == len(expected.trace.steps)


def test_a_property_holds_when_all_states_were_seen(slow_processor: None) -> None:
    result = check(PHILOSOPHERS, "taken[0] <= 1", engine="gpu")
    assert (result.verdict, result.reason) == ("holds", "exhausted")


def test_a_goal_is_reached(slow_processor: None) -> None:
    result = check(PHILOSOPHERS, "goal: taken[1] && taken[3]", engine="gpu")
    expected = check(PHILOSOPHERS, "goal: taken[1] && taken[3]", search="bfs")
    assert (result.verdict, result.tier) == ("holds", "host")
    assert result.trace is not None and expected.trace is not None
    assert [str(step) for step in result.trace.steps] == [str(step) for step in expected.trace.steps]


def test_states_are_counted(slow_processor: None) -> None:
    ferry = MODELS / "dve" / "ferry.dve"
    counted, expected = explore(ferry, engine="gpu"), explore(ferry)
    assert (counted.tier, counted.complete) == ("host", True)
    for name in ("stored", "generated", "depth", "deadlocks", "errors"):
        assert getattr(counted.statistics, name) == getattr(expected.statistics, name)


def test_states_inside_uninterrupted_runs_are_told_apart(slow_processor: None) -> None:
    counted, expected = explore(PHILOSOPHERS, engine="gpu"), explore(PHILOSOPHERS)
    assert counted.statistics.transient > 0
    assert counted.statistics.stored - counted.statistics.transient == expected.statistics.stored


@pytest.mark.parametrize("store", ["hash-compact", "bitstate", "bitstate:bits=24"])
def test_stores_that_miss_states_prove_nothing_but_find_violations(slow_processor: None, store: str) -> None:
    safe = check(PHILOSOPHERS, "taken[0] <= 1", engine="gpu", search="bfs", store=store)
    assert safe.verdict == "unknown" and "a state was missed" in safe.reason
    found = check(PHILOSOPHERS, engine="gpu", search="bfs", store=store)
    assert (found.verdict, found.shortest) == ("violated", False)


def test_random_walks_find_a_deadlock() -> None:
    result = check(PHILOSOPHERS, engine="gpu", search="walk")
    assert (result.verdict, result.tier) == ("violated", "host")
    assert result.trace is not None and len(result.trace) >= 8


def test_random_walks_give_up_in_the_end() -> None:
    result = check(PHILOSOPHERS, "taken[0] <= 1", engine="gpu", search="walk:restarts=1,length=2")
    assert (result.verdict, result.reason) == ("unknown", "incomplete search")


def test_the_end_of_time_is_told_with_what_was_done() -> None:
    peterson = MODELS / "promela" / "peterson.pml"
    result = check(peterson, engine="gpu", search="walk:restarts=1000000", limits=Limits(time=4.0))
    assert (result.verdict, result.reason) == ("unknown", "time limit")
    assert result.statistics.expanded > 0


def test_the_same_seed_gives_the_same_walk() -> None:
    first, second, other = (check(PHILOSOPHERS, engine="gpu", search="walk", seed=seed) for seed in (1, 1, 2))
    assert first.trace is not None and second.trace is not None and other.trace is not None
    assert [str(step) for step in first.trace.steps] == [str(step) for step in second.trace.steps]


def test_a_small_space_is_the_processors() -> None:
    assert check(MODELS / "dve" / "ferry.dve", engine="gpu").tier in ("bytecode", "host")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"search": "greedy"}, "--search bfs"),
        ({"search": "auto", "heuristic": "hU"}, "only --search astar goes by a heuristic"),
        ({"reduce": "stubborn"}, "--reduce none"),
        ({"store": "tree"}, "--store plain, hash-compact, bitstate"),
    ],
)
def test_what_it_cannot_do_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(EngineError, match=words):
        check(PHILOSOPHERS, engine="gpu", **{"search": "bfs", **changes})


def test_models_with_priorities_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.pml"
    path.write_text("byte x; active proctype P() priority 2 { x = 1 } active proctype Q() priority 3 { x = 2 }")
    with pytest.raises(EngineError, match="priorities"):
        check(path, engine="gpu")


def test_what_is_no_question_about_states_or_cycles_is_refused() -> None:
    values = Range("largest", which="sup", condition=TRUE, values=(Literal(1),), names=("1",))
    for question in ("ctl: AG EF taken[0]", values):
        with pytest.raises(EngineError, match="only states and cycles are looked for"):
            check(PHILOSOPHERS, question, engine="gpu")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beeline.engines.relay.PATIENCE", 0.0)


def test_auto_hands_on_what_takes_long(impatient: None, slow_processor: None) -> None:
    result, expected = check(PHILOSOPHERS), check(PHILOSOPHERS, engine="explicit", search="bfs")
    assert (result.verdict, result.tier, expected.tier) == ("violated", "host", "bytecode")
    assert result.trace is not None and expected.trace is not None and len(result.trace) == len(expected.trace)
    assert check(PHILOSOPHERS, "taken[0] <= 1", limits=Limits(time=600)).tier == "host"


def test_auto_goes_on_itself_where_the_device_has_no_room(impatient: None, slow_processor: None) -> None:
    result = check(MODELS / "promela" / "peterson.pml", limits=Limits(memory=2**20))
    assert (result.verdict, result.tier) == ("unknown", "bytecode")


@pytest.mark.parametrize("changes", [{"search": "dfs"}, {"heuristic": "active"}, {"reduce": "stubborn"}])
def test_auto_keeps_what_the_device_cannot_do(changes: dict[str, Any], impatient: None) -> None:
    assert check(PHILOSOPHERS, limits=Limits(time=60), **changes).tier == "bytecode"


def test_auto_keeps_models_that_the_device_does_not_take(impatient: None, tmp_path: Path) -> None:
    path = tmp_path / "model.pml"
    path.write_text("byte x; active proctype P() priority 2 { x = 1 } active proctype Q() priority 3 { x = 2 }")
    result = check(path)
    assert (result.verdict, result.tier) == ("holds", "bytecode")


def test_auto_looks_for_no_device_where_there_is_none(impatient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BEELINE_DEVICE")
    monkeypatch.setattr("beeline.engines.relay.DRIVER", Path("/nowhere"))
    assert check(PHILOSOPHERS).tier == "bytecode"


def test_an_unknown_device_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEELINE_DEVICE", "toaster")
    with pytest.raises(DeviceError, match="BEELINE_DEVICE is cuda"):
        find_device()
