"""The generated step function finds the arcs of the engine, at every state."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from benchmarks.conformance.generator import programs
from hypothesis import HealthCheck, settings
from tests.gpu.harness import compare_steps, program_of, read_program
from tests.networks import networks
from tests.random_checks import few_and_many

from beeline.engine import core
from beeline.jit.compiler import find_compiler
from beeline.languages import LoadOptions, load
from beeline.model.network import Network

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C++ compiler")
MODELS = Path(__file__).parents[2] / "models"
SLOW_TO_COMPILE = ("giop", "cache_coherence", "pots", "sieve", "leader", "two_phase_commit")
QUICK = [path for path in sorted(MODELS.glob("*/*.[pd][mv][le]")) if path.stem not in SLOW_TO_COMPILE]
THOROUGH = [path for path in sorted(MODELS.glob("*/*.[pd][mv][le]")) if path.stem in SLOW_TO_COMPILE]

few = settings(max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck))
many = settings(few, max_examples=500)


def check(network: Network) -> None:
    if core.not_for_devices(program_of(network)):
        return
    with tempfile.TemporaryDirectory() as folder:
        compared, _ = compare_steps(network, Path(folder), 100)
        assert compared >= 1


test_random_networks, test_hundreds_of_random_networks = few_and_many(check, networks(), few, many)


test_random_promela_programs, test_hundreds_of_random_promela_programs = few_and_many(
    lambda text: check(read_program(text)), programs(), few, many
)


@pytest.mark.parametrize("path", QUICK, ids=lambda path: path.stem)
def test_bundled_models_leave_nothing_to_the_host(path: Path, tmp_path: Path) -> None:
    compared, left = compare_steps(load(path, options=LoadOptions({})), tmp_path, 200)
    assert (compared > 1, left) == (True, 0)


@pytest.mark.slow
@pytest.mark.parametrize("path", THOROUGH, ids=lambda path: path.stem)
def test_larger_models_leave_nothing_to_the_host(path: Path, tmp_path: Path) -> None:
    compared, left = compare_steps(load(path, options=LoadOptions({})), tmp_path, 200)
    assert (compared > 1, left) == (True, 0)


OWN_CHANNELS = """
chan names = [1] of { chan };
byte got;
proctype Giver(byte n) { chan mine = [2] of { byte }; names!mine; mine!n; mine!!n + 1; mine?<got>; mine?got }
init { chan c; run Giver(1); run Giver(2); names?c; c?got; names?c; c??2 }
"""
MANY_MEET = """
mtype = { a, b };
chan meet = [0] of { mtype, byte }; byte sum;
active [3] proctype Sender() { do :: meet!a(_pid) :: meet!b(1) od }
active [3] proctype Taker() {
  byte n;
  do
  :: meet?a(n) -> sum = (sum + n) % 5
  :: atomic { meet?b(n); d_step { sum = 0; n = 0 } }
  od
}
"""


@pytest.mark.parametrize("text", [OWN_CHANNELS, MANY_MEET])
def test_channels_of_processes_and_handshakes_of_many(text: str, tmp_path: Path) -> None:
    compared, left = compare_steps(read_program(text), tmp_path, 500)
    assert (compared > 20, left) == (True, 0)


def test_what_is_refused_is_said() -> None:
    text = "byte x; active proctype P() priority 2 { x = 1 } active proctype Q() priority 3 { x = 2 }"
    assert core.not_for_devices(program_of(read_program(text))) == "processes or channels have priorities"
