"""States of Python come apart into pieces that have names, and only what changed is told."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beeline.trace.pieces import changes, pieces
from beeline.trace.table import cut_pair


class Phase(enum.Enum):
    IDLE = 0
    BUSY = 1


@dataclass(frozen=True)
class Worker:
    phase: Phase = Phase.IDLE
    seen: int = 0


class Point(NamedTuple):
    x: int
    y: int


@dataclass(frozen=True)
class World:
    workers: tuple[Worker, ...]
    queue: tuple[int, ...] = ()
    at: Point | None = None


def told(before: Any, after: Any) -> dict[str, Any]:
    old, new = pieces([before, after])
    return dict(changes(old, new))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (1, 2, {"state": ("1", "2")}),
        ((1, 2), (1, 3), {"state[1]": ("2", "3")}),
        (Point(1, 2), Point(5, 2), {"x": ("1", "5")}),
        (World((Worker(), Worker())), World((Worker(), Worker(Phase.BUSY))), {"workers[1].phase": ("IDLE", "BUSY")}),
        (World((), (1,)), World((), (1, 2)), {"queue": ("(1,)", "(1, 2)")}),
        ({"a": 1}, {"a": 1, "b": [2]}, {"b[0]": (None, "2")}),
        ({(0, 1): "x"}, {(0, 1): "y"}, {"state[(0, 1)]": ("'x'", "'y'")}),
        ({"lock": {"owner": 1}}, {"lock": {"owner": None}}, {"lock.owner": ("1", "None")}),
        (frozenset({2, 1}), frozenset({3, 1}), {"state": ("{1, 2}", "{1, 3}")}),
        ("up", 3, {"state": ("'up'", "3")}),
        ((Phase.IDLE, (1, [Phase.BUSY])), (Phase.BUSY, (1, [Phase.BUSY])), {"state[0]": ("IDLE", "BUSY")}),
    ],
)
def test_only_the_pieces_that_changed_are_told(before: Any, after: Any, expected: dict[str, Any]) -> None:
    assert told(before, after) == expected


VALUES = st.recursive(
    st.integers() | st.text(max_size=3) | st.none(),
    lambda inner: st.tuples(inner, inner) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.lists(VALUES, min_size=1, max_size=5))
def test_changes_lead_from_each_state_to_the_next(states: list[Any]) -> None:
    found = pieces(states)
    for before, after in pairwise(found):
        values = dict(before)
        for name, (_, new) in changes(before, after).items():
            if new is None:
                del values[name]
            else:
                values[name] = new
        assert values == dict(after)


@given(st.lists(VALUES, min_size=2, max_size=2))
def test_states_that_differ_have_a_piece_that_does(states: list[Any]) -> None:
    one, other = pieces(states)
    assert (one == other) == (states[0] == states[1])


def test_of_long_values_what_is_the_same_is_left_out() -> None:
    before = str([f"item {i}" for i in range(20)])
    after = str([f"item {i}" for i in range(21)])
    assert cut_pair(before, after) == ("…'item 19']", "…'item 19', 'item 20']")
    assert cut_pair(None, "x" * 100) == (None, "x" * 30 + "…" + "x" * 29)
    assert cut_pair("1", "2") == ("1", "2")
