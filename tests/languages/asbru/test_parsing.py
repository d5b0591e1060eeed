"""Mistakes in Asbru texts are told with place and remedy; what is written means what it says."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from beeline.languages import load
from beeline.languages.asbru import read_guideline
from beeline.languages.asbru.errors import AsbruError
from beeline.languages.asbru.monitors import monitor
from beeline.languages.asbru.syntax import Window

MISTAKES = {
    "plan": "the text ends too early",
    "": "there is no plan",
    "plan a plan-body b": "no plan called `b`",
    "plan a plan b": "is part of no other plan",
    "plan a plan-body b plan b plan-body a": "no plan is first",
    "plan a plan-body type=sequential b b plan b": "is part of `a` already",
    "plan a conditions setup-condition: (x)": "no parameter or definition called `x`",
    "plan a conditions setup-condition: (and": "the text ends too early",
    "plan a conditions wrong-condition: true": "no condition called `wrong-condition`",
    "parameter p: {x, y} plan a conditions abort-condition: p=z": "no value of p called `z`",
    "parameter p: {x, y} plan a conditions abort-condition: p<y": "have no order",
    "parameter p: {x, y} plan a conditions abort-condition: p": "neither true nor false",
    "parameter p: boolean plan a conditions abort-condition: (p in [[3h,1h],[-,-],[-,-]] SELF)": "range of times",
    "parameter p: boolean plan a conditions abort-condition: (p in [[30min,-],[-,-],[-,-]] SELF)": "no multiple",
    "parameter p: boolean plan a conditions abort-condition: (p in [[3h,-],[-,-],[-,-]] NOW)": "after NOW",
    "parameter p: boolean plan a conditions abort-condition: (p in [[-3h,-],[-,-],[-,-]] SELF)": "before the reference",
    "parameter p: boolean plan a conditions abort-condition: (p in [[3h,-],[-,-],[-,-]] b)": "no reference point",
    "parameter p: boolean plan p": "cannot be named so",
    "plan tick": "cannot be named so",
    "plan a conditions x: y y: x abort-condition: x": "defined by itself",
    "plan a intentions achieve-overall-dream: true": "unexpected `achieve-overall-dream`",
    "plan a plan-body b c plan b plan c": "in which order",
    "plan a plan-body type=cyclical b plan b": "a cyclical body repeats",
    "plan a plan-body type=sequential, wait-for c b plan b": "no subplan of this plan called `c`",
    "parameter p: boolean plan a plan-body ask p": "changes by itself",
    "plan a /* never ends": "this comment is never closed",
    "time-unit 0h plan a": "no time passes",
    "plan a ?": "unexpected character",
}


@pytest.mark.parametrize(("text", "message"), MISTAKES.items())
def test_a_mistake_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(AsbruError) as caught:
        read_guideline(text, "model.asbru")
    assert message in str(caught.value)
    assert caught.value.source.line >= 1
    assert caught.value.source.column >= 1
    assert caught.value.remedy or message == "unexpected character"


def test_the_line_is_shown_with_a_caret(tmp_path: Path) -> None:
    file = tmp_path / "m.asbru"
    file.write_text("plan a\nplan-body type=sequential\n  b\n  d\nplan b\nplan c\n")
    with pytest.raises(AsbruError) as caught:
        load(file)
    assert str(caught.value).splitlines()[:3] == [f"{file}:4:3: no plan called `d`", "      d", "      ^"]


def test_the_elements_of_a_do_stand_further_right() -> None:
    text = """
plan a
plan-body type=unordered
  b
  do type=any-order, wait-for one
    c
    d
  e
plan b plan c plan d plan e
"""
    plans = read_guideline(text).by_name
    assert plans["a"].children == ("b", "a_all", "e")
    assert plans["a_all"].children == ("c", "d")
    assert plans["a_all"].written == "a*"


def truth_by_history(window: Window, history: list[bool], reference: int) -> bool:
    def inside(number: int, low: int | None, high: int | None) -> bool:
        return (low is None or low <= number) and (high is None or number <= high)

    return any(
        all(history[start : end + 1])
        and inside(start - reference, window.earliest_start, window.latest_start)
        and inside(end - reference, window.earliest_finish, window.latest_finish)
        and inside(end - start, window.least_duration, window.most_duration)
        for start in range(len(history))
        for end in range(start, len(history))
    )


@pytest.mark.parametrize("seed", range(300))
def test_a_monitor_says_what_the_whole_history_says(seed: int) -> None:
    dice = Random(seed)
    moves = dice.random() < 0.5

    def bounds(low: int, high: int) -> tuple[int | None, int | None]:
        first, last = sorted((dice.randint(low, high), dice.randint(low, high)))
        return (first if dice.random() < 0.5 else None, last if dice.random() < 0.5 else None)

    shifts = (*bounds(-4, 0), *bounds(-4, 0)) if moves else (*bounds(0, 5), *bounds(0, 5))
    window = Window(*shifts, *bounds(0, 3))
    automaton = monitor(window, moves)
    for likely in (0.3, 0.6, 0.9):
        state, history = 0, []
        for now in range(20):
            history.append(dice.random() < likely)
            state = automaton.after[state][history[-1]]
            assert automaton.true[state] == truth_by_history(window, history, now if moves else 0)
