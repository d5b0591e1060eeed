"""Searches that take states that are alike for one say what plain search says, on random Murphi programs."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from benchmarks.conformance.symmetric_generator import symmetric_murphi_of

from beeline import check, explore
from beeline.engine import Limits
from beeline.languages.murphi import read_murphi
from beeline.model.network import Network

MOST = Limits(states=3000)
SEARCHES: tuple[dict[str, Any], ...] = (
    {"search": "bfs", "symmetry": "quick"},
    {"search": "bfs", "symmetry": "exact", "threads": 2},
    {"search": "bfs", "symmetry": "auto", "store": "tree"},
    {"search": "dfs", "symmetry": "exact"},
    {"search": "astar", "symmetry": "exact"},
    {"search": "auto", "symmetry": "auto"},
)


def compare(network: Network) -> str:
    """What became of a program: `folded`, or why it was left out."""
    plain, exact = explore(network, limits=MOST), explore(network, limits=MOST, symmetry="exact")
    if not plain.complete:
        return "too large"
    assert exact.complete
    if exact.symmetry_note:
        assert exact.statistics.stored == plain.statistics.stored
        return exact.symmetry_note
    quick = explore(network, limits=MOST, symmetry="quick")
    assert exact.represented == plain.statistics.stored
    assert exact.statistics.stored <= quick.statistics.stored <= plain.statistics.stored
    assert bool(exact.statistics.deadlocks) == bool(plain.statistics.deadlocks)
    assert bool(exact.statistics.errors) == bool(plain.statistics.errors)
    expected = check(network, "safety", search="bfs")
    found = check(network, "safety", search="bfs", symmetry="exact")
    assert (found.verdict, found.symmetry) == (expected.verdict, "exact")
    if expected.trace is not None:
        assert found.trace is not None and len(found.trace) == len(expected.trace)
    for way in SEARCHES:
        other = check(network, "safety", **way)
        assert other.verdict == expected.verdict, way
        if other.shortest:
            assert expected.trace is not None and other.trace is not None
            assert len(other.trace) == len(expected.trace), way
    return "folded"


@pytest.mark.parametrize("first", range(0, 45, 15))
def test_what_is_alike_can_be_taken_for_one(first: int) -> None:
    became = Counter(compare(read_murphi(symmetric_murphi_of(seed))) for seed in range(first, first + 15))
    assert became["folded"] >= 8


def test_multisets_and_quantifiers_that_may_err_are_folded() -> None:
    became = Counter(compare(read_murphi(symmetric_murphi_of(seed, bags=True))) for seed in range(100, 120))
    assert became["folded"] >= 6
