"""A* on a device: its estimates are the engine's, and its traces as short as those of breadth-first search."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.explicit import Explicit, graphs
from tests.gpu.harness import FLAGS

from beeline import check
from beeline.engine import Found, Limits, core
from beeline.engines import EngineError
from beeline.gpu import Device, find_device
from beeline.gpu.control import KERNELS
from beeline.gpu.search import Aim, Setup, search
from beeline.heuristics import Estimator, HeuristicError, build
from beeline.jit.compiler import compile_to, find_compiler
from beeline.model.types import ArrayType
from beeline.records import replace
from beeline.searches.runner import run

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C++ compiler")
PHILOSOPHERS = Path(__file__).parents[2] / "models" / "promela" / "philosophers.pml"
NAMES = ("dL", "dU", "pdb", "hAA:20", "Hf", "blind", "max(dL, pdb)", "sum(dL, Hf)")
SMALL = Setup(memory=2**26, buckets=2**8, margin=2**8)
DEAD_END = 2**31 - 1

ASK = """
extern "C" int32_t ask(const int32_t* rows, const uint32_t* words) {
    State t;
    for (uint32_t i = 0; i < WORDS; ++i) t.w[i] = words[i];
    return estimate(rows, t);
}
"""


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[Device]:
    monkeypatch.setenv("BEELINE_DEVICE", "host")
    monkeypatch.setenv("BEELINE_DEVICE_FLAGS", "-O0")
    device = find_device()
    yield device
    device.close()


def estimated(program: core.Program, lookup: core.Lookup, folder: Path) -> Callable[[tuple[int, ...]], int]:
    """The function that a device asks about a state."""
    numbers, steps = core.HostTwin(program).source(lookup)
    texts = [(KERNELS / f"{name}.h").read_text() for name in ("dialect", "control", "model")]
    arrive = "STEP void arrive(Lane&, int, const State&) {}"
    command = find_compiler()
    assert command is not None
    target = folder / f"{len(list(folder.iterdir()))}.so"
    source = "\n".join([*texts[:2], numbers, texts[2], steps, arrive, ASK])
    assert compile_to(command, source, target, threading.Event(), FLAGS), "the generated code is not C++"
    ask = ctypes.CDLL(str(target)).ask
    table = ctypes.create_string_buffer(lookup.table)
    return lambda state: int(ask(table, (ctypes.c_uint32 * len(state))(*state)))


def total(graph: Explicit) -> str:
    """All variables of a network, some of which may be negative, and an element of each array."""
    variables = graph.network.variables
    return " + ".join(f"{one.name}[0]" if isinstance(one.type, ArrayType) else one.name for one in variables) or "0"


def aims(graph: Explicit, stop: Found) -> Iterator[tuple[Estimator, core.Lookup]]:
    """The heuristics that a device can compute and that have something to say."""
    for name in (*NAMES, f"expr:{total(graph)}", f"expr:12 / ({total(graph)} - 1)"):
        try:
            (estimator,) = build(name, graph.context(stop))
            yield estimator, core.Lookup(estimator.native)
        except (HeuristicError, ValueError):
            continue


def compare_values(graph: Explicit, folder: Path) -> set[str]:
    """Asks both about all states; returns the heuristics that were compared."""
    names = set()
    for estimator, lookup in aims(graph, Found.GOAL):
        ask = estimated(graph.native, lookup, folder)
        for state in graph.successors:
            expected = estimator.native.estimate(state)
            assert ask(state) == (DEAD_END if expected is None else expected), f"{estimator}\n{graph}"
        names.add(str(estimator).partition(":")[0])
    return names


def compare_searches(device: Device, graph: Explicit, stop: Found) -> int:
    """Searches by each heuristic; returns how often something was found."""
    expected = run(core.ProgramSpace(graph.native), "bfs", stop=stop)
    found = 0
    for estimator, lookup in aims(graph, stop):
        aim = Aim(lookup, prunes=estimator.promises.safe and stop in estimator.covers)
        outcome, _ = search(device, graph.native, replace(SMALL, stop=stop, aim=aim))
        assert outcome.status == expected.status, f"{estimator}\n{graph}"
        if expected.found and estimator.promises.admissible and stop in estimator.covers:
            assert len(outcome.path) == len(expected.path), f"{estimator}\n{graph}"
        found += bool(outcome.found)
    return found


def suited(count: int, seed: int) -> Iterator[Explicit]:
    return (graph for graph in graphs(count, seed) if not core.not_for_devices(graph.native))


def test_estimates_on_a_device_are_those_of_the_engine(tmp_path: Path) -> None:
    names = set[str]().union(*(compare_values(graph, tmp_path) for graph in suited(10, 0)))
    assert {"dL", "dU", "pdb", "hAA", "Hf", "max(dL, pdb)", "expr"} <= names


def test_searches_find_what_breadth_first_search_does(device: Device) -> None:
    found = sum(
        compare_searches(device, graph, stop) for graph in suited(8, 100) for stop in (Found.GOAL, Found.ANYTHING)
    )
    assert found > 0


@pytest.mark.slow
def test_hundreds_of_random_networks(device: Device, tmp_path: Path) -> None:
    for graph in suited(int(os.environ.get("BEELINE_BOUNDS", "150")), 1000):
        compare_values(graph, tmp_path)
        for stop in (Found.GOAL, Found.ANYTHING):
            compare_searches(device, graph, stop)


def looked_up(monkeypatch: pytest.MonkeyPatch, question: str, **options: Any) -> Any:
    """A check whose search is the device's alone."""
    from tests.gpu.test_engine import slow_processor

    slow_processor.__wrapped__(monkeypatch)  # type: ignore[attr-defined]
    return check(PHILOSOPHERS, question, engine="gpu", **{"search": "astar", **options})


@pytest.mark.parametrize("heuristic", ["dL", "pdb", None])
def test_a_goal_is_reached_by_a_shortest_way(
    device: Device, monkeypatch: pytest.MonkeyPatch, heuristic: str | None
) -> None:
    question = "goal: taken[0] && taken[2]"
    result = looked_up(monkeypatch, question, heuristic=heuristic)
    expected = check(PHILOSOPHERS, question, search="bfs")
    assert (result.verdict, result.shortest, result.tier) == ("holds", True, "host")
    assert result.trace is not None and expected.trace is not None
    assert len(result.trace) == len(expected.trace)


def test_fewer_states_are_stored(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    question = "goal: taken[0] && taken[2]"
    whole, near = (looked_up(monkeypatch, question, search=search) for search in ("bfs", "astar"))
    assert near.statistics.stored < whole.statistics.stored


def test_nothing_is_there_to_be_found(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    result = looked_up(monkeypatch, "goal: taken[0] && !taken[0]", heuristic="dL")
    assert (result.verdict, result.reason) == ("violated", "no such state is reachable")


def test_a_bound_of_the_depth_leaves_it_open(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    question = "goal: taken[0] && taken[2]"
    shallow = looked_up(monkeypatch, question, heuristic="pdb", limits=Limits(depth=3))
    assert (shallow.verdict, shallow.reason) == ("unknown", "depth limit")
    deep = looked_up(monkeypatch, question, heuristic="pdb", limits=Limits(depth=4))
    assert deep.verdict == "holds"


def test_an_expression_is_computed_there(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    question, heuristic = "goal: taken[0] && taken[2]", "expr:2 - taken[0] - taken[2]"
    result = looked_up(monkeypatch, question, heuristic=heuristic)
    whole = looked_up(monkeypatch, question, search="bfs")
    assert (result.verdict, result.tier) == ("holds", "host")
    assert result.statistics.stored < whole.statistics.stored


def test_a_heuristic_without_code_is_refused(device: Device) -> None:
    with pytest.raises(EngineError, match="cannot compute hU here: try one of pdb"):
        check(PHILOSOPHERS, "goal: taken[1] && taken[3]", engine="gpu", search="astar", heuristic="hU")
