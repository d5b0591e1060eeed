"""A search on a device gives the counts, verdicts, depths and traces of the engine's own breadth-first search."""

from __future__ import annotations

import pytest
from benchmarks.conformance.generator import programs
from hypothesis import HealthCheck, settings
from tests.gpu.harness import SMALL, assert_same, bundled, program_of, read_program, search_both
from tests.networks import Sampler, networks
from tests.random_checks import few_and_many

from beeline.engine import Found, Limits, Status, core
from beeline.gpu import source
from beeline.gpu.search import Setup, missed_by_bits
from beeline.jit.compiler import find_compiler
from beeline.model.network import Network
from beeline.records import replace

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C++ compiler")

few = settings(max_examples=8, deadline=None, database=None, suppress_health_check=list(HealthCheck))
many = settings(few, max_examples=300)


def check(network: Network) -> None:
    program = program_of(network)
    if core.not_for_devices(program):
        return
    limits = Limits(states=20_000)
    for stop in (Found.NOTHING, Found.ANYTHING):
        try:
            outcome, expected, _ = search_both(program, stop, replace(SMALL, stop=stop, limits=limits))
        except core.TooManyProcesses:
            continue
        if expected.status is not Status.STATES:
            assert_same(outcome, expected)


test_random_networks, test_hundreds_of_random_networks = few_and_many(check, networks(), few, many)


def test_a_guard_fails_of_a_process_that_does_not_begin_a_common_step() -> None:
    check(Sampler(5324834).network())


test_random_promela_programs, test_hundreds_of_random_promela_programs = few_and_many(
    lambda text: check(read_program(text)), programs(), few, many
)


@pytest.mark.parametrize("stop", [Found.NOTHING, Found.ANYTHING])
@pytest.mark.parametrize("name", ["counters", "elevator", "philosophers", "marriers", "needham_schroeder", "job_queue"])
def test_bundled_models(name: str, stop: Found) -> None:
    outcome, expected, _ = search_both(bundled(name), stop)
    assert_same(outcome, expected)


@pytest.mark.parametrize("kind", [source.NARROW, source.PAIR, source.WIDE, source.COMPACT])
def test_all_stores_agree(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("beeline.gpu.search", "beeline.gpu.source"):
        monkeypatch.setattr(f"{module}.store_for", lambda twin, has_pairs=True, asked=source.PLAIN: kind)
    for stop in (Found.NOTHING, Found.ANYTHING):
        outcome, expected, told = search_both(bundled("philosophers", N="6"), stop)
        assert told.store == kind
        assert_same(outcome, expected)


def test_a_store_of_hashes_says_how_probably_it_missed_a_state() -> None:
    setup = replace(SMALL, store=source.HASH_COMPACT)
    outcome, expected, told = search_both(bundled("needham_schroeder"), Found.NOTHING, setup)
    assert (told.store, outcome.status) == (source.COMPACT, Status.GAVE_UP)
    assert 0 < outcome.omission < 1e-9
    assert (outcome.statistics.stored, expected.complete) == (expected.statistics.stored, True)


def test_a_table_of_bits_says_how_probably_it_missed_a_state() -> None:
    roomy = replace(SMALL, store=source.BITSTATE)
    outcome, expected, told = search_both(bundled("needham_schroeder"), Found.NOTHING, roomy)
    assert (told.store, outcome.status) == (source.BITS, Status.GAVE_UP)
    assert (outcome.statistics.stored, expected.complete) == (expected.statistics.stored, True)
    assert 0 < outcome.omission < 1
    outcome, _, told = search_both(bundled("peterson"), Found.NOTHING, replace(roomy, log_bits=15))
    assert told.buckets == 2**15 // 256
    assert 0.99 < outcome.omission <= 1


def test_states_that_a_table_of_bits_misses_are_as_many_as_expected() -> None:
    outcome, expected, told = search_both(
        bundled("counters"), Found.NOTHING, replace(SMALL, store=source.BITSTATE, log_bits=18)
    )
    missed = expected.statistics.stored - outcome.statistics.stored
    likely = missed_by_bits(outcome.statistics.stored, 4 * told.buckets)
    assert likely / 2 < missed < 2 * likely


@pytest.mark.parametrize("store", [source.HASH_COMPACT, source.BITSTATE])
@pytest.mark.parametrize("name", ["elevator", "philosophers", "marriers", "needham_schroeder", "job_queue"])
def test_stores_that_miss_states_find_traces_all_the_same(name: str, store: str) -> None:
    setup = replace(SMALL, stop=Found.ANYTHING, store=store)
    outcome, expected, _ = search_both(bundled(name), Found.ANYTHING, setup)
    assert bool(outcome.found) == bool(expected.found)
    assert len(outcome.path) == len(expected.path)


def test_traces_go_through_layers_that_the_host_keeps() -> None:
    setup = Setup(Found.ANYTHING, memory=220_000, buckets=2**8, margin=2**6)
    outcome, expected, told = search_both(bundled("marriers"), Found.ANYTHING, setup)
    assert told.spilled > 1000
    assert_same(outcome, expected)


@pytest.mark.parametrize("keeps", [True, False])
def test_the_end_of_memory_is_unknown(keeps: bool) -> None:
    setup = Setup(Found.NOTHING, memory=2**20, buckets=2**8, margin=2**10, keeps=keeps)
    outcome, _, _ = search_both(bundled("peterson"), Found.NOTHING, setup)
    assert outcome.status is Status.MEMORY
    assert outcome.statistics.stored > 10_000


@pytest.mark.parametrize("depth", [0, 1, 7, 8, 30])
def test_a_bound_of_the_depth(depth: int) -> None:
    setup = Setup(Found.ANYTHING, Limits(depth=depth), memory=2**26, buckets=2**8, margin=2**8)
    outcome, expected, _ = search_both(bundled("philosophers"), Found.ANYTHING, setup)
    assert_same(outcome, expected)


def test_values_that_the_sample_did_not_show_change_the_layout() -> None:
    text = "int x; byte y[40]; active proctype P() { do :: x < 3000 -> x++ :: x > 2990 -> y[x % 40] = 77; break od }"
    setup = Setup(Found.NOTHING, memory=2**26, buckets=2**8, margin=2**8, sample=100)
    outcome, expected, told = search_both(program_of(read_program(text)), Found.NOTHING, setup)
    assert_same(outcome, expected)
    assert told.restarts > 0
