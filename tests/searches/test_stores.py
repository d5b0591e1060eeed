"""Stores that may miss states: they prove nothing, say how probable a miss is, and show real counterexamples."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.generated import counters, philosophers
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.networks import networks

from beeline import Network, _native, check, explore
from beeline.compile.program import compile_network
from beeline.por import ReductionError
from beeline.searches import SearchError, find, with_store

LOSSY = ["hash-compact", "bitstate:24"]
TIMED = Path(__file__).parents[2] / "models" / "uppaal"

several = settings(max_examples=200, suppress_health_check=list(HealthCheck), phases=[Phase.generate], database=None)


@several
@given(networks(), st.booleans())
def test_without_a_miss_the_trace_is_that_of_bfs(network: Network, merged: bool) -> None:
    room = max(network.rules.max_processes, len(network.initial))
    program = _native.Program(compile_network(network, room=room).tables)
    space = _native.ProgramSpace(program, merged=merged, sample=2**62)
    request = _native.Request(stop=_native.GOAL | _native.ERROR | _native.DEADLOCK, states=2000)
    exact = space.breadth_first(request)
    for found in (space.breadth_first_hash_compact(request, 8), space.breadth_first_bitstate(request, 26)):
        assert (found.found, found.path, found.error_detail) == (exact.found, exact.path, exact.error_detail)
        assert found.statistics.stored == exact.statistics.stored
        assert found.status == {"exhausted": "gave up"}.get(exact.status, exact.status)


@pytest.mark.parametrize("store", LOSSY)
def test_nothing_found_is_unknown_with_a_probability(store: str) -> None:
    result = check(counters(3), "value[0] <= 9", search="bfs", store=store)
    assert result.verdict == "unknown"
    assert result.omission is not None
    assert 0 < result.omission < 1e-6
    assert result.reason == f"with probability {result.omission:.2g} a state was missed"
    counted = explore(counters(3), store=store)
    assert (counted.complete, counted.statistics.stored) == (False, 1000)
    assert counted.reason == f"with probability {counted.omission:.2g} a state was missed"


@pytest.mark.parametrize("store", LOSSY)
def test_a_counterexample_is_replayed_and_not_called_shortest(store: str) -> None:
    result = check(philosophers(6), search="bfs", store=store)
    assert (result.verdict, result.reason, result.shortest) == ("violated", "deadlock", False)
    assert result.trace is not None
    assert len(result.trace) == 6


def test_a_table_that_is_too_small_misses_states_and_knows_it() -> None:
    found = explore(counters(4), store="bitstate:12")
    assert found.statistics.stored < 10_000
    assert found.omission is not None
    assert found.omission > 0.99


def test_stores_are_named_with_options_and_mistakes_are_explained() -> None:
    assert str(with_store(find("bfs"), "hash-compact:7")) == "bfs-hash-compact:bytes=7"
    assert with_store(find("bfs"), "plain") is find("bfs")
    with pytest.raises(SearchError, match="there is no store 'zip'"):
        with_store(find("bfs"), "zip")
    with pytest.raises(SearchError, match="goes with: bfs"):
        with_store(find("dfs"), "tree")
    with pytest.raises(SearchError, match="bytes must lie between 4 and 8"):
        with_store(find("bfs"), "hash-compact:9")
    with pytest.raises(SearchError, match="one thread"):
        check(counters(2), search="bfs", store="bitstate", threads=2)
    with pytest.raises(ReductionError, match="leaves out no steps"):
        check(counters(2), search="bfs", store="bitstate", reduce="stubborn")
    with pytest.raises(ReductionError, match="bfs-tree leaves out no steps"):
        check(counters(2), search="bfs", store="tree", reduce="stubborn")


@pytest.mark.parametrize("store", [*LOSSY, "tree"])
def test_models_with_clocks_refuse_other_stores(store: str) -> None:
    model = TIMED / "fischer_b_3_faulty.xta"
    for ask in (lambda: check(model, search="bfs", store=store), lambda: explore(model, store=store)):
        with pytest.raises(SearchError, match="a store of their own"):
            ask()
