"""What a process can do depends on the cells that are told: where these have the same values, it does the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from benchmarks.conformance.generator import program_of
from hypothesis import HealthCheck, given, settings
from tests.compile.test_remembered import COMPARED, NUMBER_PASSED_ON
from tests.loosely_coupled import sampler_of
from tests.networks import networks

from beeline import _native
from beeline.compile.program import compile_network
from beeline.languages import load
from beeline.model.network import Network

STATES = 200
TIMES = int(os.environ.get("BEELINE_LOCAL_STEPS", "1"))  # BEELINE_LOCAL_STEPS=20 asks for a long run

Cells = tuple[int, ...]
Steps = list[_native.LocalStep]


def targets(cells: Cells, steps: Steps) -> list[tuple[object, ...]]:
    """What the steps make of a state."""
    found: list[tuple[object, ...]] = []
    for step in steps:
        target = list(cells)
        for cell, value in step.writes:
            target[cell] = value
        found.append((step.action, step.marks, step.detail, step.passes_committed, step.priority, tuple(target)))
    return found


class Learner:
    """Remembers what was told, and finds out whether it is true elsewhere."""

    def __init__(self, program: _native.Program) -> None:
        self.program = program
        self.space = _native.ProgramSpace(program)
        self.known: dict[tuple[int, bool], dict[Cells, dict[Cells, Steps]]] = {}
        self.compared = 0

    def look_at(self, words: Cells, pid: int, timeout: bool, told: str) -> Steps:
        cells = tuple(self.program.unpack(words))
        reads, steps = self.space.local_steps(words, pid, timeout)
        expected = targets(cells, steps)
        entries = self.known.setdefault((pid, timeout), {})
        for key, values in entries.items():
            known = values.get(tuple(cells[cell] for cell in key))
            if known is not None:
                assert targets(cells, known) == expected, f"{told}, process {pid}, {timeout = }, {cells}, {key}"
                self.compared += 1
        key = tuple(sorted(reads))
        entries.setdefault(key, {})[tuple(cells[cell] for cell in key)] = steps
        return steps


def compare(name: str, network: Network) -> int:
    """How often the steps of a process could be compared with what was told of it before."""
    compiled = compile_network(network, None, len(network.initial) + 8)
    program = _native.Program(compiled.tables)
    plain = _native.ProgramSpace(program)
    learner = Learner(program)
    frontier = [words for _, _, _, words in plain.initial_arcs() if words is not None]
    seen = set(frontier)
    try:
        for state in frontier:
            marks, arcs = plain.successor_arcs(state)
            count = 0
            for pid in range(len(compiled.layout.processes)):
                learner.look_at(state, pid, True, name)
                count += len(learner.look_at(state, pid, False, name))
            exempt = marks & _native.TRANSIENT or network.times_out or network.monitor is not None
            assert exempt or count >= len(arcs), name
            for _, _, _, words in arcs:
                if words is not None and words not in seen and len(frontier) < STATES:
                    seen.add(words)
                    frontier.append(words)
    except _native.TooManyProcesses:
        pass
    return learner.compared


@pytest.mark.parametrize("text", [NUMBER_PASSED_ON, COMPARED])
def test_what_is_rarely_met_by_chance(text: str, tmp_path: Path) -> None:
    path = tmp_path / "model.pml"
    path.write_text(text)
    assert compare(text, load(path)) > 5


def test_random_programs(tmp_path: Path) -> None:
    compared = 0
    for seed in range(120 * TIMES):
        path = tmp_path / f"{seed}.pml"
        path.write_text(program_of(seed))
        compared += compare(path.name, load(path))
    assert compared > 20_000


def test_random_networks() -> None:
    compared = sum(compare(f"seed {seed}", sampler_of(seed).network()) for seed in range(100 * TIMES))
    assert compared > 10_000


@settings(max_examples=150 * TIMES, deadline=None, suppress_health_check=list(HealthCheck))
@given(network=networks())
def test_networks_with_everything(network: Network) -> None:
    compare("network", network)
