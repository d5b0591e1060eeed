"""Native code and bytecode find the same arcs, in the same order, at every state."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from benchmarks.conformance.generator import programs
from benchmarks.conformance.murphi_generator import murphi_of
from hypothesis import HealthCheck, given, settings
from tests.jit.harness import native_spaces
from tests.networks import Sampler, networks

from beeline import _native
from beeline.compile.program import compile_network
from beeline.jit.compiler import find_compiler
from beeline.languages import LoadOptions, load
from beeline.model.expressions import Expression
from beeline.model.network import Network

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
STATES = 300
MODELS = Path(__file__).parents[2] / "models"
PROGRAMS = int(os.environ.get("BEELINE_JIT", "1")) * 8
"""Random programs in Murphi; twice as many networks."""


def compare(network: Network, folder: Path, goal: Expression | None = None) -> int:
    """Walks the states that bytecode finds; returns how many were compared."""
    here = len(network.initial)
    max_processes = max(here, min(network.rules.max_processes, here + 12))
    program = _native.Program(compile_network(network, goal, max_processes).tables)
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
    assert native.is_native or not frontier  # it looks for its code when it is asked first
    return len(frontier)


def check_program(text: str, suffix: str = ".pml") -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"model{suffix}")
        path.write_text(text)
        assert compare(load(path, options=LoadOptions({})), Path(folder)) >= 2


def check_random(network: Network) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert compare(network, Path(folder)) >= 2


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(networks())
def test_random_networks(network: Network) -> None:
    check_random(network)


@pytest.mark.parametrize("seed", range(2 * PROGRAMS))
def test_goals_of_random_networks(seed: int, tmp_path: Path) -> None:
    sampler = Sampler(seed)
    goal = sampler.condition(local=False)
    assert compare(sampler.network(), tmp_path, goal) >= 2


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


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_random_murphi_programs(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "model.m"
    path.write_text(murphi_of(seed))
    compare(load(path, options=LoadOptions({})), tmp_path)  # some have no states, because all startstates fail


LONG_LOOP = """
var a: array [0..9] of 0..99; n: 0..1000;
startstate for i: 0..9 do a[i] := 0; end; n := 0; end;
rule "many times" true ==> begin
  n := 0;
  while n < 700 do a[n % 10] := (a[n % 10] + n) % 100; n := n + 1; end;
  n := 0;
end;
rule "too far" a[3] > 50 ==> begin
  while n < 700 do a[n % 10] := a[n % 10] + 1; n := n + 1; end;
end;
"""
"""Steps with more changes than fit into the log at first, one of which fails."""


def test_long_loops() -> None:
    check_program(LONG_LOOP, ".m")


TWICE = """
type small: 0..3;
var x: 0..255; y: array [small] of 0..255; part: record there: boolean; data: small; end;
startstate x := 0; for i: small do y[i] := 0; end; undefine part; part.there := false; end;
ruleset i: small do
  rule "over" y[i] < 20 ==> begin
    x := 250; y[i] := 255; undefine part; part.there := y[i] > 9; y[i] := x - 230; x := 3;
  end;
  rule "add" y[i] < 20 ==> begin y[i] := y[i] + 1; y[i] := y[i] + 1; part.there := false; part.data := i; end;
end;
"""
"""Cells are changed several times in a step, and hold what no state does meanwhile."""


@pytest.mark.parametrize("sample", [1, 20, 1 << 14])
def test_changes_of_one_cell_add_up(sample: int, tmp_path: Path) -> None:
    path = tmp_path / "model.m"
    path.write_text(TWICE)
    program = _native.Program(compile_network(load(path, options=LoadOptions({}))).tables)
    plain = _native.ProgramSpace(program)
    plain.remember(False)
    native, _ = native_spaces(program, tmp_path, sample)
    assert compare_spaces(plain, native) == STATES
    request = _native.Request(stop=0, states=5000)
    found = [space.breadth_first(request).statistics for space in (plain, native)]
    assert found[0].stored == 5000
    for name in ("stored", "expanded", "generated", "errors", "depth"):
        assert getattr(found[0], name) == getattr(found[1], name)


ASKED = """
type ident: scalarset(3); small: 0..3;
var at: array [ident] of enum { far, near, gone }; level: array [ident] of small; whom: array [ident] of ident;
startstate for i: ident do at[i] := far; undefine level[i]; undefine whom[i]; end; end;
ruleset i: ident do
  rule "set" at[i] = far & isundefined(level[i]) ==> level[i] := 1; end;
  rule "come" at[i] = far & !isundefined(level[i]) & level[i] < 3 ==> at[i] := near; level[i] := level[i] + 1; end;
  rule "back" at[i] = near -> level[i] > 2 ==> begin if at[i] != gone then at[i] := far; end; end;
  rule "read too early" at[i] = near & (level[i] = 3 | whom[i] = i) ==> at[i] := gone; end;
  rule "divide" at[i] = gone & 6 / (3 - level[i]) > 1 ==> undefine level[i]; end;
  rule "point" at[i] = gone & isundefined(whom[i]) ==> whom[i] := i; at[i] := far; end;
  rule "follow" !isundefined(whom[i]) & level[whom[i]] = 2 ==> undefine whom[i]; end;
  rule "anyone" exists j: ident do at[j] = gone & level[j] = 3 end ==> at[i] := near; end;
end;
"""
"""Guards that fail for one value of a cell only, behind other cells, through an index, or in a loop."""


@pytest.mark.parametrize("way", ["whom[i] = i", "level[whom[i]] = 1"])
def test_guards_that_single_cells_decide(way: str) -> None:
    check_program(ASKED.replace("whom[i] = i)", f"{way})"), ".m")


MANY = """
type wide: 0..150; var at: array [wide] of 0..2; n: 0..3;
startstate for i: wide do at[i] := 0; end; n := 0; end;
ruleset i: wide do rule "up" at[i] = 0 & n < 3 ==> at[i] := 1; n := n + 1; end; end;
rule "down" n = 3 & at[7] != 1 ==> n := 0; at[7] := 2; end;
"""
"""More processes than one group has."""


def test_more_processes_than_one_group_has() -> None:
    check_program(MANY, ".m")


@pytest.mark.parametrize("path", sorted(MODELS.glob("murphi/*.m")), ids=lambda path: path.stem)
def test_murphi_models(path: Path, tmp_path: Path) -> None:
    assert compare(load(path, options=LoadOptions({})), tmp_path) >= 4


@pytest.mark.parametrize("path", sorted(MODELS.glob("promela/*.pml")), ids=lambda path: path.stem)
def test_promela_models(path: Path, tmp_path: Path) -> None:
    assert compare(load(path, options=LoadOptions({})), tmp_path) >= 4
