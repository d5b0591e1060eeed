"""What the trace explorer draws besides the trace: automata, and the graph of a small space with the trace in it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from beeline import NetworkBuilder, check, explore
from beeline.languages import LoadOptions, load
from beeline.report.automata import MOST_EDGES, automata
from beeline.report.state_graph import state_graph

MODELS = Path(__file__).parents[2] / "models"
FAULTY = LoadOptions({"FAULTY": "1"})


@pytest.mark.parametrize(
    "name",
    ["promela/alternating_bit.pml", "python/peterson.py", "python/jugs.py", "uppaal/fischer_b_3_faulty.xta",
     "dve/opposite_locks.dve", "promela/philosophers.pml"],
)  # fmt: skip
def test_the_trace_is_a_path_of_the_graph(name: str) -> None:
    model = load(MODELS / name, None, FAULTY)
    result = check(model)
    graph = state_graph(model, result)
    assert result.trace is not None and graph is not None
    assert len(graph.path) == len(result.trace.states)
    assert graph.depths[graph.path[0]] == 0
    assert set(pairwise(graph.path)) <= set(graph.arcs)
    assert graph.path[-1] in graph.bad
    assert [graph.depths[node] for node in graph.path] == list(range(len(graph.path))), "the trace is a shortest one"


def test_the_graph_has_all_states() -> None:
    model = load(MODELS / "python/philosophers.py")
    graph = state_graph(model, check(model, "true"))
    assert graph is not None
    assert len(graph.depths) == explore(model).statistics.stored
    assert graph.path == ()
    assert state_graph(model, check(model, "true"), most=len(graph.depths) - 1) is None


def test_automata_name_what_a_trace_names() -> None:
    network = load(MODELS / "promela/alternating_bit.pml", None, FAULTY)
    found: Any = automata(network)
    trace = check(network).trace
    assert trace is not None
    for name, number in found["instances"].items():
        places = [place["name"] for place in found["kinds"][number]["locations"]]
        assert trace.initial[name] == places[found["kinds"][number]["initial"]]
        assert len(set(places)) == len(places)
    assert {step.process for step in trace} <= set(found["instances"])


def test_what_nobody_could_read_is_not_drawn() -> None:
    builder = NetworkBuilder("tangle")
    process = builder.process("P").location("a")
    for _ in range(MOST_EDGES + 1):
        process.edge("a", "a")
    assert automata(builder.build()) is None
