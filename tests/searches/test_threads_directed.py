"""Directed searches by several threads are those by one: the same verdict, counts and trace, whatever the estimate."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest
from benchmarks.generated import counters, philosophers
from tests.explicit import Explicit, graphs

from beeline import Limits, Result, _native, check
from beeline.engine import Found
from beeline.heuristics import HeuristicError, build
from beeline.languages import load
from beeline.searches import Guide, Search, Takes, Ties, all_searches, find

MODELS = Path(__file__).resolve().parents[2] / "models"
GREEDY = ("greedy", "greedy:1", "greedy:lazy=1,preferred=1", "greedy:0,1")
DIRECTED = (*GREEDY, "astar", "wastar", "ut", "multi", "multi:novelty=2,types=1", "auto:race=0")
ESTIMATES = ("hU", "hFF", "hL", "hCG", "hCEA", "dU", "Hf", "max(hL, Hf)", "expr:x")
COUNTS = ("stored", "expanded", "generated", "evaluated", "dead_ends", "reopened", "goals", "depth")


def told(graph: Explicit, search: Search, guide: Guide, threads: int) -> tuple[object, ...]:
    """All that a search says of a graph, but for how long it took; other threads are asked however little there is."""
    request = _native.Request(stop=guide.stop.value, threads=threads, smallest_search=0)
    outcome = search.start(graph.space(), request, guide)
    assert outcome.threads == threads
    counts = [getattr(outcome.statistics, name) for name in COUNTS]
    return outcome.status, outcome.found, outcome.path, outcome.error_detail, outcome.proven, *counts


def counted(result: Result) -> list[int]:
    return [getattr(result.statistics, name) for name in COUNTS]


def agree(count: int, seed: int) -> None:
    for number, graph in enumerate(graphs(count, seed)):
        stop = (Found.GOAL, Found.GOAL | Found.ERROR, Found.ANYTHING, Found.NOTHING)[number % 4]
        search = find(DIRECTED[number % len(DIRECTED)])
        context = graph.context(stop)
        context.effort = 20_000  # random networks can take long to be grounded
        text = ESTIMATES[number // 3 % len(ESTIMATES)]
        try:
            estimates = build(f"{text}, hFF" if search.takes is Takes.SEVERAL else text, context)
        except HeuristicError:  # nothing to aim at, or too much
            continue
        guide = Guide(stop, tuple(estimates), Ties(("fifo", "lifo", "random")[number % 3], number))
        one = told(graph, search, guide, 1)
        for threads in (2, 3, 4, 2):
            assert told(graph, search, guide, threads) == one, f"{search} {text} {stop}\n{graph}"


def test_threads_change_nothing_on_hundreds_of_networks() -> None:
    agree(300, 7100)


@pytest.mark.slow
def test_threads_change_nothing_on_thousands_of_networks() -> None:
    agree(12_000, 7700)


@pytest.mark.parametrize("search", ["greedy", "greedy:0,1", "astar", "wastar", "ut", "multi", "auto:race=0"])
@pytest.mark.parametrize("name", ["fischer_b_3_faulty", "single_track_2_faulty", "message_mutex_2_faulty"])
def test_threads_change_nothing_on_models_with_clocks(name: str, search: str) -> None:
    network = load(MODELS / "uppaal" / f"{name}.xta")
    with patch.object(_native, "Request", partial(_native.Request, smallest_search=0)):
        one, three = (check(network, search=search, limits=Limits(states=3000), threads=threads) for threads in (1, 3))
    assert three.threads == (1 if three.heuristic == "blind" else 3)
    assert (one.verdict, one.reason, one.shortest) == (three.verdict, three.reason, three.shortest)
    assert counted(one) == counted(three)
    assert (one.trace and one.trace.steps) == (three.trace and three.trace.steps)


def test_long_searches_are_shared_and_give_the_trace_of_one_thread() -> None:
    for search, heuristic in (("greedy", "active"), ("astar", "active"), ("auto:race=0", None)):
        one, two, again = (
            check(philosophers(7), search=search, heuristic=heuristic, threads=threads) for threads in (1, 2, 2)
        )
        assert two.threads == 2
        assert one.trace is not None
        assert two.trace is not None
        assert one.trace.steps == two.trace.steps
        assert counted(one) == counted(two) == counted(again)


def test_shortest_traces_stay_shortest() -> None:
    for graph in graphs(60, 7400):
        context = graph.context(Found.GOAL)
        lengths = []
        for name, threads in (("bfs", 1), ("astar", 2), ("astar", 4)):
            search = find(name)
            estimates = tuple(build("Hf", context)) if search.takes is Takes.ONE else ()
            request = _native.Request(stop=Found.GOAL.value, threads=threads, smallest_search=0)
            outcome = search.start(graph.space(), request, Guide(Found.GOAL, estimates))
            lengths.append((outcome.status, len(outcome.path)))
        assert lengths[0] == lengths[1] == lengths[2]


def test_a_reduction_takes_out_the_same_steps() -> None:
    one, two = (check(philosophers(8), search="greedy", reduce="stubborn", threads=threads) for threads in (1, 2))
    assert two.threads == 2
    assert one.reduction == two.reduction == "stubborn"
    assert counted(one) == counted(two)


class Count:
    def initial(self) -> int:
        return 0

    def successors(self, state: int) -> list[int]:
        return [state + 1] if state < 5 else []

    def violates(self, state: int) -> bool:
        return state == 5

    def estimate(self, state: int) -> int:
        return 5 - state


def test_estimates_that_cannot_be_shared_are_asked_by_one_thread_with_a_word() -> None:
    word = "one thread: blind estimators, remembered ones, tables and those written in Python are not shared"
    for model, heuristic in ((Count(), None), (counters(2), "blind"), (philosophers(3), "cache:10(active)")):
        result = check(model, search="greedy", heuristic=heuristic, threads=2)
        assert (result.threads, result.threads_note) == (1, word)


def test_searches_say_whether_several_threads_help() -> None:
    assert {name for name, search in all_searches().items() if search.threads} == {
        *("bfs", "greedy", "astar", "wastar", "ut", "multi", "auto", "ndfs"),
    }
