"""State for state with SPIN: small models, each for one part of the language.

The first line of each file in `states` tells how many states SPIN's verifier stores (`spin -a -o1 -o2 -o3`,
`-DNOREDUCE -DSAFETY -DNOCLAIM`, `./pan -E -A -c0`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from beeline import explore as explore_natively
from beeline.languages.promela.elaborate import elaborate
from beeline.languages.promela.parser import parse_text

FILES = sorted((Path(__file__).parent / "states").glob("*.pml"))


def names(path: Path) -> str:
    return path.stem


def expected(text: str) -> int:
    found = re.match(r"// SPIN stores (\d+) states", text)
    assert found is not None, "the first line must tell the number of states"
    return int(found.group(1))


@pytest.mark.parametrize("path", FILES, ids=names)
def test_as_many_states_as_spin(path: Path, explore: Callable[..., Any]) -> None:
    text = path.read_text()
    assert explore(text).states == expected(text)


@pytest.mark.parametrize("path", FILES, ids=names)
def test_the_engine_counts_the_same(path: Path) -> None:
    text = path.read_text()
    assert explore_natively(elaborate(parse_text(text))).statistics.stored == expected(text)


# By the number of transitions that `pan` counts behind its first state: it follows every way through an `atomic`.
WAYS = {
    "ways that meet": (
        25,
        "byte x;"
        "active proctype P() { atomic { if :: x = 1 :: x = 1 :: x = 2 fi; x = 0; if :: skip :: skip fi; x = 3 } }"
        "active proctype Q() { x = 5 }",
    ),
    "with priorities": (
        9,
        "byte x; active proctype P() priority 2"
        "{ atomic { if :: x = 1 :: x = 1 :: x = 2 fi; x = 0; if :: skip :: skip fi; x = 3 } }"
        "active proctype Q() { x = 5 }",
    ),
    "handshakes": (
        34,
        "chan c = [0] of { byte }; byte x;"
        "active [2] proctype S() { atomic { if :: skip :: skip fi; c!1; x++ } }"
        "active proctype R() { byte v; atomic { c?v; if :: v = 0 :: v = 0 fi; x = 0 }; c?v }",
    ),
    "a run that loops and blocks": (
        203,
        "byte x, y; active [2] proctype P() { atomic {"
        "do :: x < 3 -> x++ :: x < 3 -> x = x + 1 :: x == 3 -> break od; (y == 1); if :: x = 0 :: x = 0 fi } }"
        "active proctype Q() { y = 1; y = 0 }",
    ),
}


@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"store": "tree"}, {"tier": "bytecode"}, {"tier": "native"}])
@pytest.mark.parametrize("name", WAYS)
def test_every_way_through_an_atomic_is_a_transition(name: str, options: dict[str, Any]) -> None:
    transitions, text = WAYS[name]
    assert explore_natively(elaborate(parse_text(text)), **options).statistics.generated == transitions


def test_too_many_ways_to_be_counted_are_no_deadlock() -> None:
    """2**70 ways from the first state, in a number of 64 bits."""
    text = "byte x; active proctype P() { atomic { " + "if :: x = 1 :: x = 1 fi;" * 70 + "x = 0 }; x = 2 }"
    statistics = explore_natively(elaborate(parse_text(text))).statistics
    assert statistics.generated >= 2**32 - 1
    assert (statistics.stored, statistics.deadlocks) == (4, 0)
