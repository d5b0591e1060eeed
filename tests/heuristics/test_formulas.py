"""Hf, active, deadlock-prone, hamming and fsm on models where the values can be counted by hand."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from beeline import NetworkBuilder, _native, check
from beeline.compile.program import compile_network
from beeline.engine import Found
from beeline.heuristics import Context, HeuristicError, build
from beeline.model.network import Network
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.properties import find_property
from beeline.records import replace
from beeline.report.objects import result_object
from beeline.trace.trail import TrailError, read_trail

ROOMS = ("a", "b", "danger", "d")


def rooms() -> Network:
    """Two people in a row of rooms, who cannot go back, and a counter of bells in a queue."""
    builder = NetworkBuilder("rooms")
    builder.boolean("lit")
    builder.channel("bells", 4, [(0, 3)])
    for name in ("Ann", "Bob"):
        person = builder.process(name)
        for max_processes in ROOMS:
            person.location(max_processes)
        for here, there in pairwise(ROOMS):
            person.edge(here, there, sync="bells!1" if name == "Ann" else "")
        person.edge("a", "a", effect="lit = 1")
    return builder.build()


def context(network: Network, text: str, target: State | None = None) -> Context:
    asked = find_property(network, text)
    program = compile_network(network, asked.sought)
    native = _native.Program(program.tables)
    return Context(network, program, native, asked, asked.sought, Found.ANYTHING, target)


def values(text: str, made: Context, states: list[State]) -> list[int | None]:
    assert made.program is not None and made.native is not None
    (estimate,) = build(text, made)
    return [estimate.native.estimate(made.native.pack(made.program.layout.encode(state))) for state in states]


def walk(network: Network, *movers: int) -> State:
    """The state after the first forward step of each of these processes in turn."""
    semantics = Semantics(network)
    state = semantics.initial_states()[0]
    for mover in movers:
        targets = [step.target for step in semantics.steps(state) if step.moves[0].pid == mover]
        state = next(
            target
            for target in targets
            if target is not None and target.processes[mover].location != state.processes[mover].location
        )
    return state


@pytest.mark.parametrize(
    ("goal", "start", "after_ann", "after_three_bobs"),
    [
        ("Ann.d", 3, 2, 3),
        ("Ann.d && Bob.danger", 3, 2, None),
        ("Ann.d || Bob.danger", 2, 2, 3),
        ("Ann.a", 0, None, 0),
        ("!Ann.a", 1, 0, 1),
        ("!(Ann.a || Bob.a)", 1, 1, 1),
        ("!(Ann.a && Bob.a)", 1, 0, 0),
        ("full(bells)", 4, 3, 4),
        ("empty(bells)", 0, 1, 0),
        ("nempty(bells)", 1, 0, 1),
        ("len(bells) == 3", 3, 2, 3),
        ("2 <= len(bells)", 2, 1, 2),
        ("len(bells) < 1", 0, 1, 0),
        ("lit", 1, 1, 1),
        ("lit && Ann.danger", 2, 1, 2),
        ("Ann.b imply lit", 0, 1, 0),
        ("Ann.a ? Bob.danger : Ann.d", 2, 2, 3),
        ("forall (i : 0..1) len(bells) > i", 2, 1, 2),
        ("exists (i : 1..3) len(bells) > i", 2, 1, 2),
        ("0", None, None, None),
    ],
)
def test_a_formula_tells_what_it_needs(goal: str, start: int, after_ann: int, after_three_bobs: int) -> None:
    network = rooms()
    states = [walk(network), walk(network, 0), walk(network, 1, 1, 1)]
    assert values("Hf", context(network, f"E<> {goal}"), states) == [start, after_ann, after_three_bobs]


def test_sums_add_what_conjunctions_need() -> None:
    network = rooms()
    made = context(network, "E<> Ann.d && Bob.d && full(bells)")
    states = [walk(network), walk(network, 0, 1)]
    assert values("Hf", made, states) == [4, 3]
    assert values("Hf:1", made, states) == [10, 7]


def test_marked_locations_attract() -> None:
    network = rooms()
    made = context(network, "deadlock")
    states = [walk(network), walk(network, 0), walk(network, 0, 0, 1, 1)]
    assert values("deadlock-prone", made, states) == [4, 3, 0]
    assert values("deadlock-prone:label=d", made, states) == [4, 3, 0]


def test_active_counts_those_who_can_move() -> None:
    network = rooms()
    states = [walk(network), walk(network, 0, 0, 0), walk(network, 0, 0, 0, 1, 1, 1)]
    assert values("active", context(network, "deadlock"), states) == [2, 1, 0]
    with pytest.raises(HeuristicError, match="deadlocks"):
        made = context(network, "E<> Ann.d")
        made.stop = Found.GOAL | Found.ERROR
        build("active", made)


def test_a_given_state_is_approached() -> None:
    network = rooms()
    end = walk(network, 0, 1, 1)  # Ann in b, Bob in danger, one bell
    made = context(network, "E<> Ann.d", end)
    states = [walk(network), walk(network, 0), end, walk(network, 1, 1, 1)]
    # Two locations, one length, one message; Bob in d cannot come back, which costs the number of his rooms.
    assert values("hamming", made, states) == [4, 1, 0, 4]
    assert values("fsm", made, states) == [3, 2, 0, 5]


def test_a_trace_of_ours_names_its_last_state(tmp_path: Path) -> None:
    network = rooms()
    result = check(network, "E<> Ann.danger && Bob.b", search="bfs")
    assert result.trace is not None
    file = tmp_path / "trace.json"
    file.write_text(json.dumps(result_object(result)))
    assert read_trail(file, network).states[-1] == result.trace.states[-1]
    directed = check(network, "E<> Ann.danger && Bob.b", search="greedy", heuristic="sum(hamming, fsm)", target=file)
    assert directed.verdict == "holds"
    file.write_text(json.dumps(result_object(result)["trace"]))
    assert read_trail(file, network).states[-1] == result.trace.states[-1]
    file.write_text("[]")
    assert read_trail(file, network).states[-1] == Semantics(network).initial_states()[0]


def test_files_that_are_no_traces_are_refused(tmp_path: Path) -> None:
    network = rooms()
    file = tmp_path / "trace.json"
    with pytest.raises(TrailError, match="No such file"):
        read_trail(file, network)
    file.write_text("{")
    with pytest.raises(TrailError):
        read_trail(file, network)
    file.write_text('{"trace": null}')
    with pytest.raises(TrailError, match="holds no trace"):
        read_trail(file, network)
    file.write_text('[{"changes": {"Ann": ["a", "d"]}}]')
    with pytest.raises(TrailError, match="step 1 is not a step"):
        read_trail(file, network)


def test_a_process_that_can_be_born_is_one_step_further_away() -> None:
    builder = NetworkBuilder("births")
    parent = builder.process("Parent")
    parent.location("here")
    parent.location("there")
    parent.edge("here", "there", effect="start Child()")
    child = builder.process("Child")
    for name in ("first", "second"):
        child.location(name)
    child.edge("first", "second")
    builder.start("Parent")
    builder.rules = replace(builder.rules, max_processes=3, processes_by_number=True)
    network = builder.build()
    made = context(network, "E<> Child[1].second")
    assert values("Hf", made, [Semantics(network).initial_states()[0]]) == [2]
