"""Limits, progress, cancellation and what crosses the border to the engine."""

import threading
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beeline import _native
from beeline.engine import Cancellation, Found, Limits, Statistics, Status
from beeline.searches.runner import run

SEARCHES = ["bfs", "dfs", "random-dfs", "iddfs"]
HUGE = (8, 30)


def explore(search: str, **limits: Any) -> Any:
    return run(_native.CounterSpace(*HUGE), search, stop=Found.NOTHING, limits=Limits(**limits))


@pytest.mark.parametrize("search", SEARCHES)
def test_each_limit_ends_a_search_with_its_reason_and_statistics(search: str) -> None:
    outcome = explore(search, states=1000)
    assert (outcome.status, outcome.statistics.stored) == (Status.STATES, 1000)
    outcome = explore(search, time=0.1)
    assert outcome.status is Status.TIME
    assert 0.1 <= outcome.statistics.seconds < 1.5
    outcome = explore(search, memory=1)
    assert outcome.status is Status.MEMORY
    outcome = explore(search, depth=3)
    assert (outcome.status, outcome.statistics.stored, outcome.statistics.depth) == (Status.DEPTH, 165, 3)
    assert not outcome.complete


@pytest.mark.parametrize("search", SEARCHES)
def test_a_run_is_the_same_every_time(search: str) -> None:
    def once() -> Any:
        outcome = run(_native.CounterSpace(4, 6), search, stop=Found.DEADLOCK)
        counts = [getattr(outcome.statistics, name) for name in ("stored", "expanded", "generated", "depth")]
        return outcome.path, counts

    assert once() == once()


def test_progress_is_told_a_few_times_a_second_without_the_lock() -> None:
    heard: list[Statistics] = []
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    run(_native.CounterSpace(*HUGE), limits=Limits(time=1.0), progress=heard.append)
    done.set()
    thread.join()
    assert 1 <= len(heard) <= 5
    assert heard[0].stored > 0
    assert ticks > 20


def test_the_history_of_a_run_is_short_and_ends_with_its_last_count() -> None:
    outcome = run(_native.CounterSpace(*HUGE), limits=Limits(time=1.0))
    history = outcome.history
    assert 2 <= len(history) <= 129
    assert [one.stored for one in history] == sorted(one.stored for one in history)
    assert history[-1].stored == outcome.statistics.stored
    assert history[-1].frontier == outcome.statistics.frontier > 0
    assert {one.best_estimate for one in history} == {None}


def test_nothing_waits_when_everything_was_searched() -> None:
    outcome = run(_native.CounterSpace(3, 4), stop=Found.NOTHING)
    assert outcome.complete
    assert outcome.statistics.frontier == 0
    assert len(outcome.history) >= 1


def test_an_exception_in_the_progress_callback_comes_through() -> None:
    def complain(statistics: Statistics) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        run(_native.CounterSpace(*HUGE), limits=Limits(time=5), progress=complain)


def test_a_keyboard_interrupt_in_the_progress_callback_keeps_the_statistics() -> None:
    def interrupt(statistics: Statistics) -> None:
        raise KeyboardInterrupt

    outcome = run(_native.CounterSpace(*HUGE), limits=Limits(time=5), progress=interrupt)
    assert outcome.status is Status.INTERRUPTED
    assert outcome.statistics.stored > 0


def test_another_thread_can_cancel() -> None:
    flag = Cancellation()
    threading.Timer(0.1, flag.cancel).start()
    outcome = run(_native.CounterSpace(*HUGE), limits=Limits(time=20), cancellation=flag)
    assert outcome.status is Status.INTERRUPTED
    assert outcome.statistics.seconds < 10


ODD = st.one_of(st.none(), st.integers(), st.floats(), st.text(), st.binary(), st.lists(st.integers(), max_size=3))
NAMES = ["stop", "seconds", "memory", "states", "depth", "progress", "cancellation"]


@given(st.dictionaries(st.sampled_from(NAMES), ODD))
def test_any_request_is_taken_or_raises(arguments: dict[str, Any]) -> None:
    try:
        request = _native.Request(**arguments)
    except (TypeError, ValueError, OverflowError):
        return
    outcome = _native.CounterSpace(2, 2).breadth_first(request)
    assert outcome.statistics.stored <= 9


@given(ODD, ODD)
def test_any_counters_are_taken_or_raise(counters: Any, top: Any) -> None:
    try:
        space = _native.CounterSpace(counters, top)
    except (TypeError, ValueError):
        return
    assert space.words == counters


def test_malformed_states_and_arrays_raise() -> None:
    space = _native.CounterSpace(3, 3)
    for bad in ([1, 2], [1, 2, 3, 4], [], [0, 0, -1], [0, 0, 2**32], "abc", None):
        with pytest.raises((TypeError, ValueError)):
            space.successor_arcs(bad)  # type: ignore[arg-type]
    bad_arrays: list[Any] = [np.zeros(3, np.uint32), np.zeros((2, 0), np.uint32), None, np.zeros((2, 2), np.complex128)]
    for array in bad_arrays:
        with pytest.raises((TypeError, ValueError)):
            _native.time_store(array)


def test_arcs_of_one_state_can_be_looked_at() -> None:
    space = _native.CounterSpace(2, 1)
    assert space.initial_arcs() == [(0, 0, 0, (0, 0))]
    assert space.successor_arcs([0, 1]) == (0, [(1, 0, 0, (1, 1))])
    assert space.successor_arcs([1, 1]) == (_native.DEADLOCK, [])
