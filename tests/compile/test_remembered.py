"""A space that has seen many states remembers their steps: it says what one says that remembers nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from benchmarks.conformance.generator import program_of
from tests.loosely_coupled import sampler_of

from beeline import _native
from beeline.compile.program import compile_network
from beeline.engine import Found, Limits
from beeline.languages import load
from beeline.model.expressions import Expression
from beeline.model.network import Network
from beeline.searches import find
from beeline.searches.runner import run

STATES = 300  # the arcs of so many are compared, and searches that need less than ten times as many
TIMES = int(os.environ.get("BEELINE_REMEMBERED", "1"))  # BEELINE_REMEMBERED=20 asks for a long run


SCRATCH = """
hidden byte s;
bit x;
active proctype P() {
  do
  :: atomic { if :: s = 0 :: s = 1 fi; x = 1 - x; x = 1 - x }
  od
}
"""
"""Leaving the run forgets what the last step there does not look at."""

NUMBER_PASSED_ON = """
chan give = [0] of { chan };
proctype Owner(bit sends) {
  chan c = [1] of { bit };
  if
  :: !sends -> give!c
  :: sends -> c!1; (false)
  fi
}
proctype Other() { byte v; (v) }
active proctype Reader() {
  chan h;
  bit got;
  give?h;
  do :: h?_ -> got = 1 - got od
}
active proctype Starter() {
  run Owner(0);
  (_nr_pr == 2);
  run Other();
  run Owner(1)
}
"""
"""A channel's number is that of another process's channel once its owner has ended and others have been started."""

COMPARED = """
bit x, y = 1, z;
active proctype P() { do :: x == 0 && y == z -> x = 1 :: x == 1 && z == y -> x = 0 od }
active proctype Q() { do :: y = 1 - y :: z = 1 - z od }
"""
"""The second part of a guard compares two variables."""


def compare_arcs(program: _native.Program, merged: bool, told: str) -> int:
    """Walks the states in breadth-first order; returns how many were compared."""
    space = _native.ProgramSpace(program, merged=merged)
    frontier = [words for _, _, _, words in space.initial_arcs() if words is not None]
    seen = set(frontier)
    for state in frontier:
        arcs = _native.ProgramSpace(program, merged=merged).successor_arcs(state)
        assert space.successor_arcs(state) == arcs, told
        for _, _, _, words in arcs[1]:
            if words is not None and words not in seen and len(frontier) < STATES:
                seen.add(words)
                frontier.append(words)
    return len(frontier)


def count(program: _native.Program, merged: bool, remember: bool) -> tuple[bool, int, int, bool, bool]:
    """What a search sees that packs states anew after a few of them."""
    space = _native.ProgramSpace(program, merged=merged, sample=20)
    space.remember(remember)
    limits = Limits(states=10 * STATES)
    outcome = run(space, find("bfs"), stop=Found.NOTHING, limits=limits, tier="bytecode")
    seen = outcome.statistics
    return outcome.complete, seen.stored, seen.deadlocks, seen.errors > 0, seen.goals > 0


def compare(name: str, network: Network, goal: Expression | None = None) -> int:
    max_processes = len(network.initial) + 8
    program = _native.Program(compile_network(network, goal, max_processes).tables)
    compared = 0
    for merged in (False, True):
        told = f"{name}, {merged = }"
        try:
            compared += compare_arcs(program, merged, told)
            expected = count(program, merged, remember=False)
            assert not expected[0] or count(program, merged, remember=True) == expected, told
        except _native.TooManyProcesses:
            continue
    return compared


@pytest.mark.parametrize("text", [SCRATCH, NUMBER_PASSED_ON, COMPARED])
def test_what_is_rarely_met_by_chance(text: str, tmp_path: Path) -> None:
    path = tmp_path / "model.pml"
    path.write_text(text)
    assert compare(text, load(path)) > 5


def test_random_programs(tmp_path: Path) -> None:
    """Among them are some that lose states if steps are missing because another process came through the same states
    inside an uninterrupted run."""
    states = 0
    for seed in range(240 * TIMES):
        path = tmp_path / f"{seed}.pml"
        path.write_text(program_of(seed))
        states += compare(path.name, load(path))
    assert states > 20_000


def test_random_networks() -> None:
    states = 0
    for seed in range(400 * TIMES):
        sampler = sampler_of(seed)
        network = sampler.network()
        wanted = sampler.rare_state(network)
        states += compare(f"seed {seed}", network)
        states += compare(f"seed {seed}, with a goal", network, wanted) if wanted is not None else 0
    assert states > 10_000
