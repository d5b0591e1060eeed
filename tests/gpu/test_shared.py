"""Several devices that share the states of a search give the counts, verdicts, depths and lengths of one."""

from __future__ import annotations

import pytest
from benchmarks.conformance.generator import programs
from hypothesis import HealthCheck, settings
from tests.gpu.harness import COUNTS, PROMELA, SMALL, bundled, program_of, read_program, search_both
from tests.networks import networks
from tests.random_checks import few_and_many

from beeline.checking import Options, check
from beeline.engine import Found, Limits, Status, core
from beeline.gpu import DeviceError, find_device
from beeline.gpu.search import Setup
from beeline.jit.compiler import find_compiler
from beeline.languages import load
from beeline.model.network import Network
from beeline.model.source import BeelineError
from beeline.records import replace

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C++ compiler")

few = settings(max_examples=8, deadline=None, database=None, suppress_health_check=list(HealthCheck))
many = settings(few, max_examples=300)


def compare(program: core.Program, setup: Setup, devices: str = "host:0,1") -> None:
    """The whole layer in which something is found is searched by each, so that counts are those of complete searches
    only; traces are as long, but may be others."""
    outcome, expected, _ = search_both(program, setup.stop, setup, devices)
    if expected.status is Status.STATES:
        return
    assert (outcome.status, bool(outcome.found)) == (expected.status, bool(expected.found))
    assert len(outcome.path) == len(expected.path)
    for name in COUNTS if expected.complete else ("depth",):
        assert getattr(outcome.statistics, name) == getattr(expected.statistics, name), name


def compare_network(network: Network) -> None:
    program = program_of(network)
    if core.not_for_devices(program):
        return
    for stop in (Found.NOTHING, Found.ANYTHING):
        try:
            compare(program, replace(SMALL, stop=stop, limits=Limits(states=20_000)))
        except core.TooManyProcesses:
            continue


test_random_networks, test_hundreds_of_random_networks = few_and_many(compare_network, networks(), few, many)
test_random_promela_programs, test_hundreds_of_random_promela_programs = few_and_many(
    lambda text: compare_network(read_program(text)), programs(), few, many
)


@pytest.mark.parametrize("stop", [Found.NOTHING, Found.ANYTHING])
@pytest.mark.parametrize("devices", ["host:0,1", "host:0,1,2"])
@pytest.mark.parametrize("name", ["counters", "elevator", "marriers", "needham_schroeder"])
def test_bundled_models(name: str, devices: str, stop: Found) -> None:
    compare(bundled(name), replace(SMALL, stop=stop), devices)


def test_steps_that_a_device_leaves_reach_all_of_them() -> None:
    text = "int x; byte y[40]; active proctype P() { do :: x < 3000 -> x++ :: x > 2990 -> y[x % 40] = 77; break od }"
    compare(program_of(read_program(text)), replace(SMALL, sample=100))


def test_little_room_for_states_of_others_is_enough() -> None:
    compare(bundled("philosophers", N="6"), replace(SMALL, memory=2**19, margin=2**6))


def test_the_end_of_memory_is_unknown() -> None:
    outcome, _, _ = search_both(bundled("peterson"), Found.NOTHING, replace(SMALL, memory=2**19), "host:0,1")
    assert outcome.status is Status.MEMORY
    assert outcome.statistics.stored > 10_000


def test_a_limit_of_states_ends_it() -> None:
    setup = replace(SMALL, limits=Limits(states=1000))
    outcome, _, _ = search_both(bundled("peterson"), Found.NOTHING, setup, "host:0,1")
    assert outcome.status is Status.STATES


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (Options(search="walk"), "--search bfs"),
        (Options(search="astar"), "--search bfs"),
        (Options(search="bfs", store="bitstate"), "--store plain"),
        (Options(search="bfs", limits=Limits(depth=5)), "--max-depth"),
    ],
)
def test_what_several_devices_do_not_do_is_refused(options: Options, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEELINE_DEVICE", "host:0,1")
    with pytest.raises(BeelineError, match=why):
        check(load(PROMELA / "marriers.pml"), options=replace(options, engine="gpu"))


@pytest.mark.parametrize("name", ["host:0,0", "host:0,", "cuda:x,1", "disk:0,1"])
def test_misspelt_devices_are_refused(name: str) -> None:
    with pytest.raises(DeviceError, match="there is no device"):
        find_device(name)
