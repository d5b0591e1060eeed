"""Ranks that keep their states in files find what ranks find that keep them in memory."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from benchmarks.generated import counters
from tests.cluster.harness import (
    LINES,
    RUNS,
    alone,
    assert_same,
    in_threads,
    length,
    program_of,
    random_conditions,
    random_program,
    simulated,
    simulated_root,
)
from tests.cluster.test_cycles import ready_of
from tests.cluster.test_directed import assert_same as assert_same_answer
from tests.cluster.test_directed import directed

from beeline import Limits
from beeline.cluster.directions import Directions
from beeline.cluster.job import Job, paired
from beeline.cluster.member import Pace
from beeline.cluster.outcome import outcome_of
from beeline.engine import Found, Status, core
from beeline.engines.cycles import estimators_about
from beeline.languages import LoadOptions, load
from beeline.records import replace

BUFFERS = (1, 7, 1997, 10**6)
MODELS = Path(__file__).parents[2] / "models"


@pytest.mark.parametrize("part", range(4))
def test_random_searches_on_random_networks(part: int, tmp_path: Path) -> None:
    for seed in range(part, RUNS, 4):
        chance, program = random.Random(seed), random_program(seed)
        if program is None:
            continue
        stop = chance.choice([Found.NOTHING, Found.ANYTHING])
        depth = chance.choice([None, None, 0, 1, 3, 8])
        job = Job(
            program.tables,
            stop.value,
            depth=depth,
            line=chance.choice(LINES),
            pace=Pace(chunk=chance.choice((1, 5, None))),
            folder=str(tmp_path),
            buffer=chance.choice(BUFFERS),
        )
        outcome = simulated(job, chance.randint(1, 8), random_conditions(chance))
        assert_same(outcome, alone(program, stop, Limits(depth=depth)), program)
        assert list(tmp_path.iterdir()) == [], seed


@pytest.mark.parametrize("part", range(4))
def test_a_star_finds_what_is_shortest(part: int, tmp_path: Path) -> None:
    for seed in range(part, RUNS, 4):
        chance, program = random.Random(-seed - 1), random_program(seed)
        if program is None:
            continue
        job = directed(program, "blind", chance.choice(LINES), chance.choice((1, 5, None)))
        job = replace(job, folder=str(tmp_path), buffer=chance.choice(BUFFERS))
        outcome = simulated(job, chance.randint(1, 8), random_conditions(chance))
        assert_same_answer(outcome, alone(program, Found.ANYTHING), program)
        assert list(tmp_path.iterdir()) == [], seed


@pytest.mark.parametrize("name, stop", [("peterson", Found.ERROR), ("philosophers", Found.DEADLOCK)])
def test_a_star_goes_by_estimates(name: str, stop: Found, tmp_path: Path) -> None:
    """With a heuristic that is consistent, fewer states are stored than by distance alone, none of them twice."""
    defines = {"FAULTY": "1", "N": "2"} if name == "peterson" else {"N": "6"}
    program = program_of(load(MODELS / "promela" / f"{name}.pml", options=LoadOptions(defines)))
    expected = alone(program, stop)
    for ranks in (1, 3):
        job = replace(directed(program, "Hf", 16, stop=stop), folder=str(tmp_path))
        outcome = in_threads(job, ranks)
        assert (outcome.status, length(outcome)) == (Status.FOUND, length(expected))
        assert 0 < outcome.statistics.evaluated == outcome.statistics.stored < expected.statistics.stored


def test_ranks_that_are_threads(tmp_path: Path) -> None:
    program = program_of(counters(4))
    outcome = in_threads(Job(program.tables, folder=str(tmp_path)), 3)
    assert (outcome.status, outcome.statistics.stored) == (Status.EXHAUSTED, 10_000)
    assert outcome.statistics.disk_written > 10_000


def test_a_disk_that_is_full_ends_the_search(tmp_path: Path) -> None:
    program = program_of(counters(4))
    outcome = in_threads(Job(program.tables, disk=5_000, folder=str(tmp_path)), 2)
    assert outcome.status is Status.DISK
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("search", ["bfs", "astar"])
def test_cycles_are_found_by_pairs_on_disk(search: str, tmp_path: Path) -> None:
    found = none = 0
    for seed in range(8000, 8000 + RUNS // 2):
        made = ready_of(tmp_path, seed, search)
        if made is None:
            continue
        ready, options, stop = made
        chance, settings = random.Random(seed), options.settings()
        estimators = estimators_about(ready, settings)
        try:
            expected = settings.run(ready.pairs(ready.space()), stop, estimators)
        except core.TooManyProcesses:
            continue
        if expected.status is Status.STATES:
            continue
        directions = Directions.of(estimators, ready.context, stop) if estimators else None
        job = Job(ready.program.tables, stop.value, pairs=True, directions=directions, folder=str(tmp_path))
        outcome = outcome_of(simulated_root(job, chance.randint(1, 4), random_conditions(chance)), paired(job.space()))
        assert (outcome.status, outcome.cycle is None) == (expected.status, expected.cycle is None), seed
        assert len(outcome.path) == len(expected.path), seed
        found += outcome.cycle is not None
        none += outcome.status is Status.EXHAUSTED
    assert found > RUNS / 20 and none > RUNS / 20
