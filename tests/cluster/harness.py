"""Searches by several ranks beside those of one, for tests."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from itertools import pairwise

from tests.networks import Sampler

from beeline.analysis.configuration import processes_to_come
from beeline.cluster.driving import run_in_threads
from beeline.cluster.job import Job
from beeline.cluster.outcome import outcome_of
from beeline.cluster.root import Root
from beeline.cluster.simulated import Conditions, simulate
from beeline.compile.program import Program, compile_network
from beeline.engine import Found, Limits, Outcome, Status, core
from beeline.model.network import Network
from beeline.searches.runner import run

RUNS = int(os.environ.get("BEELINE_CLUSTER_RUNS", "60"))
"""How many random searches are compared."""

MOST_STATES = 4000
LINES = (1, 7, 1024)
COUNTS = ("stored", "expanded", "generated", "deadlocks", "errors", "goals", "transient", "depth")


def program_of(network: Network) -> Program:
    """The program, with room for the processes that a look at its beginning shows."""
    return compile_network(network, None, processes_to_come(network))


def alone(program: Program, stop: Found, limits: Limits | None = None) -> Outcome:
    """What one rank says that shares nothing with others."""
    return run(core.ProgramSpace(program.native), "bfs", stop=stop, limits=limits)


def in_threads(job: Job, ranks: int) -> Outcome:
    """The same search by threads."""
    return outcome_of(run_in_threads(ranks, job.root, job.member))


def simulated(job: Job, ranks: int, conditions: Conditions) -> Outcome:
    """The same search on a simulated network."""
    return outcome_of(simulated_root(job, ranks, conditions))


def simulated_root(job: Job, ranks: int, conditions: Conditions) -> Root:
    """Its first rank, when it is done."""
    return simulate(ranks, conditions, job.root, job.member)[0]


def random_conditions(chance: random.Random) -> Conditions:
    """A network that is quick or slow, steady or not."""
    longest = 10.0 ** chance.uniform(-6, -1)
    return Conditions(
        seed=chance.getrandbits(32),
        shortest_delay=chance.choice((0.0, longest / 2)),
        longest_delay=longest,
        longest_step=10.0 ** chance.uniform(-6, -2),
    )


def random_program(seed: int) -> Program | None:
    """The program of a random network that is small enough; None if this one is not."""
    program = program_of(Sampler(seed).network())
    try:
        outcome = alone(program, Found.NOTHING, Limits(states=MOST_STATES))
    except core.TooManyProcesses:
        return None
    return program if outcome.status is Status.EXHAUSTED else None


def assert_same(outcome: Outcome, expected: Outcome, program: Program) -> None:
    """Status, counts where all was searched, and the length of a path, which must be one."""
    assert outcome.status is expected.status
    if expected.status is Status.FOUND:
        assert length(outcome) == length(expected)
        assert_is_path(outcome, program)
    else:
        counted = [getattr(outcome.statistics, name) for name in COUNTS]
        assert counted == [getattr(expected.statistics, name) for name in COUNTS]


def length(outcome: Outcome) -> int:
    """Steps of the path, the one that fails included."""
    return len(outcome.path) - 1 + (Found.ERROR in outcome.found)


def assert_is_path(outcome: Outcome, program: Program) -> None:
    """Every step of the path is one of the space, and it ends in what was found."""
    space = core.ProgramSpace(program.native)
    states = [step.state for step in outcome.path]
    starts = [words for _, _, _, words in space.initial_arcs()]
    if not states:
        assert None in starts
        return
    assert states[0] in starts
    for before, step in pairwise(outcome.path):
        assert (step.action, step.state) in _arcs(space, before.state)
    marks, arcs = space.successor_arcs(states[-1])
    if Found.DEADLOCK in outcome.found:
        assert marks & core.DEADLOCK
    if outcome.failed_step is not None:
        assert outcome.failed_step.action in [action for action, mark, _, _ in arcs if mark & core.ERROR]


def _arcs(space: core.ProgramSpace, state: Sequence[int]) -> list[tuple[int, tuple[int, ...] | None]]:
    return [(action, words) for action, _, _, words in space.successor_arcs(state)[1]]
