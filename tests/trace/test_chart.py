"""Traces as charts of letters, and the messages that go through channels."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from beeline import check
from beeline.columns import Look
from beeline.records import replace
from beeline.trace import Trace, TraceStep
from beeline.trace.chart import to_chart
from beeline.trace.messages import Message, contents, messages

MODELS = Path(__file__).parents[2] / "models"


def channel(*texts: str) -> list[TraceStep]:
    """Steps that change a channel in turn."""
    pairs = pairwise(texts)
    return [TraceStep(i, f"P{i}", "act", {"q": pair}) for i, pair in enumerate(pairs, start=1)]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["[]", "[1]", "[]"], [("1", 0, 1)]),
        (["[]", "[1]", "[1, 2]", "[2]", "[]"], [("1", 0, 2), ("2", 1, 3)]),
        (["[]", "[5]", "[5, 5]", "[5]", "[]"], [("5", 0, 2), ("5", 1, 3)]),
        (["[7]", "[]"], []),  # sent before the trace begins
        (["[]", "[(1, 2)]", "[(0, 1), (1, 2)]", "[(1, 2)]"], [("(0, 1)", 1, 2)]),  # sorted in front
        (["[]", "[1]", "[8, 9, 10]", "[9, 10]"], []),  # changed as a whole
        (["()", "('a, b',)", "()"], [("'a, b'", 0, 1)]),
    ],
)
def test_messages_have_senders_and_receivers(texts: list[str], expected: list[tuple[str, int, int]]) -> None:
    found = messages(channel(*texts))
    assert found == [Message("q", text, sent, received) for text, sent, received in expected]


def test_contents_come_apart_at_their_own_commas() -> None:
    assert contents("[(1, 2), [3, 4], 'x, y', {'a': (1, 2)}]") == ["(1, 2)", "[3, 4]", "'x, y'", "{'a': (1, 2)}"]
    assert contents("[]") == [] and contents("x") is None and contents(None) is None


def test_a_chart_has_a_column_for_each_process() -> None:
    trace = check(MODELS / "promela" / "needham_schroeder.pml").trace
    assert trace is not None
    lines = to_chart(trace).splitlines()
    assert lines[0].split() == ["Initiator", "Spy", "Responder"]
    assert lines[6].startswith("   5  net!1,send ──") and "▶ net?kind,heard" in lines[6]
    assert "◀───" in lines[18] and lines[18].index("net?2,got") < lines[18].index("net!2,send")
    starts = {lines[0].index(name) for name in ("Initiator", "Spy", "Responder")}
    assert all(line[place] != " " for line in lines[2:5] for place in starts)


def test_a_receive_names_the_step_that_sent() -> None:
    steps = (TraceStep(1, "S", "c!7", {"c": ("[]", "[7]")}), TraceStep(2, "R", "c?x", {"c": ("[7]", "[]")}))
    assert "c?x (1)" in to_chart(Trace({}, steps))


def test_a_chart_keeps_to_the_terminal() -> None:
    steps = tuple(TraceStep(i, f"process {i % 4}", "x = x + 1 " * 9, {}) for i in range(1, 9))
    assert max(map(len, to_chart(Trace({}, steps), Look(80)).splitlines())) <= 80


def test_a_chart_of_a_lasso_says_so() -> None:
    lasso = replace(Trace({}, tuple(channel("[]", "[1]", "[]"))), cycle=1)
    text = to_chart(lasso)
    assert "the cycle begins" in text and text.endswith("and so on for ever: as after step 1")
