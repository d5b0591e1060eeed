"""Stores that may miss states: they prove nothing, say how probable a miss is, and show real counterexamples."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.generated import counters, philosophers
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.networks import networks

from beeline import Network, NetworkBuilder, _native, check, explore
from beeline.compile.program import compile_network
from beeline.declared import Folder
from beeline.por import ReductionError
from beeline.report.objects import result_object
from beeline.searches import Promises, SearchError, find
from beeline.stores import Store, all_stores, with_store

LOSSY = ["hash-compact", "bitstate:24"]
TIMED = Path(__file__).parents[2] / "models" / "uppaal"

several = settings(max_examples=200, suppress_health_check=list(HealthCheck), database=None)


@several
@given(networks(), st.booleans())
def test_without_a_miss_the_trace_is_that_of_bfs(network: Network, merged: bool) -> None:
    max_processes = max(network.rules.max_processes, len(network.initial))
    program = _native.Program(compile_network(network, max_processes=max_processes).tables)
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
    assert with_store(find("bfs"), "hash-compact:7").store == "hash-compact:bytes=7"
    assert with_store(find("bfs"), "plain") is find("bfs")
    with pytest.raises(SearchError, match="there is no store 'zip'"):
        with_store(find("bfs"), "zip")
    with pytest.raises(SearchError, match="goes with: bfs"):
        with_store(find("dfs"), "tree")
    with pytest.raises(SearchError, match="bytes must lie between 4 and 8"):
        with_store(find("bfs"), "hash-compact:9")
    with pytest.raises(SearchError, match="one thread"):
        check(counters(2), search="bfs", store="bitstate", threads=2)
    with pytest.raises(ReductionError, match="the store bitstate does not keep"):
        check(counters(2), search="bfs", store="bitstate", reduce="stubborn")
    with pytest.raises(ReductionError, match="the store tree does not keep"):
        check(counters(2), search="bfs", store="tree", reduce="stubborn")


@pytest.mark.parametrize("store", [*LOSSY, "tree"])
def test_models_with_clocks_refuse_other_stores(store: str) -> None:
    model = TIMED / "fischer_b_3_faulty.xta"
    for ask in (lambda: check(model, search="bfs", store=store), lambda: explore(model, store=store)):
        with pytest.raises(SearchError, match="a store of their own"):
            ask()


@pytest.mark.parametrize("name", all_stores())
def test_each_declaration_is_complete_and_in_the_file_of_its_name(name: str) -> None:
    store = all_stores()[name]
    assert store.summary
    assert store.paper
    assert all(option.summary for option in store.options)
    assert Folder("beeline.stores", "STORE", Store).find(name) == store
    for search in store.uses:
        found = with_store(find(search), f"{name}:folder" if store.in_folder else name)
        assert found.promises == (find(search).promises if store.exact else Promises(False, False))


@pytest.mark.parametrize(
    ("former", "search", "store"),
    [
        ("bfs-tree", "bfs", "tree"),
        ("bfs-hash-compact", "bfs", "hash-compact"),
        ("bfs-bitstate:20", "bfs", "bitstate"),
        ("idastar-bitstate", "idastar", "bitstate"),
    ],
)
def test_the_former_name_of_a_search_with_a_store_says_the_new_one(former: str, search: str, store: str) -> None:
    with pytest.raises(SearchError, match=f"no search .*: --search {search} --store {store}$"):
        find(former)


def test_iterative_deepening_finds_with_a_table_of_bits_and_never_proves() -> None:
    found = check(philosophers(4), search="idastar", store="bitstate:bits=20,depths=1")
    assert (found.verdict, found.search, found.store) == ("violated", "idastar", "bitstate:bits=20,depths=1")
    nothing = check(counters(2), "value[0] <= 9", search="idastar:step=3", store="bitstate")
    assert (nothing.verdict, nothing.reason, nothing.omission) == ("unknown", "incomplete search", None)
    assert check(TIMED / "fischer_b_3_faulty.xta", search="idastar", store="bitstate").verdict == "violated"
    with pytest.raises(SearchError, match="the store bitstate has no option 'depths'"):
        with_store(find("bfs"), "bitstate:depths=1")


def test_the_result_says_how_states_were_kept() -> None:
    result = check(counters(2), "value[0] <= 9", search="bfs", store="tree")
    assert (result.verdict, result.search, result.store) == ("holds", "bfs", "tree")
    assert result_object(result)["store"] == "tree"


@pytest.mark.parametrize("store", ["bitstate:16", "bitstate:bits=18,depths=1"])
def test_iterative_deepening_with_bits_ends_on_cycles(store: str) -> None:
    """A state that is met deep first is not visited again: the bound must not grow by one for each step of a path."""
    builder = NetworkBuilder("rings")
    for name in "xyz":
        builder.variable(name, 0, 9)
        builder.process(name.upper()).location("at").edge("at", "at", effect=f"{name} = ({name} + 1) % 10")
    result = check(builder, "x < 99", search="idastar", heuristic="blind", store=store, shrink="none")
    assert (result.verdict, result.reason) == ("unknown", "incomplete search")
    assert result.statistics.expanded < 200_000
