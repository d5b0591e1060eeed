"""However states are stored, a search finds the same: packed to the bits that occur, or as trees of shared parts."""

from __future__ import annotations

from benchmarks.generated import counters
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.networks import Sampler, networks

from beeline import Limits, Network, _native, explore
from beeline.compile.program import compile_network

STATES = 3000
NEVER = 2**62
STOPS = [0, _native.GOAL | _native.ERROR | _native.DEADLOCK]

several = settings(max_examples=400, suppress_health_check=list(HealthCheck), phases=[Phase.generate], database=None)


def told(
    program: _native.Program, merged: bool, sample: int, stop: int, depth: int | None, tree: bool = False
) -> tuple[object, ...]:
    space = _native.ProgramSpace(program, merged=merged, sample=sample)
    search = space.breadth_first_tree if tree else space.breadth_first
    outcome = search(_native.Request(stop=stop, states=STATES, depth=depth))
    counts = outcome.statistics
    names = ("stored", "expanded", "generated", "deadlocks", "errors", "goals", "transient", "depth")
    path = [(action, program.unpack(words)) for action, words in outcome.path]
    return outcome.status, outcome.found, path, outcome.error_detail, *(getattr(counts, name) for name in names)


@several
@given(networks(), st.sampled_from([1, 2, 7, 40]), st.booleans(), st.sampled_from(STOPS), st.sampled_from([None, 3]))
def test_narrow_layouts_change_no_answer(
    network: Network, sample: int, merged: bool, stop: int, depth: int | None
) -> None:
    room = max(network.rules.max_processes, len(network.initial))
    program = _native.Program(compile_network(network, _native.opcodes(), room=room).tables)
    assert told(program, merged, sample, stop, depth) == told(program, merged, NEVER, stop, depth)


def test_counts_at_a_limit_do_not_depend_on_where_a_batch_began() -> None:
    network = Sampler(45148634).network()  # its layout changes in the batch that meets the limit
    program = _native.Program(compile_network(network, _native.opcodes(), room=network.rules.max_processes).tables)
    narrow, full = (told(program, False, sample, 0, None) for sample in (7, NEVER))
    assert narrow == full
    assert full[0] == "states"


@several
@given(networks(), st.sampled_from([1, 9, NEVER]), st.booleans(), st.sampled_from(STOPS), st.sampled_from([None, 3]))
def test_trees_change_no_answer_and_no_path(
    network: Network, sample: int, merged: bool, stop: int, depth: int | None
) -> None:
    room = max(network.rules.max_processes, len(network.initial))
    program = _native.Program(compile_network(network, _native.opcodes(), room=room).tables)
    plain = told(program, merged, NEVER, stop, depth)
    assert told(program, merged, sample, stop, depth, tree=True) == plain


def test_trees_take_less_memory_and_keep_to_a_limit() -> None:
    network = counters(6)
    plain, tree = explore(network), explore(network, store="tree")
    assert (tree.statistics.stored, tree.statistics.generated) == (plain.statistics.stored, plain.statistics.generated)
    assert tree.statistics.memory < plain.statistics.memory / 2
    cut = explore(network, store="tree", limits=Limits(memory=tree.statistics.memory // 2))
    assert (cut.complete, cut.reason) == (False, "memory limit")
    assert cut.statistics.memory <= tree.statistics.memory // 2


@settings(several, max_examples=40)
@given(networks())
def test_after_a_search_a_space_has_its_full_layout_again(network: Network) -> None:
    room = max(network.rules.max_processes, len(network.initial))
    program = _native.Program(compile_network(network, _native.opcodes(), room=room).tables)
    space = _native.ProgramSpace(program, sample=1)
    first = space.initial_arcs()[0][3]
    assert first is not None
    before = space.successor_arcs(first)
    space.breadth_first(_native.Request(stop=0, states=100))
    assert space.words == program.words
    assert space.successor_arcs(first) == before
