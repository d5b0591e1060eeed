"""The walks that leave nothing to chance."""

from __future__ import annotations

import pytest

from beeline import Limits, NetworkBuilder, check
from beeline.model.network import Network
from beeline.problems import Result

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


def crowded(levels: int, reachable: bool = True) -> Network:
    """Three numbers run freely, and a level is done where they have certain values: a plateau of a thousand states."""
    builder = NetworkBuilder("crowded")
    for name in "xyz":
        builder.variable(name, 0, 9)
    builder.variable("n", 0, levels)
    process = builder.process("P")
    process.location("here")
    for name in "xyz":
        process.edge("here", "here", effect=f"{name} = ({name} + 1) % 10")
    process.edge("here", "here", guard=f"x == 7 && y == 3 && z == 5 && n < {levels - (not reachable)}", effect="n++")
    builder.invariant("short", f"n < {levels}")
    return builder.build()


def without_room(network: Network, search: str = "auto", seconds: float | None = None) -> Result:
    return check(network, search=search, heuristic="expr:12 - n", limits=Limits(time=seconds, states=100))


def test_walks_go_on_where_there_is_no_room_for_more_states() -> None:
    found, again = (without_room(crowded(12)) for _ in range(2))
    assert found.verdict == "violated" and found.trace is not None and not found.shortest
    assert found.statistics.expanded == again.statistics.expanded


def test_walks_without_room_end_as_the_search_did() -> None:
    result = without_room(crowded(12, reachable=False))
    assert (result.verdict, result.reason) == ("unknown", "state limit")
    assert result.statistics.stored == 100
    assert result.statistics.generated > 4 * 60_000 // 2  # of the work, some is estimates


def test_walks_without_room_keep_to_the_time_limit() -> None:
    result = without_room(crowded(12, reachable=False), "auto:ahead=1000000000000", 0.2)
    assert (result.verdict, result.reason) == ("unknown", "state limit")


def test_a_walk_begins_again_on_the_way_that_came_nearest() -> None:
    """From a level that is done, the next one is as far as the first: from the beginning, it would be all of them."""
    result = check(crowded(30), search="walk:restarts=400,length=64", heuristic="expr:30 - n")
    assert result.verdict == "violated"


def test_longer_straight_walks_wait_until_other_tries_have_done_as_much() -> None:
    """Straight on there is always another state; the goal takes steps that are neither the first nor the last."""
    builder = NetworkBuilder("sideways")
    process = builder.process("P").location("run")
    for name, most in (("first", 10**6), ("middle", 3), ("last", 10**6)):
        builder.variable(name, 0, most)
        process.edge("run", "run", guard=f"{name} < {most}", effect=f"{name}++")
    result = check(builder, "middle < 3", search="walk", heuristic="blind")
    assert result.trace is not None
    assert result.statistics.expanded < 5_000
