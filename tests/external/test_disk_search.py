"""Searches with states on disk say what searches in memory say, however small their buffers; nothing is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from benchmarks.generated import counters, philosophers
from tests.explicit import Explicit, graphs

from beeline import Limits, _native, check, explore
from beeline.engine import Found, Outcome, Status
from beeline.heuristics import build
from beeline.report.objects import result_object
from beeline.searches import SearchError
from beeline.searches.runner import run

MODELS = Path(__file__).parents[2] / "models"
NETWORKS = int(os.environ.get("BEELINE_DISK", "40"))  # BEELINE_DISK=500 asks for a long run
BUFFERS = (1, 7, 1997, 10**6)
KINDS = (Found.NOTHING, Found.GOAL, Found.GOAL | Found.ERROR, Found.ANYTHING)
COUNTS = ("stored", "expanded", "generated", "deadlocks", "errors", "goals", "transient", "depth")


def on_disk(graph: Explicit, stop: Found, folder: Path, buffer: int, order: Any = None, **limits: Any) -> Outcome:
    request = _native.Request(stop=stop.value, **limits)
    return Outcome(_native.disk_search(graph.space(), request, str(folder), buffer=buffer, order=order))


def assert_same(found: Outcome, expected: Outcome, graph: Explicit) -> None:
    assert (found.status, bool(found.found)) == (expected.status, bool(expected.found))
    if found.status in (Status.EXHAUSTED, Status.DEPTH):
        for name in COUNTS:
            assert getattr(found.statistics, name) == getattr(expected.statistics, name), name
    if found.status is Status.FOUND:
        assert (length(found), found.proven) == (length(expected), True)
        assert_is_path(found, graph)


def length(outcome: Outcome) -> int:
    return len(outcome.path) + (Found.ERROR in outcome.found)


def assert_is_path(outcome: Outcome, graph: Explicit) -> None:
    """Each step is an arc of the space, and what was found lies at the end."""
    space, path = graph.space(), outcome.path
    assert path[0].state == graph.initial
    for before, after in pairwise(path):
        arcs = space.successor_arcs(before.state)[1]
        assert any((action, target) == (after.action, after.state) for action, _, _, target in arcs)
    marks, arcs = space.successor_arcs(path[-1].state)
    if Found.ERROR in outcome.found:
        step = outcome.failed_step
        assert step is not None
        assert any((action, detail) == (step.action, step.detail) for action, _, detail, target in arcs if not target)
    elif Found.DEADLOCK in outcome.found:
        assert Found.DEADLOCK in Found(marks & Found.ANYTHING.value)
    else:
        assert Found.GOAL in graph.violations[path[-1].state]


def test_breadth_first_search_on_disk_is_that_in_memory(tmp_path: Path) -> None:
    found = 0
    for graph in graphs(NETWORKS, 3000):
        for stop in KINDS:
            expected = run(graph.space(), "bfs", stop=stop)
            found += expected.status is Status.FOUND
            for buffer in BUFFERS:
                assert_same(on_disk(graph, stop, tmp_path, buffer), expected, graph)
    assert found > NETWORKS / 2
    assert list(tmp_path.iterdir()) == []


def test_the_bound_of_the_depth_cuts_off_the_same(tmp_path: Path) -> None:
    for number, graph in enumerate(graphs(NETWORKS, 3000)):
        for stop in KINDS:
            expected = run(graph.space(), "bfs", stop=stop, limits=Limits(depth=number % 9))
            for buffer in (7, 10**6):
                assert_same(on_disk(graph, stop, tmp_path, buffer, depth=number % 9), expected, graph)


@pytest.mark.parametrize("text", ["blind", "Hf", "hL"])
def test_a_star_on_disk_finds_what_is_shortest(text: str, tmp_path: Path) -> None:
    expanded = plainly = 0
    for graph in graphs(NETWORKS, 3000):
        (estimate,) = build(text, graph.context(Found.GOAL))
        expected = run(graph.space(), "bfs", stop=Found.GOAL)
        for buffer in BUFFERS:
            order = _native.BestFirst([estimate.native], priority="sum", prune=True)
            outcome = on_disk(graph, Found.GOAL, tmp_path, buffer, order)
            assert (outcome.status, bool(outcome.found)) == (expected.status, bool(expected.found))
            assert outcome.statistics.reopened == 0
            if expected.status is Status.FOUND:
                assert (length(outcome), outcome.proven) == (length(expected), True)
                assert_is_path(outcome, graph)
            expanded += outcome.statistics.expanded
            plainly += expected.statistics.expanded
    assert text == "blind" or expanded < plainly


def test_a_limit_of_states_ends_at_the_same_count(tmp_path: Path) -> None:
    for store in ("plain", f"disk:{tmp_path}"):
        result = explore(counters(4), store=store, limits=Limits(states=777))
        assert (result.complete, result.reason, result.statistics.stored) == (False, "state limit", 777)


def test_a_check_tells_what_was_moved(tmp_path: Path) -> None:
    result = check(philosophers(7), search="bfs", store=f"disk:{tmp_path}")
    told = result_object(result)
    assert (result.verdict, result.reason, result.shortest) == ("violated", "deadlock", True)
    assert result.trace is not None
    assert len(result.trace) == 7
    assert told["store"] == f"disk:{tmp_path}"
    assert told["disk_written_bytes"] >= told["disk_bytes"] > 0
    assert told["disk_read_bytes"] > 0


def test_a_disk_without_room_leaves_the_answer_open(tmp_path: Path) -> None:
    store, limits = f"disk:{tmp_path}", Limits(disk=20_000)
    result = check(counters(5), "value[0] <= 9", search="bfs", store=store, limits=limits, shrink="none")
    assert (result.verdict, result.reason) == ("unknown", "no room left on disk")
    assert 0 < result.statistics.disk <= 20_000
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_small_disk_that_is_full(tmp_path: Path) -> None:
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(tmp_path)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("a small disk cannot be mounted here")
    try:
        result = explore(counters(6), store=f"disk:{tmp_path}")
        assert (result.complete, result.reason) == (False, "no room left on disk")
        assert list(tmp_path.iterdir()) == []
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SearchError, match="the store disk cannot be used"):
        explore(counters(2), store=f"disk:{tmp_path / 'file'}")
    with pytest.raises(SearchError, match="needs a folder"):
        explore(counters(2), store="disk")


def test_estimates_that_are_not_consistent_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SearchError, match="consistent"):
        check(counters(4), "value[0] < 9", search="astar", heuristic="hU", store=f"disk:{tmp_path}")
    result = check(counters(3), "value[0] + value[1] < 9", search="astar", store=f"disk:{tmp_path}")
    assert (result.verdict, result.shortest) == ("violated", True)


def test_zones_and_spaces_in_python_are_refused(tmp_path: Path) -> None:
    class Count:
        def initial(self) -> int:
            return 0

        def successors(self, state: int) -> list[int]:
            return [state + 1] if state < 3 else []

    with pytest.raises(SearchError, match="networks without clocks only"):
        check(Count(), search="bfs", store=f"disk:{tmp_path}")
    with pytest.raises(SearchError, match="leave out"):
        check(MODELS / "uppaal/fischer_b_3_faulty.xta", search="bfs", store=f"disk:{tmp_path}")


SEARCH = """
from benchmarks.generated import counters
from beeline import explore
explore(counters(7), store="disk:{}")
"""


def test_files_of_a_killed_search_are_removed_by_the_next(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SEARCH.format(tmp_path)]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2])
    while not any(tmp_path.glob("*/[0-9]*")):
        assert process.poll() is None
    process.kill()
    process.wait()
    assert any(tmp_path.iterdir())
    assert explore(counters(2), store=f"disk:{tmp_path}").complete
    assert list(tmp_path.iterdir()) == []


LIMITED = """
from benchmarks.generated import counters
from beeline import Limits, explore
result = explore(counters(6), store="disk:{}", limits=Limits(memory={}))
print(result.complete, result.statistics.memory)
"""


def test_memory_stays_within_its_limit(tmp_path: Path) -> None:
    """The engine's own account, which the process's memory follows; `benchmarks.external` measures that.

    In a process of its own: the limit is one of the whole process, and earlier tests may have left much in this one.
    """
    limit = 160 * 2**20
    command = [sys.executable, "-c", LIMITED.format(tmp_path, limit)]
    printed = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True).stdout
    complete, memory = printed.split()
    assert complete == "True"
    assert int(memory) < limit
