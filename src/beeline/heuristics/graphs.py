"""Distances within the graph of one process, and what they mean for process numbers that come and go."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from beeline.compile.layout import Layout
from beeline.heuristics.formula import DEAD_END
from beeline.model.network import Process


def distances_to(process: Process, targets: Iterable[int]) -> list[int]:
    """Fewest steps from each location to one of `targets`, guards and synchronisation ignored; `DEAD_END` if none.

    An edge that leaves a deterministic location belongs to the step that led there, and costs nothing."""
    arriving: list[list[int]] = [[] for _ in process.locations]
    for edge in process.edges:
        arriving[edge.target_location].append(edge.source_location)
    distance = [DEAD_END] * len(process.locations)
    queue = deque((target, 0) for target in sorted(set(targets)))
    while queue:
        location, steps = queue.popleft()
        if distance[location] != DEAD_END:
            continue
        distance[location] = steps
        for source in arriving[location]:
            if distance[source] == DEAD_END:
                if process.locations[source].deterministic:
                    queue.appendleft((source, steps))
                else:
                    queue.append((source, steps + 1))
    return distance


def lives_for_ever(layout: Layout, number: int) -> bool:
    """Whether a process number always has the same process."""
    tag = layout.cells[layout.processes[number].tag]
    return tag.low == tag.high


def with_births(process: Process, distance: list[int]) -> tuple[list[int], int]:
    """Distances for a process that can end and be started again, and the distance while no process has its number."""
    born = distance[process.initial]
    if born == DEAD_END:
        return distance, DEAD_END
    return [1 + born if steps == DEAD_END else min(steps, 1 + born) for steps in distance], 1 + born
