"""A* on a device next to breadth-first search there and to A* on the processor, on the reachable goals of BEEM."""

from __future__ import annotations

from statistics import median

from benchmarks.beem.tables import table
from benchmarks.gpu.walks import Found, Goal, checked, reachable

from beeline.gpu import Device

WAYS = (("gpu", "bfs"), ("gpu", "astar"), ("explicit", "astar"))


def shown(found: Found) -> str:
    return f"{found.stored:,}" if found.verdict == "holds" else found.verdict


def report(device: Device, seconds: float, least: int, heuristic: str) -> int:
    """Prints a row for each goal that breadth-first search finds with so many states at least."""
    rows, shares = [], []
    for goal in reachable():
        plain = checked(goal, seconds, *WAYS[0])
        if plain.verdict == "holds" and plain.stored < least:
            continue
        there, here = (checked(goal, seconds, *way, heuristic) for way in WAYS[1:])
        assert_same_length(goal, plain, there, here)
        if plain.verdict == there.verdict == "holds":
            shares.append(plain.stored / there.stored)
        times = (f"{one.seconds:.1f}" for one in (plain, there, here))
        rows.append((goal.name, str(there.length or plain.length), *map(shown, (plain, there, here)), *times))
        print(*rows[-1], flush=True)
    print(device.name)
    header = ("goal", "steps", "bfs, states", "A*, states", "A* on one core", "bfs, s", "A*, s", "one core, s")
    print(table(header, rows), flush=True)
    if shares:
        print(f"breadth-first search stores {median(shares):.1f} times the states of A* in the median of {len(shares)}")
    return 0


def assert_same_length(goal: Goal, *answers: Found) -> None:
    """All are shortest."""
    lengths = {answer.length for answer in answers if answer.verdict == "holds"}
    assert len(lengths) <= 1, f"{goal.name}: {lengths}"
