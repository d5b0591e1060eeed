"""Help for the tests of Promela: exploring a model with the reference interpreter, and asking SPIN."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from benchmarks.conformance.spin import quick_compiler

from beeline.languages.promela.elaborate import elaborate
from beeline.languages.promela.parser import parse_text
from beeline.model.network import Network
from beeline.model.semantics import Semantics
from beeline.model.statements import Assert
from beeline.records import replace

SPIN = ("spin", "-a", "-o1", "-o2", "-o3")
COMPILE = (quick_compiler(), "-O0", "-w", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-o", "pan", "pan.c")
COUNT = ("./pan", "-E", "-A", "-c0", "-m100000")


@dataclass(frozen=True)
class Explored:
    """What the reference interpreter finds in the whole state space."""

    states: int  # as SPIN counts: those in which no process has control
    deadlocks: int
    errors: tuple[str, ...]  # kinds of run-time errors and failed assertions


def explore_network(network: Network, limit: int = 100_000) -> Explored:
    """Every state of a network, by the reference interpreter."""
    semantics = Semantics(network.alone)
    waiting = semantics.initial_states()
    seen = set(waiting)
    errors: list[str] = []
    deadlocks = 0
    while waiting:
        state = waiting.pop()
        steps = semantics.steps(state)
        deadlocks += not steps and semantics.is_deadlock(state)
        for step in steps:
            if step.target is None:
                assert step.error is not None
                errors.append(step.error.kind)
            elif step.target not in seen:
                seen.add(step.target)
                waiting.append(step.target)
        assert len(seen) <= limit, "the state space is larger than this test expects"
    return Explored(sum(state.control < 0 for state in seen), deadlocks, tuple(sorted(errors)))


def without_assertions(network: Network) -> Network:
    """The network as pan sees it with -A."""
    processes = tuple(
        replace(
            process,
            edges=tuple(
                replace(edge, effect=tuple(s for s in edge.effect if not isinstance(s, Assert)))
                for edge in process.edges
            ),
        )
        for process in network.processes
    )
    return replace(network, processes=processes)


@dataclass(frozen=True)
class Pan:
    """A verifier that SPIN made."""

    folder: Path

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            ["./pan", *arguments], cwd=self.folder, capture_output=True, text=True, errors="replace", timeout=60
        )
        return done.stdout

    def states(self) -> int:
        found = re.search(r"(\S+) states, stored", self.run(*COUNT[1:]))
        assert found is not None
        return int(float(found.group(1)))

    def errors(self) -> int:
        """How many errors pan reports by default (it stops at the first)."""
        found = re.search(r"errors: (\d+)", self.run("-m100000"))
        assert found is not None
        return int(found.group(1))


@pytest.fixture
def explore() -> Callable[..., Explored]:
    """Explores a model given as text."""

    def run(text: str, lossy: bool = False) -> Explored:
        return explore_network(elaborate(parse_text(text), lossy))

    return run


@pytest.fixture
def spin(tmp_path: Path) -> Callable[..., Pan]:
    """Makes SPIN's verifier for a model given as text; the test is skipped where SPIN is not installed."""
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        pytest.skip("SPIN (or gcc, which it needs) is not installed")

    def make(text: str, *options: str, claim: bool = False) -> Pan:
        (tmp_path / "model.pml").write_text(text)
        made = subprocess.run([*SPIN, *options, "model.pml"], cwd=tmp_path, capture_output=True, text=True)
        assert made.returncode == 0, made.stdout + made.stderr
        compile = [flag for flag in COMPILE if not (claim and flag in ("-DNOCLAIM", "-DSAFETY"))]
        subprocess.run(compile, cwd=tmp_path, check=True, capture_output=True)
        return Pan(tmp_path)

    return make
