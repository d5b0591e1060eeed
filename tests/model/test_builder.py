"""Networks built in Python, and mistakes shown at their place in the user's own file."""

import re
from pathlib import Path
from typing import Any

import pytest

from beeline import ModelError, Network, NetworkBuilder
from beeline.languages import load


def test_a_network_in_a_few_lines() -> None:
    builder = NetworkBuilder("mutex")
    builder.variable("turn", 0, 1)
    process = builder.process("P", parameters={"me": (0, 1)})
    process.location("idle").location("critical")
    process.edge("idle", "critical", guard="turn == me").edge("critical", "idle", effect="turn = 1 - me")
    builder.start("P", me=0)
    builder.start("P", me=1)
    builder.invariant("exclusion", "!(P[0]@critical && P[1]@critical)")
    network = builder.build()
    assert [start.name for start in network.initial] == ["P[0]", "P[1]"]
    assert [asked.name for asked in network.properties] == ["exclusion"]
    assert network.process("P").edges[0].text == "[turn == me]"
    assert network.process("P").edges[0].source.file == __file__


def test_without_a_start_every_process_lives_once() -> None:
    builder = NetworkBuilder("all")
    builder.process("A").location("s")
    builder.process("B").location("s")
    assert [start.name for start in builder.build().initial] == ["A", "B"]


def test_an_instance_can_have_a_name_of_its_own() -> None:
    builder = NetworkBuilder("named")
    builder.process("A").location("s")
    builder.start("A", name="left")
    builder.start("A", name="right")
    assert list(builder.build().instance_numbers) == ["left", "right"]


def test_the_first_location_is_initial_unless_another_says_so() -> None:
    builder = NetworkBuilder("initial")
    builder.process("A").location("s").location("t")
    builder.process("B").location("s").location("t", initial=True)
    assert [process.initial for process in builder.build().processes] == [0, 1]


def test_a_network_can_be_printed() -> None:
    builder = NetworkBuilder("shown")
    builder.constant("N", 3)
    builder.variable("x", 0, 3, initial=1)
    builder.channel("c", 2, fields=[(0, 1)], size=2)
    builder.channel("all", broadcast=True)
    process = builder.process("P", parameters={"me": (0, 1)}).variable("y")
    process.location("s", committed=True).location("t", end=True)
    process.edge("s", "t", guard="x < N", sync="c[0]!x", effect="x = x + 1").edge("s", "t", guard="else")
    process.edge("t", "s", label="back")
    builder.start("P", me=1)
    builder.goal("full", "x == 3")
    assert str(builder.build()).splitlines() == [
        "network shown",
        "  const N = 3",
        "  int[0,3] x = 1",
        "  chan c[2] = [2] of {int[0,1]}",
        "  chan all = broadcast of {}",
        "  process P(int[0,1] me)",
        "    int[0,1] y",
        "    location s initial committed",
        "      -> t [x < N] c[0]!x x = x + 1",
        "      -> t rank 1000",
        "    location t end",
        "      -> s <back>",
        "  start P = P(1)",
        "  goal full: x == 3",
    ]


# Mistakes: every one is a line of this table, put into the place of HERE in a file.

TEMPLATE = """from beeline import NetworkBuilder

builder = NetworkBuilder("faulty")
builder.variable("x", 0, 3)
builder.channel("c", fields=[(0, 3)])
process = builder.process("P", parameters={"me": (0, 1)})
process.location("s").location("t")
builder.start("P", me=1)
HERE
network = builder.build()
"""


def refused(tmp_path: Path, line: str) -> ModelError:
    file = tmp_path / "faulty.py"
    file.write_text(TEMPLATE.replace("HERE", line))
    with pytest.raises(ModelError) as caught:
        load(file)
    assert caught.value.source.file == str(file)
    return caught.value


@pytest.mark.parametrize(
    ("line", "at", "message", "remedy"),
    [
        ('process.edge("s", "u")', "u", "no location called 'u'", "known: s, t"),
        ('process.edge("s", "t", guard="x <")', '")', "expected a name, found the end", "as in C"),
        ('process.edge("s", "t", guard="x = 1")', "= 1", "expected the end or an operator", "'==' compares"),
        ('process.edge("s", "t", guard="y < 1")', "y", "no variable, channel or process called 'y'", "known:"),
        ('process.edge("s", "t", effect="x + 1")', "+", "expected an assignment", "as in C"),
        ('process.edge("s", "t", effect="x = mee")', "mee", "called 'mee'", "did you mean 'me'?"),
        ('process.edge("s", "t", sync="c")', '")', "expected '?'", "channel!values"),
        ('process.edge("s", "t", sync="d!1")', "d!", "called 'd'", "known:"),
        ('builder.invariant("i", "x < 4 &&")', '")', "expected a name, found the end", "as in C"),
        ('builder.goal("g", "P@u")', "u", "no location or label called 'u'", "known: s, t"),
        ('builder.start("Q")', "Q", "no process called 'Q'", "known: P"),
        ('builder.start("P", you=1)', "you", "no parameter of process 'P' called 'you'", "known: me"),
        ('builder.enumeration("e", ["a", "b"], initial="z")', "z", "no value of 'e' called 'z'", "known: a, b"),
    ],
)
def test_a_mistake_is_shown_at_its_line_and_column(
    tmp_path: Path, line: str, at: str, message: str, remedy: str
) -> None:
    error = refused(tmp_path, line)
    assert message in error.message
    assert remedy in error.remedy
    assert (error.source.line, error.source.column) == (9, line.rindex(at) + 1)
    shown = str(error).splitlines()
    assert re.match(rf".*faulty\.py:9:{error.source.column}: ", shown[0])
    assert shown[1] == f"    {line}"
    assert shown[2].index("^") == 3 + error.source.column


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('process.location("s")', "process 'P' has two locations called 's'"),
        ('builder.process("Q")', "process 'Q' has no location"),
        ('builder.start("P")', "process 'P' is started without its parameter 'me'"),
        ('builder.variable("len")', "'len' means something else in expressions"),
        ('builder.variable("two words")', "'two words' cannot be the name of a variable"),
        ('builder.variable("y", 3, 1)', "variable 'y' has no valid range 3..1"),
        ('builder.variable("y", 0, 2, wrap=True)', "'y' cannot wrap: 0..2 is not a power of two wide"),
        ('builder.variable("y", 0, 2, initial=3)', "initial value 3 of 'y' is outside 0..2"),
        ('builder.variable("y", 0, 2, initial=[1, 2], size=3)', "'y' needs 3 initial values, not 2"),
        ('builder.channel("d", 300)', "channel 'd' has capacity 300, not 0..255"),
        ('builder.channel("d", 1, broadcast=True)', "broadcast channel 'd' cannot have a capacity"),
        ('process.edge("s", "t", sync="c!1", label="go")', "an edge has a sync or a label, not both"),
        ('process.edge("s", "t", sync="c!1, 2")', "'c' carries 1 fields, not 2"),
        ('process.edge("s", "t", sync="c?x, x")', "'c' carries 1 fields, not 2"),
    ],
)
def test_a_mistake_without_a_column_is_shown_at_its_line(tmp_path: Path, line: str, message: str) -> None:
    error = refused(tmp_path, line)
    assert error.message == message
    assert error.source.line == 9


def test_a_mistake_in_a_call_over_many_lines_is_found(tmp_path: Path) -> None:
    error = refused(tmp_path, 'process.edge(\n    "s",\n    "t",\n    guard="x < )",\n)')
    assert (error.source.line, error.source.column) == (12, 16)
    assert error.excerpt == '    guard="x < )",'


def test_a_text_that_is_put_together_is_shown_as_it_is(tmp_path: Path) -> None:
    error = refused(tmp_path, 'process.edge("s", "t", guard=" < ".join(["x", ")"]))')
    assert error.source.line == 9
    assert error.excerpt == "x < )"
    assert error.source.column == 5


def test_what_is_built_is_not_changed_by_further_building() -> None:
    builder = NetworkBuilder("frozen")
    builder.process("A").location("s")
    network = builder.build()
    builder.variable("x")
    assert network.variables == ()
    unchangeable: Any = network
    with pytest.raises(AttributeError):
        unchangeable.name = "other"
    assert isinstance(network, Network)
