"""Several threads give the answer of one: verdict, counts and trace; where they cannot share the work, it is said."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from benchmarks.generated import counters, philosophers
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.networks import networks

from beeline import Limits, Network, _native, check, explore
from beeline.compile.program import compile_network
from beeline.engine import Found, python_space
from beeline.searches import SearchError
from beeline.searches.runner import run

ANYTHING = _native.GOAL | _native.ERROR | _native.DEADLOCK
COUNTS = ("stored", "expanded", "generated", "deadlocks", "errors", "goals", "transient", "depth")

several = settings(max_examples=300, suppress_health_check=list(HealthCheck), database=None)


def told(
    program: _native.Program, merged: bool, sample: int, request: dict[str, int | None], threads: int
) -> tuple[object, ...]:
    space = _native.ProgramSpace(program, merged=merged, sample=sample)
    outcome = space.breadth_first(_native.Request(**request, threads=threads, smallest_layer=2))  # type: ignore[arg-type]
    assert outcome.threads == threads
    path = [(action, program.unpack(words)) for action, words in outcome.path]
    # How much of the last batch was expanded when the limit of states was met depends on changes of the layout.
    names = COUNTS[:1] if outcome.status == "states" else COUNTS
    counted = [getattr(outcome.statistics, name) for name in names]
    return outcome.status, outcome.found, path, outcome.error_detail, *counted


@several
@given(
    networks(),
    st.booleans(),
    st.sampled_from([1, 7, 40, 2**62]),
    st.sampled_from([(0, 100), (0, 3000), (ANYTHING, 20_000)]),
    st.sampled_from([None, 3]),
)
def test_threads_change_no_answer_no_count_and_no_path(
    network: Network, merged: bool, sample: int, stop: tuple[int, int], depth: int | None
) -> None:
    max_processes = max(network.rules.max_processes, len(network.initial))
    program = _native.Program(compile_network(network, max_processes=max_processes).tables)
    request = {"stop": stop[0], "depth": depth, "states": stop[1]}
    one = told(program, merged, sample, request, 1)
    for threads in (2, 4):
        assert told(program, merged, sample, request, threads) == one


def test_large_layers_are_shared_with_the_counts_of_one_thread() -> None:
    one, two = (explore(counters(5), threads=threads) for threads in (1, 2))
    assert two.threads == 2
    assert [getattr(one.statistics, name) for name in COUNTS] == [getattr(two.statistics, name) for name in COUNTS]


def test_the_trace_is_that_of_one_thread() -> None:
    one, two = (check(philosophers(9), search="bfs", threads=threads) for threads in (1, 2))
    assert (one.verdict, one.reason, one.shortest) == (two.verdict, two.reason, two.shortest)
    assert one.trace is not None
    assert two.trace is not None
    assert one.trace.steps == two.trace.steps


def test_a_memory_limit_is_kept_by_several_threads() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    left = 16 * 2**20
    found = explore(counters(6), limits=Limits(memory=pages * os.sysconf("SC_PAGESIZE") + left), threads=2)
    assert (found.reason, found.threads) == ("memory limit", 2)
    assert found.statistics.memory <= left


def test_searches_that_cannot_share_their_work_say_so() -> None:
    with pytest.raises(SearchError, match="dfs works with one thread"):
        check(counters(2), search="dfs", threads=2)
    with pytest.raises(SearchError, match="must be a whole one between"):
        check(counters(2), search="bfs", threads=0)


class Count:
    def initial(self) -> int:
        return 0

    def successors(self, state: int) -> list[int]:
        return [state + 1] if state < 5 else []


def test_what_only_one_thread_can_search_is_searched_by_one_with_a_word() -> None:
    assert run(python_space(Count()), stop=Found.NOTHING, threads=2).threads == 1
    result = check(Count(), search="bfs", threads=2)
    assert (result.threads, result.threads_note) == (
        1,
        "one thread: the work cannot be shared with zones or a space written in Python",
    )
    reduced = check(philosophers(4), search="bfs", threads=2, reduce="stubborn")
    assert (reduced.threads, reduced.threads_note) == (1, "one thread: the work cannot be shared with a reduction")
