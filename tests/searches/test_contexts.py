"""Steps are as far from one another as their reads and writes say; a search that goes by that misses nothing."""

from __future__ import annotations

from functools import partial

import pytest
from tests.explicit import Explicit, graphs

from beeline import NetworkBuilder, check
from beeline.engine import Found, Status, core
from beeline.heuristics import build
from beeline.searches.runner import run

Parts = tuple[int, int]
Cells = tuple[set[int], set[int]]
"""Read and written."""
LEVELS = 3


def listed(graph: Explicit) -> core.Task:
    return core.Task(graph.native, False)


def cells_of(task: core.Task) -> dict[Parts, Cells]:
    cell = [cell for cell, _ in task.facts]
    found: dict[Parts, Cells] = {}
    for conditions, effects, action, second, _ in task.operators:
        reads, writes = found.setdefault((action, second), (set(), set()))
        reads |= {cell[fact] for fact in conditions}
        writes |= {cell[fact] for fact in effects}
    return found


def interfere(one: Cells, other: Cells) -> bool:
    return bool(one[1] & (other[0] | other[1]) or one[0] & other[1])


def levels(cells: dict[Parts, Cells], start: Cells) -> dict[Parts, int]:
    """By the definition: what interferes with the start, then what interferes with that."""
    found: dict[Parts, int] = {}
    near = [start]
    for level in range(LEVELS):
        fresh = [step for step in cells if step not in found and any(interfere(cells[step], one) for one in near)]
        found.update(dict.fromkeys(fresh, level))
        near = [cells[step] for step in fresh]
    return {step: found.get(step, LEVELS) for step in cells}


def union(parts: list[Cells]) -> Cells:
    return set().union(*(reads for reads, _ in parts)), set().union(*(writes for _, writes in parts))


def test_levels_are_those_of_the_definition() -> None:
    told = set()
    for graph in graphs(60, 21_000):
        task = listed(graph)
        cells = cells_of(task)
        native = core.Contexts(task, LEVELS, of_goal=False)
        for last in {action for action, _ in cells}:
            expected = levels(cells, union([cells[step] for step in cells if step[0] == last]))
            assert {step: native.level(last, *step) for step in cells} == expected, str(graph)
            told |= set(expected.values())
    assert told == set(range(LEVELS + 1))


def test_levels_from_the_goal() -> None:
    for graph in graphs(60, 22_000):
        task = listed(graph)
        cells, cell = cells_of(task), [cell for cell, _ in task.facts]
        reads = {cell[fact] for conditions, _ in task.goals for fact in conditions}
        native = core.Contexts(task, LEVELS, of_goal=True)
        assert {step: native.level(0, *step) for step in cells} == levels(cells, (reads, set())), str(graph)


def compare(count: int, first_seed: int) -> int:
    """How often something was found."""
    found = 0
    for graph in graphs(count, first_seed):
        context = graph.context(Found.ANYTHING)
        expected = run(graph.space(), "bfs")
        for search in ("contexts", "contexts:levels=5,of=goal", "multi:contexts=2"):
            told = run(graph.space(), search, estimators=build("Hf", context), steps=partial(listed, graph))
            assert told.status is expected.status, f"{search}\n{graph}"
            if told.status is Status.EXHAUSTED:
                assert told.statistics.stored == expected.statistics.stored, f"{search}\n{graph}"
        found += expected.status is Status.FOUND
    return found


def test_what_can_be_found_is_found() -> None:
    assert compare(80, 23_000) > 5


@pytest.mark.slow
def test_what_can_be_found_is_found_in_thousands_of_networks() -> None:
    assert compare(4000, 230_000) > 0


def test_it_goes_on_with_a_process_whose_step_is_alone() -> None:
    """Four processes count to nine, and nobody looks at another: each that begins goes on alone, side by side."""
    builder = NetworkBuilder("counters")
    for name in "abcd":
        builder.variable(name, 0, 9)
        builder.process(name.upper()).location("here").edge("here", "here", guard=f"{name} < 9", effect=f"{name}++")
    told = check(builder.build(), "A[] a < 9 && b < 9 && c < 9 && d < 9", search="contexts", heuristic="blind")
    assert told.trace is not None
    assert len(told.trace) == 9
    assert told.statistics.expanded <= 4 * 9
