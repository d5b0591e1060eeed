"""The breadth-first part of `auto`, which takes uninterrupted runs as one step: what it finds is told step by step."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from benchmarks.conformance.generator import programs
from hypothesis import HealthCheck, given, settings
from tests.networks import networks

from beeline import check
from beeline.checking import Result
from beeline.engine import Limits
from beeline.languages import load
from beeline.model.network import Network

PROGRAMS = int(os.environ.get("BEELINE_NETWORKS", "200"))
AT_ONCE = "auto:ahead=0"  # small models are done before the sweep begins otherwise
many = settings(
    max_examples=PROGRAMS,
    suppress_health_check=list(HealthCheck),
    database=None,
    deadline=None,
)


def loaded(text: str) -> Network:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.pml")
        path.write_text(text)
        network = load(path)
    assert isinstance(network, Network)
    return network


def compare(network: Network) -> Result:
    expected = check(network, search="bfs", limits=Limits(states=20_000))
    # With runs as one step another order of states is searched, which may take more of them to the same violation.
    found = check(network, search=AT_ONCE, limits=Limits(states=200_000))
    if expected.verdict == "unknown":
        return found
    assert found.verdict == expected.verdict
    if found.trace is not None and expected.trace is not None:
        length, shortest = len(found.trace.steps), len(expected.trace.steps)
        assert length == shortest if found.shortest else length >= shortest
    return found


@many
@given(programs())
def test_random_programs_have_the_verdicts_of_breadth_first_search(text: str) -> None:
    compare(loaded(text))


@many
@given(networks())
def test_random_networks_have_them_too(network: Network) -> None:
    compare(network)


RUNS = """
byte x, y;
active proctype P() {
    do
    :: x < 6 -> x++
    :: atomic { x == 6 -> if :: y = 1; y = 2 :: y = 3 fi; x = 0; if :: y == 2 -> y = 4 :: else fi; %s }
    od
}
active proctype Q() { do :: y < 4 -> skip :: y == 4 -> break od }
"""


@pytest.mark.parametrize(("inside", "reason"), [("assert(y != 4)", "assertion"), ("(y != 4) -> y = 0", "deadlock")])
def test_a_violation_inside_a_run_has_all_steps_that_lead_to_it(inside: str, reason: str) -> None:
    found = compare(loaded(RUNS % inside))
    assert found.verdict == "violated"
    assert reason in found.reason
    assert found.shortest


def test_a_proof_counts_the_states_between_runs() -> None:
    network = loaded(RUNS % "y = 4")
    found = check(network, "safety", search=AT_ONCE)
    assert found.statistics.transient == 0
    assert found.statistics.stored == check(network, search="dfs").statistics.stored


STILL = "byte x; active proctype P() { x == 1 -> x = 2 }"


@pytest.mark.parametrize("search", ["auto", AT_ONCE])
def test_a_space_of_one_state_has_one_state(search: str) -> None:
    assert check(loaded(STILL), "x == 0", search=search).statistics.stored == 1


@pytest.mark.parametrize("search", ["auto", AT_ONCE])
def test_nothing_is_nearer_than_the_beginning(search: str) -> None:
    found = check(loaded(STILL), "x == 1", search=search)
    assert found.verdict == "violated" and found.shortest
    assert found.trace is not None and not found.trace.steps
