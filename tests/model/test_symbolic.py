"""Conditions that are Python functions are the same as their text."""

from __future__ import annotations

from typing import Any

import pytest

from beeline import ModelError, NetworkBuilder, check
from beeline.model.symbolic import written
from beeline.model.syntax import parse_expression


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (lambda s: s.x < 3, "x < 3"),
        (lambda s: (s.x < 3) & (s.y != 2), "x < 3 && y != 2"),
        (lambda s: ~((s.x < 3) | s.ready), "!(x < 3 || ready)"),
        (lambda s: s.a[s.i + 1] == s.b.field, "a[i + 1] == b.field"),
        (lambda s: (s.x + 1) * 2 - (s.y - s.z) >= -s.w % 3, "(x + 1) * 2 - (y - z) >= -w % 3"),
        (lambda s: 3 - s.x // 2 == 1, "3 - x / 2 == 1"),
        (lambda s: s.P[0].at("critical") & s.Q.at("idle"), "P[0]@critical && Q@idle"),
        (lambda s: s.len(s.queue) <= s.max(s.x, 2), "len(queue) <= max(x, 2)"),
        (lambda s: s.x == True, "x == true"),  # noqa: E712
        (lambda s: True, "true"),
    ],
)
def test_a_function_becomes_its_text(condition: Any, text: str) -> None:
    assert written(condition) == text
    parse_expression(text)


def builder(guard: Any) -> NetworkBuilder:
    made = NetworkBuilder("counter")
    made.variable("x", 0, 5)
    made.process("up").location("run", end=True).edge("run", "run", guard=guard, effect="x++")
    return made


def test_functions_stand_beside_text() -> None:
    made = builder(lambda s: s.x < 3)
    made.invariant("low", lambda s: s.x < 4)
    made.invariant("lower", "x < 3")
    made.goal("there", lambda s: s.x == 3)
    assert [check(made, name).verdict for name in ("low", "lower", "there")] == ["holds", "violated", "holds"]
    trace = check(made, "lower").trace
    assert trace is not None and trace[0].action == "[x < 3] x++"


@pytest.mark.parametrize(
    ("guard", "said"),
    [
        (lambda s: s.x < 3 and s.x > 0, "use & for and"),
        (lambda s: 0 < s.x < 3, "use & for and"),
        (lambda s: s.x < 2.5, "2.5 cannot stand in a condition"),
        (lambda s: "x", "the function returns a str"),
        (lambda s: s.y < 2, "no variable, channel or process called 'y'"),
        (lambda s: s.x + [][0], "the condition raised IndexError"),
        (lambda: True, "the condition raised TypeError"),
    ],
)
def test_mistakes_come_with_the_line_and_a_remedy(guard: Any, said: str) -> None:
    with pytest.raises(ModelError) as refused:
        builder(guard).build()
    assert said in str(refused.value)
    assert refused.value.source.file == __file__
