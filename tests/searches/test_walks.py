"""The walks that leave nothing to chance."""

from __future__ import annotations

import pytest

from beeline import NetworkBuilder, check
from beeline.model.network import Network

FAR = 3000


def narrow(*ways: str) -> Network:
    """A long way with a trap beside each step; `ways` are the steps of each place, in their order."""
    builder = NetworkBuilder("narrow")
    builder.variable("n", 0, FAR)
    process = builder.process("P")
    process.location("way")
    process.location("trap")
    for way in ways:
        if way == "go":
            process.edge("way", "way", guard=f"n < {FAR}", effect="n++")
        else:
            process.edge("way", "trap")
    builder.invariant("short", f"n < {FAR}")
    return builder.build()


@pytest.mark.parametrize("ways", [("go", "trap"), ("trap", "go")], ids=["first", "last"])
def test_straight_walks_go_on_where_their_length_ended_them(ways: tuple[str, ...]) -> None:
    result = check(narrow(*ways), search="walk", heuristic="blind")
    assert result.verdict == "violated" and result.trace is not None and len(result.trace) == FAR
    assert result.statistics.expanded > FAR + 1024  # at first they ended too soon


def test_a_walk_goes_downhill() -> None:
    """Between two traps neither the first step nor the last one is right, and chance takes a wrong one soon."""
    result = check(narrow("trap", "go", "trap"), search="walk", heuristic=f"expr:{FAR} - n")
    assert result.verdict == "violated" and result.trace is not None and len(result.trace) == FAR
    assert result.statistics.expanded < 2 * FAR


def test_a_walk_downhill_ends_where_it_gets_no_lower() -> None:
    result = check(narrow("trap", "go", "trap"), search="walk", heuristic="blind")
    assert result.verdict == "unknown" and result.reason == "incomplete search"
