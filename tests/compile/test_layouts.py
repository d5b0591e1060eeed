"""However states are stored, a search finds the same: packed to the bits that occur, or as trees of shared parts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from benchmarks.generated import counters
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.compile.ranges import Ranges
from tests.networks import Sampler, networks

from beeline import Limits, Network, _native, explore
from beeline.compile.program import compile_network
from beeline.languages import load
from beeline.properties import find_property

STATES = 3000
NEVER = 2**62
STOPS = [0, _native.GOAL | _native.ERROR | _native.DEADLOCK]

several = settings(max_examples=400, suppress_health_check=list(HealthCheck), database=None)


def counts(outcome: _native.Outcome) -> tuple[object, ...]:
    names = ("stored", "expanded", "generated", "deadlocks", "errors", "goals", "transient", "depth")
    return outcome.status, *(getattr(outcome.statistics, name) for name in names)


def told(
    program: _native.Program, merged: bool, sample: int, stop: int, depth: int | None, tree: bool = False
) -> tuple[object, ...]:
    space = _native.ProgramSpace(program, merged=merged, sample=sample)
    search = space.breadth_first_tree if tree else space.breadth_first
    outcome = search(_native.Request(stop=stop, states=STATES, depth=depth))
    path = [(action, program.unpack(words)) for action, words in outcome.path]
    return outcome.found, path, outcome.error_detail, *counts(outcome)


@several
@given(networks(), st.sampled_from([1, 2, 7, 40]), st.booleans(), st.sampled_from(STOPS), st.sampled_from([None, 3]))
def test_narrow_layouts_change_no_answer(
    network: Network, sample: int, merged: bool, stop: int, depth: int | None
) -> None:
    max_processes = max(network.rules.max_processes, len(network.initial))
    program = _native.Program(compile_network(network, max_processes=max_processes).tables)
    assert told(program, merged, sample, stop, depth) == told(program, merged, NEVER, stop, depth)


@pytest.mark.parametrize("seed", [11, 33, 48, 63])
def test_counts_at_a_limit_do_not_depend_on_where_a_batch_began(seed: int) -> None:
    network = Sampler(seed).network()  # it has more states than the limit
    program = _native.Program(compile_network(network, max_processes=network.rules.max_processes).tables)
    narrow, full = (told(program, False, sample, 0, None) for sample in (7, NEVER))
    assert narrow == full
    assert full[3] == "states"


@several
@given(networks(), st.sampled_from([1, 9, NEVER]), st.booleans(), st.sampled_from(STOPS), st.sampled_from([None, 3]))
def test_trees_change_no_answer_and_no_path(
    network: Network, sample: int, merged: bool, stop: int, depth: int | None
) -> None:
    max_processes = max(network.rules.max_processes, len(network.initial))
    program = _native.Program(compile_network(network, max_processes=max_processes).tables)
    plain = told(program, merged, NEVER, stop, depth)
    assert told(program, merged, sample, stop, depth, tree=True) == plain


@pytest.mark.parametrize("first", range(0, 300, 100))
def test_values_that_come_late_change_no_count_in_any_store(first: int, tmp_path: Path) -> None:
    path = tmp_path / "model.pml"
    request = _native.Request(stop=0, states=5000)
    together = _native.Request(stop=0, states=5000, threads=2, smallest_layer=1)
    for seed in range(first, first + 100):
        path.write_text(Ranges(seed).program())
        network = load(path)
        program = _native.Program(compile_network(network, max_processes=len(network.initial)).tables)
        never = _native.ProgramSpace(program, sample=NEVER)
        narrow = _native.ProgramSpace(program, sample=1 << seed % 10)
        expected = counts(never.breadth_first(request))
        assert counts(narrow.breadth_first(request)) == expected, seed
        assert counts(narrow.breadth_first(together)) == expected, seed
        assert counts(narrow.breadth_first_tree(request, 3 << seed % 7)) == expected, seed
        assert counts(never.breadth_first_tree(request, 3 << seed % 7)) == expected, seed
        assert counts(never.breadth_first_hash_compact(request, 8))[1:] == expected[1:], seed


FORMULAS = ("[]<> (n0 == 0)", "<>[] (n0 > 0)", "[]<> (v0 == 1) || <>[] (n0 < 3)")


@pytest.mark.parametrize("first", range(0, 200, 100))
def test_values_that_come_late_change_no_search_for_cycles(first: int, tmp_path: Path) -> None:
    path = tmp_path / "model.pml"
    request = _native.Request(stop=_native.CYCLE, states=5000)
    for seed in range(first, first + 100):
        path.write_text(Ranges(seed).program())
        network = load(path)
        asked = find_property(network, f"ltl: {FORMULAS[seed % len(FORMULAS)]}")
        program = _native.Program(compile_network(asked.watched(network)).tables)
        for search in ("nested_depth_first", "component_search"):
            told = []
            for sample in (NEVER, 1 << seed % 10):
                outcome = getattr(_native.ProgramSpace(program, sample=sample, merged=True), search)(request)
                states = [(action, program.unpack(words)) for action, words in outcome.path]
                told.append((outcome.cycle, states, counts(outcome)))
            assert told[0] == told[1], (seed, search)


def test_a_tree_of_one_word_moves_to_a_layout_in_which_its_words_stay_as_they_are(tmp_path: Path) -> None:
    # Its states come in the order of their hashes then, and once found no place in a table that grew with them.
    path = tmp_path / "model.pml"
    path.write_text("""
        byte a, b; short g1;
        active [2] proctype P0() { g1 = -201; g1 = -1; g1 = 300 }
        active proctype C() { do :: a < 200 -> a++ :: b < 20 -> b++ :: a == 200 -> break od }
    """)
    tree = explore(load(path), store="tree")
    assert (tree.complete, tree.statistics.stored) == (True, 274_773)


def test_trees_take_less_memory_and_keep_to_a_limit() -> None:
    network = counters(6)
    plain, tree = explore(network), explore(network, store="tree")
    assert (tree.statistics.stored, tree.statistics.generated) == (plain.statistics.stored, plain.statistics.generated)
    assert tree.statistics.memory < plain.statistics.memory / 2
    held = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    cut = explore(network, store="tree", limits=Limits(memory=held + tree.statistics.memory // 2))
    assert (cut.complete, cut.reason) == (False, "memory limit")
    assert 0 < cut.statistics.memory <= tree.statistics.memory // 2
    assert cut.statistics.stored > 0


@settings(several, max_examples=40)
@given(networks())
def test_after_a_search_a_space_has_its_full_layout_again(network: Network) -> None:
    max_processes = max(network.rules.max_processes, len(network.initial))
    program = _native.Program(compile_network(network, max_processes=max_processes).tables)
    space = _native.ProgramSpace(program, sample=1)
    first = space.initial_arcs()[0][3]
    assert first is not None
    before = space.successor_arcs(first)
    space.breadth_first(_native.Request(stop=0, states=100))
    assert space.words == program.words
    assert space.successor_arcs(first) == before
