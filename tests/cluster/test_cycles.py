"""Several ranks find the shortest cycles by pairs of states, and prove that there are none."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from benchmarks.conformance.liveness import live_program_of
from benchmarks.conformance.symmetric_networks import read
from benchmarks.conformance.symmetric_runs import asked_of, symmetric_runs_of
from tests.cluster.harness import LINES, RUNS, random_conditions, simulated_root
from tests.engines.test_generalised import question_about
from tests.programs import promela

from beeline import Limits
from beeline.checking import Options
from beeline.cluster.directions import Directions
from beeline.cluster.job import Job, paired
from beeline.cluster.member import Pace
from beeline.cluster.outcome import outcome_of
from beeline.engine import Found, Outcome, Status, core
from beeline.engines.cycles import estimators_about
from beeline.problems import problem_of
from beeline.problems.make import asked_of as questions_of
from beeline.problems.networks import ReadyNetwork

MOST_PAIRS = 5_000


def ready_of(folder: Path, seed: int, search: str) -> tuple[ReadyNetwork, Options, Found] | None:
    """A random question about random processes; None if it asks for no cycle."""
    network = promela(folder, live_program_of(seed))
    asked = question_about(network, random.Random(seed))
    options = Options(search=search, limits=Limits(states=MOST_PAIRS))
    if not asked.seeks_cycle:
        return None
    problem = problem_of(network, asked)
    ready = problem.ready(options.settings())
    assert isinstance(ready, ReadyNetwork)
    return ready, options, problem.stop & ~Found.CYCLE


@pytest.mark.parametrize("search", ["bfs", "astar"])
def test_random_questions_about_random_programs(search: str, tmp_path: Path) -> None:
    found = none = 0
    for seed in range(8000, 8000 + RUNS):
        made = ready_of(tmp_path, seed, search)
        if made is None:
            continue
        ready, options, stop = made
        settings, chance = options.settings(), random.Random(seed)
        estimators = estimators_about(ready, settings)
        try:
            expected = settings.run(ready.pairs(ready.space()), stop, estimators)
        except core.TooManyProcesses:
            continue
        if expected.status is Status.STATES:
            continue
        directions = Directions.of(estimators, ready.context, stop) if estimators else None
        pace = Pace(chunk=chance.choice((1, 5, None)))
        line = chance.choice(LINES)
        job = Job(ready.program.tables, stop.value, line=line, pace=pace, pairs=True, directions=directions)
        root = simulated_root(job, chance.randint(1, 5), random_conditions(chance))
        outcome = outcome_of(root, paired(job.space()))
        assert_same(outcome, expected, (seed, search))
        found += outcome.cycle is not None
        none += outcome.status is Status.EXHAUSTED
    assert found > RUNS / 10 and none > RUNS / 10


def assert_same(outcome: Outcome, expected: Outcome, about: object) -> None:
    assert (outcome.status, outcome.cycle is None) == (expected.status, expected.cycle is None), about
    assert len(outcome.path) == len(expected.path), about
    if outcome.cycle is not None:
        assert outcome.path[outcome.cycle].state == outcome.path[-1].state, about
    if outcome.status is Status.EXHAUSTED:
        assert outcome.statistics.stored == expected.statistics.stored, about


@pytest.mark.parametrize("first", [0, 8])
def test_ranks_share_pairs_of_representatives(first: int) -> None:
    folded = 0
    for seed in range(first, first + 8):
        text = symmetric_runs_of(seed)
        network = read(text)
        for asked in asked_of(text, network):
            options = Options(search="bfs", symmetry="exact", limits=Limits(states=MOST_PAIRS))
            (question,) = questions_of(network, [asked])
            problem = problem_of(network, question)
            if not question.seeks_cycle:
                continue
            ready, settings, stop = problem.ready(options.settings()), options.settings(), problem.stop & ~Found.CYCLE
            assert isinstance(ready, ReadyNetwork)
            expected = settings.run(ready.pairs(ready.space()), stop, [])
            if expected.status is Status.STATES:
                continue
            tables = ready.folded.tables or None
            job = Job(ready.program.tables, stop.value, symmetry=tables, line=7, pairs=True)
            outcome = outcome_of(simulated_root(job, 3, random_conditions(random.Random(seed))), paired(job.space()))
            assert_same(outcome, expected, (seed, asked))
            folded += ready.folded.native is not None
    assert folded > 2
