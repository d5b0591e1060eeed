"""A* by several ranks finds what one finds, after as few steps, whatever the network does."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.cluster.harness import (
    LINES,
    RUNS,
    alone,
    assert_is_path,
    in_threads,
    length,
    program_of,
    random_conditions,
    random_program,
    simulated,
)

from beeline import NetworkBuilder
from beeline.cluster import root
from beeline.cluster.directions import Directions
from beeline.cluster.job import Job
from beeline.cluster.member import Pace
from beeline.cluster.simulated import Conditions
from beeline.compile.program import Program
from beeline.engine import Found, Outcome, Status
from beeline.heuristics import Context, build
from beeline.languages import LoadOptions, load

MODELS = Path(__file__).parents[2] / "models"


def directed(
    program: Program, heuristic: str, line: int, chunk: int | None = None, stop: Found = Found.ANYTHING
) -> Job:
    context = Context(program.network, program, program.native, stop=stop)
    directions = Directions.of(build(heuristic, context), context, stop)
    return Job(program.tables, stop.value, line=line, pace=Pace(chunk=chunk), directions=directions)


def assert_same(outcome: Outcome, expected: Outcome, program: Program) -> None:
    assert outcome.status is expected.status
    if outcome.status is Status.FOUND:
        assert length(outcome) == length(expected)
        assert_is_path(outcome, program)
    else:
        assert outcome.statistics.stored == expected.statistics.stored


@pytest.mark.parametrize("seed", range(RUNS))
def test_random_searches_on_random_networks(seed: int) -> None:
    chance = random.Random(-seed - 1)
    program = random_program(seed)
    if program is None:
        pytest.skip("too many states")
    job = directed(program, "blind", chance.choice(LINES), chance.choice((1, 5, None)))
    outcome = simulated(job, chance.randint(1, 8), random_conditions(chance))
    assert_same(outcome, alone(program, Found.ANYTHING), program)


@pytest.mark.parametrize("heuristic", ["blind", "hL"])
@pytest.mark.parametrize("ranks", [1, 3])
def test_a_failing_assertion(ranks: int, heuristic: str) -> None:
    program = program_of(load(MODELS / "promela" / "peterson.pml", options=LoadOptions({"FAULTY": "1", "N": "2"})))
    expected = alone(program, Found.ANYTHING)
    for outcome in (
        in_threads(directed(program, heuristic, 16), ranks),
        simulated(directed(program, heuristic, 16), ranks, Conditions(seed=ranks)),
    ):
        assert_same(outcome, expected, program)


def test_a_shorter_way_that_comes_later_is_taken() -> None:
    """Ranks do not wait for each other, so that states are first met on detours."""
    program = program_of(load(MODELS / "promela" / "philosophers.pml", options=LoadOptions({"N": "6"})))
    job = directed(program, "blind", 1)
    reopened = 0
    for seed in range(5):
        outcome = simulated(job, 4, Conditions(seed=seed, longest_delay=0.01))
        assert_same(outcome, alone(program, Found.ANYTHING), program)
        reopened += outcome.statistics.reopened
    assert reopened > 0


def test_one_balanced_wave_would_end_searches_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulated network is as hostile as it must be: what one wave overlooks, two never do."""
    builder = NetworkBuilder("cube")
    for name in ("x", "y", "z"):
        builder.variable(name, 0, 1)
        builder.process(name.upper()).location("s").edge("s", "s", guard=f"{name} == 0", effect=f"{name}++")
    program = program_of(builder.build())
    job = directed(program, "blind", 1, stop=Found.GOAL)

    def ended_early() -> int:
        found = (simulated(job, 5, Conditions(seed=seed, longest_delay=0.1)) for seed in range(100))
        return sum(outcome.statistics.stored < 8 for outcome in found)

    assert ended_early() == 0
    monkeypatch.setattr(root, "is_quiet", lambda previous, sums: sums.sent == sums.received)
    assert ended_early() > 0
