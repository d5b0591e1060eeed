"""Searches that ask heuristics about single steps know handshakes as well where there are clocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from beeline import check

TREE = Path(__file__).parents[2] / "models" / "uppaal" / "arbiter_tree_2_keeps.xta"


@pytest.fixture
def timed_tree(tmp_path: Path) -> Path:
    """The same tree with a clock that forbids nothing."""
    text = TREE.read_text()
    assert "idle -> waiting { sync" in text
    file = tmp_path / TREE.name
    file.write_text(f"clock age;\n{text.replace('idle -> waiting { sync', 'idle -> waiting { guard age >= 0; sync')}")
    return file


@pytest.mark.parametrize(
    ("search", "heuristic"),
    [
        ("ut", "hL"),
        ("ut", "hU"),
        ("ut", "dU"),
        ("multi", "hU"),
        ("greedy:preferred=1", "hU"),
        ("greedy:lazy=1", "hFF"),
        ("contexts", "hU"),
    ],
)
def test_a_clock_that_forbids_nothing_makes_no_difference(timed_tree: Path, search: str, heuristic: str) -> None:
    """Useless and preferred steps are the same: nearly all steps of the tree are handshakes."""
    query = TREE.with_suffix(".q").read_text().strip()
    plain = check(TREE, query, search=search, heuristic=heuristic)
    timed = check(timed_tree, query, search=search, heuristic=heuristic)
    assert plain.trace is not None
    assert timed.trace is not None
    assert (timed.statistics.expanded, len(timed.trace)) == (plain.statistics.expanded, len(plain.trace))
