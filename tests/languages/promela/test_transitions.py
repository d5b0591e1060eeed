"""The transition tables equal those that SPIN's verifier prints with -d: same places, same steps, same order."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from beeline.languages.promela.elaborate import Elaborator
from beeline.languages.promela.parser import parse_text
from beeline.languages.promela.transitions import Table

FILES = sorted((Path(__file__).parent / "states").glob("*.pml"))
Steps = dict[int, list[tuple[int, str, bool, int]]]  # by place: target, kind of step, place is an end, escape


def tables(text: str) -> dict[str, Table]:
    return Elaborator(parse_text(text)).tables()


def steps(table: Table) -> Steps:
    found: Steps = {}
    for place in table.reachable():
        for transition in table.transitions.get(place, []):
            node = transition.node
            shown = node.atomic or (node.kind == "d_step" and node.last_atomic)  # pan shows both as A
            kind = "A" if shown else "D" if node.kind == "d_step" else "-"
            target = 0 if node.kind == "end" else transition.target
            found.setdefault(place, []).append((target, kind, place in table.end, transition.escape))
    return found


def printed(output: str) -> dict[str, Steps]:
    """What pan -d prints, by proctype."""
    found: dict[str, Steps] = {}
    current: Steps = {}
    pattern = (
        r"\tstate\s+(\d+) -\(tr\s+\d+\)-> state\s+(\d+)\s+\[id\s+\d+ tp\s+\S+(?: org\s+(\d+))?.*?\] \[(\S)\S(\S)\S\S\]"
    )
    for line in output.splitlines():
        if head := re.fullmatch(r"(?:proctype )?(\w+)", line):
            current = found.setdefault(head.group(1), {})
        elif step := re.match(pattern, line):
            place, target, escape, kind, end = step.groups()
            current.setdefault(int(place), []).append((int(target), kind, end == "e", int(escape or 0)))
    return found


QUICK = ("unless_nested", "atomic_nested", "d_step_jumps", "handshake_control", "else_with_handshake", "local_channels")


def cases() -> list[Any]:
    """All files; without --slow a few of them, since SPIN and the C compiler take a second for each."""
    return [pytest.param(path, id=path.stem, marks=[] if path.stem in QUICK else pytest.mark.slow) for path in FILES]


@pytest.mark.parametrize("path", cases())
def test_same_places_and_steps_and_states_as_pan(path: Path, spin: Callable[..., Any]) -> None:
    text = path.read_text()
    pan = spin(text)
    assert {name: steps(table) for name, table in tables(text).items()} == printed(pan.run("-d"))
    assert text.startswith(f"// SPIN stores {pan.states()} states.")


def single(body: str) -> Steps:
    (table,) = tables(f"byte x; active proctype P() {{ {body} }}").values()
    return steps(table)


def test_a_goto_behind_a_statement_is_no_step() -> None:
    assert single("L: x = 1; goto L") == {1: [(1, "-", False, 0)]}


def test_a_goto_as_an_option_is_one() -> None:
    assert len(single("L: if :: goto L :: x == 1 fi")[3]) == 2


def test_an_atomic_begins_at_a_place_of_its_own() -> None:
    assert single("x = 1; atomic { x = 2; x = 3 }") == {
        1: [(4, "-", False, 0)],
        4: [(3, "A", False, 0)],
        3: [(5, "-", False, 0)],
        5: [(0, "-", True, 0)],
    }


def test_escapes_come_first_the_outermost_before_the_others() -> None:
    (first, *_) = single("{ { x = 1; x = 2 } unless { x == 7 } } unless { x == 8 }").values()
    assert [escape for *_, escape in first] == sorted((escape for *_, escape in first), reverse=True)
