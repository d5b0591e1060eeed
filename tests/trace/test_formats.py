"""Traces as text, JSON and Graphviz."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from beeline import NetworkBuilder, check
from beeline.model.expressions import Ref
from beeline.model.source import Source
from beeline.model.statements import Print
from beeline.records import replace
from beeline.trace import Trace, TraceStep, to_graphviz, to_json, to_text
from beeline.trace.formats import show_changes


def handed_over() -> Trace:
    """A message from S to R, who then prints and fails."""
    builder = NetworkBuilder("handed")
    builder.channel("c", fields=[(0, 9)])
    builder.variable("x", 0, 3)
    builder.process("S").location("s").location("t").edge("s", "t", sync="c!7")
    receiver = builder.process("R").variable("got", 0, 9).location("s").location("t").location("u")
    receiver.edge("s", "t", sync="c?got").edge("t", "u").edge("u", "u", effect="x = got / (got - 7)")
    network = builder.build()
    process = network.processes[1]
    printing = replace(process.edges[1], effect=(Print("got %d\n", (Ref("got"),)),))
    process = replace(process, edges=(process.edges[0], printing, process.edges[2]))
    result = check(replace(network, processes=(network.processes[0], process)))
    assert result.trace is not None
    return result.trace


def test_the_table_has_a_row_for_each_partner_and_each_line_printed() -> None:
    table = re.sub(r"\b\d+: ", "", to_text(handed_over()))
    assert [re.sub(" +", " ", line).strip() for line in table.splitlines()] == [
        "step process action changes",
        "1 S c!7 S: s -> t, R: s -> t, R.got: 0 -> 7",
        "R c?got",
        "2 R print 'got %d\\n' R: t -> u",
        "prints: got 7",
        "3 R x = got / (got - 7) ! division by zero",
    ]


def test_the_columns_of_the_table_begin_below_each_other() -> None:
    steps = (TraceStep(1, "P", "short", {"x": ("0", "1")}), TraceStep(2, "process", "longer", {"y": ("0", "1")}))
    assert to_text(Trace({}, steps)).splitlines() == [
        "step  process  action  changes",
        "1     P        short   x: 0 -> 1",
        "2     process  longer  y: 0 -> 1",
    ]


def test_moves_between_places_without_a_name_are_told_by_the_lines_of_the_actions() -> None:
    changes = {"P": ("3#1", "4#2"), "Q": ("3#1", "end"), "P.x": ("0", "1"), "R(2)": (None, "7#1")}
    step = TraceStep(1, "P", "x++", changes)
    assert show_changes(step.shown_changes) == "Q: line 3 -> end, P.x: 0 -> 1, +R(2) = line 7"
    assert to_json(Trace({}, (step,)))[0]["changes"]["P"] == ["3#1", "4#2"], "programs get everything"


def test_clocks_that_only_time_changed_are_not_shown() -> None:
    step = TraceStep(1, "P", "go", {"x": ("0", "2"), "y": ("2", "0")}, elapsed=("x",))
    assert show_changes(step.shown_changes) == "y: 2 -> 0"


def test_json_has_an_object_for_each_step() -> None:
    steps = json.loads(json.dumps(to_json(handed_over())))
    assert [step["step"] for step in steps] == [1, 2, 3]
    assert steps[0]["partners"] == [{"process": "R", "action": "c?got"}]
    assert steps[0]["changes"]["R.got"] == ["0", "7"]
    assert steps[0]["source"] == {"file": __file__, "line": steps[0]["source"]["line"], "column": None}
    assert steps[1]["output"] == ["got 7\n"]
    assert [step["error"] for step in steps] == [None, None, "division by zero"]


def test_what_has_no_place_has_no_source() -> None:
    assert to_json(Trace({}, (TraceStep(1, "P", "a", {}),)))[0]["source"] is None
    placed = TraceStep(1, "P", "a", {}, Source("m.pml", 3, 7))
    assert to_json(Trace({}, (placed,)))[0]["source"] == {"file": "m.pml", "line": 3, "column": 7}


def test_a_drawing_has_a_node_for_each_state_and_an_arrow_for_each_step() -> None:
    drawing = to_graphviz(handed_over())
    assert len(re.findall(r"^  s\d+ \[", drawing, re.MULTILINE)) == 4
    assert len(re.findall(r"^  s\d+ -> s\d+ \[", drawing, re.MULTILINE)) == 3
    assert "color=red" in drawing.splitlines()[-3]


def test_quotes_and_backslashes_do_not_spoil_a_drawing() -> None:
    drawing = to_graphviz(Trace({}, (TraceStep(1, "P", 'print "a\\b"', {}),)))
    assert '[label="P: print \\"a\\\\b\\""]' in drawing


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_the_drawing() -> None:
    subprocess.run(["dot", "-Tsvg"], input=to_graphviz(handed_over()), text=True, check=True, capture_output=True)


def test_changes_show_what_came_what_went_and_what_is_different() -> None:
    changes = {"x": ("0", "1"), "child(1)": (None, "c"), "child(2)": ("d", None)}
    assert show_changes(changes) == "x: 0 -> 1, +child(1) = c, -child(2)"


def test_the_last_state_is_the_first_with_all_changes() -> None:
    steps = (
        TraceStep(1, "P", "a", {"x": ("0", "1"), "new": (None, "5")}),
        TraceStep(2, "P", "b", {"x": ("1", "2"), "old": ("3", None)}),
    )
    assert Trace({"x": "0", "old": "3"}, steps).final() == {"x": "2", "new": "5"}


def test_members_of_mtype_are_called_by_their_names(tmp_path: Path) -> None:
    model = tmp_path / "fruit.pml"
    model.write_text(
        """mtype = { apple, pear };
        mtype liked; byte number = 2; chan basket = [1] of { mtype, byte };
        active proctype P() { mtype mine = pear; liked = apple; basket!mine,2; assert(false) }"""
    )
    trace = check(model).trace
    assert trace is not None
    end = trace.final()
    assert (end["liked"], end["P.mine"], end["basket"], end["number"]) == ("apple", "pear", "[(pear, 2)]", "2")


def test_members_of_a_named_mtype_are_called_by_their_names_and_handshakes_leave_nothing(tmp_path: Path) -> None:
    model = tmp_path / "sets.pml"
    model.write_text(
        """mtype:fruit = { apple, pear };
        mtype:sound = { moo, bah };
        mtype:fruit liked = pear; mtype:sound heard; chan ear = [0] of { mtype:sound };
        active proctype P() { ear!bah; assert(liked == apple) }
        active proctype Q() { ear?heard }"""
    )
    trace = check(model).trace
    assert trace is not None
    end = trace.final()
    assert (end["liked"], end["heard"]) == ("pear", "bah")
    assert "ear" not in end


def test_a_lasso_goes_back_to_the_beginning_of_its_cycle() -> None:
    lasso = Trace({}, (TraceStep(1, "P", "a", {}), TraceStep(2, "P", "b", {})), cycle=1)
    assert [line.split()[:3] for line in to_text(lasso).splitlines()[1:]] == [
        ["1", "P", "a"],
        ["~~~", "the", "cycle"],
        ["2", "P", "b"],
        ["~~~", "and", "so"],
    ]
    assert 's2 -> s1 [style=dashed, label="the same state"];' in to_graphviz(lasso)
