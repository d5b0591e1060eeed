"""Reduced searches compared with plain search, on networks and programs that a seed stands for."""

import contextlib
import tempfile
from pathlib import Path

from benchmarks.conformance.generator import program_of
from tests.loosely_coupled import sampler_of, with_watcher
from tests.por.harness import BY_INDEX, Reducible, decided

from beeline import _native
from beeline.analysis.tiers import Service
from beeline.engine import Found
from beeline.languages import load
from beeline.model.network import Network
from beeline.model.source import BeelineError


def same_verdicts(subject: Reducible) -> None:
    """Found or not found, and where a shortest way is promised it is as short."""
    full = subject.run("bfs")
    if not decided(full):
        return
    for search, reduction, made, outcome in subject.every_way():
        told = f"{search} with {reduction}: {full.found} became {outcome.found}"
        assert not decided(outcome) or bool(outcome.found) == bool(full.found), told
        if outcome.found and search in ("bfs", "astar") and not made.needs_proviso:
            assert len(outcome.path) == len(full.path), told


def same_deadlocks(network: Network, service: Service = BY_INDEX) -> None:
    """Not only whether there is a deadlock: every single one is kept."""
    subject = Reducible(network, Found.DEADLOCK, everything=True, service=service)
    full = subject.run("bfs")
    if not decided(full):
        return
    for search, reduction, _, outcome in subject.every_way():
        told = f"{search} with {reduction}"
        assert not decided(outcome) or outcome.statistics.deadlocks == full.statistics.deadlocks, told


def compare(seed: int, service: Service = BY_INDEX) -> None:
    sampler = sampler_of(seed)
    network = sampler.network()
    same_deadlocks(network, service)
    for _ in range(3):
        wanted = sampler.rare_state(network)
        if wanted is not None:
            same_verdicts(Reducible(network, Found.GOAL, wanted, service=service))
            same_verdicts(Reducible(with_watcher(network, wanted), Found.ERROR, service=service))


def compare_program(seed: int, service: Service = BY_INDEX) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.pml"
        path.write_text(program_of(seed))
        try:
            network = load(path)
        except (BeelineError, ValueError):
            return
    with contextlib.suppress(_native.TooManyProcesses):  # another layout; the checker compiles again
        same_verdicts(Reducible(network, Found.ERROR | Found.DEADLOCK, service=service))
