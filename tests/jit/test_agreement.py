"""Native code and bytecode find the same arcs, in the same order, at every state."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from benchmarks.conformance.generator import programs
from hypothesis import HealthCheck, given, settings
from tests.jit.harness import native_spaces
from tests.networks import networks

from beeline import _native
from beeline.compile.program import compile_network
from beeline.jit.compiler import find_compiler
from beeline.languages import LoadOptions, load
from beeline.model.network import Network

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
STATES = 300
MODELS = Path(__file__).parents[2] / "models" / "promela"


def compare(network: Network, folder: Path) -> int:
    """Walks the states that bytecode finds; returns how many were compared."""
    here = len(network.initial)
    max_processes = max(here, min(network.rules.max_processes, here + 12))
    program = _native.Program(compile_network(network, max_processes=max_processes).tables)
    compared = 0
    for merged, native in enumerate(native_spaces(program, folder)):
        plain = _native.ProgramSpace(program, merged=bool(merged))
        plain.remember(False)
        compared += compare_spaces(plain, native)
    return compared


def compare_spaces(plain: _native.ProgramSpace, native: _native.ProgramSpace) -> int:
    frontier = [words for _, _, _, words in plain.initial_arcs() if words is not None]
    seen = set(frontier)
    for state in frontier:
        try:
            expected = plain.successor_arcs(state)
        except _native.TooManyProcesses:
            with pytest.raises(_native.TooManyProcesses):
                native.successor_arcs(state)
            continue
        assert native.successor_arcs(state) == expected
        for _, _, _, words in expected[1]:
            if words is not None and words not in seen and len(frontier) < STATES:
                seen.add(words)
                frontier.append(words)
    assert native.is_native
    return len(frontier)


def check_program(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.pml")
        path.write_text(text)
        assert compare(load(path, options=LoadOptions({})), Path(folder)) >= 2


def check_random(network: Network) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert compare(network, Path(folder)) >= 2


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(networks())
def test_random_networks(network: Network) -> None:
    check_random(network)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(networks())
def test_a_thousand_random_networks(network: Network) -> None:
    check_random(network)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_random_promela_programs(text: str) -> None:
    check_program(text)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_a_thousand_random_promela_programs(text: str) -> None:
    check_program(text)


LONG_RUN = """
byte turn; short n;
active [2] proctype P() {
  do
  :: atomic {
    turn < 3 -> n = 0;
    do :: n < 700 -> n++ :: n > 600 && _pid == 0 -> break :: n == 700 -> break od;
    turn++; n = 0
  }
  :: turn == 3 -> break
  od
}
"""
"""Longer than runs nest, with several ways out."""

HANDED_ON = """
chan to = [0] of { bit }; chan back = [0] of { bit }; bit seen;
active proctype Ping() { atomic { do :: to!0 -> back?seen :: seen = 1; break od } }
active proctype Pong() { bit b; end: atomic { to?b; do :: back!b; to?b od } }
"""
"""Two processes hand control to each other without end."""


@pytest.mark.parametrize("text", [LONG_RUN, HANDED_ON])
def test_runs_that_the_code_leaves_to_the_engine(text: str) -> None:
    check_program(text)


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.pml")), ids=lambda path: path.stem)
def test_promela_models(path: Path, tmp_path: Path) -> None:
    assert compare(load(path, options=LoadOptions({})), tmp_path) >= 4
