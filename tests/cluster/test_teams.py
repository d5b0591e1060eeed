"""Threads that share the states of a rank find what one thread finds."""

from __future__ import annotations

import random

import pytest
from benchmarks.generated import counters
from tests.cluster.harness import (
    LINES,
    RUNS,
    alone,
    assert_same,
    in_threads,
    program_of,
    random_conditions,
    random_program,
    simulated,
)

from beeline import Limits
from beeline.cluster.job import Job
from beeline.cluster.member import Pace
from beeline.engine import Found


@pytest.mark.parametrize("part", range(4))
def test_random_searches_on_random_networks(part: int) -> None:
    for seed in range(part, RUNS, 4):
        chance, program = random.Random(seed), random_program(seed)
        if program is None:
            continue
        stop = chance.choice([Found.NOTHING, Found.ANYTHING])
        depth = chance.choice([None, None, 0, 1, 3, 8])
        pace = Pace(chunk=chance.choice((1, 100, None)))
        job = Job(
            program.tables, stop.value, depth=depth, line=chance.choice(LINES), pace=pace, threads=chance.randint(2, 4)
        )
        outcome = simulated(job, chance.randint(1, 4), random_conditions(chance))
        assert_same(outcome, alone(program, stop, Limits(depth=depth)), program)


@pytest.mark.parametrize("ranks", [1, 3])
def test_all_states_of_a_larger_space(ranks: int) -> None:
    program = program_of(counters(5))
    outcome = in_threads(Job(program.tables, line=512, threads=3), ranks)
    assert_same(outcome, alone(program, Found.NOTHING), program)
