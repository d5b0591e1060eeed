"""A breadth-first search by several ranks gives the verdicts, counts and shortest lengths of one alone, whatever the
network does."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
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

from beeline.cluster.job import Job
from beeline.cluster.member import Pace
from beeline.cluster.outcome import outcome_of
from beeline.cluster.simulated import Conditions, SimulatedNetwork
from beeline.compile.program import Program
from beeline.engine import Found, Limits, Status, core
from beeline.languages import LoadOptions, load

MODELS = Path(__file__).parents[2] / "models"


def model(name: str, **defines: str) -> Program:
    return program_of(load(MODELS / "promela" / f"{name}.pml", options=LoadOptions(defines)))


@pytest.mark.parametrize("seed", range(RUNS))
def test_random_searches_on_random_networks(seed: int) -> None:
    chance = random.Random(seed)
    program = random_program(seed)
    if program is None:
        pytest.skip("too many states")
    stop = chance.choice((Found.NOTHING, Found.ANYTHING))
    depth = chance.choice((None, None, chance.randrange(12)))
    ranks, line, chunk = chance.randint(1, 8), chance.choice(LINES), chance.choice((1, 5, None))
    job = Job(program.tables, stop.value, depth=depth, line=line, pace=Pace(chunk=chunk))
    outcome = simulated(job, ranks, random_conditions(chance))
    assert_same(outcome, alone(program, stop, Limits(depth=depth)), program)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("ranks", [1, 2, 5])
def test_threads(ranks: int, line: int) -> None:
    program = model("philosophers", N="6")
    for stop in (Found.NOTHING, Found.ANYTHING):
        outcome = in_threads(Job(program.tables, stop.value, line=line), ranks)
        assert_same(outcome, alone(program, stop), program)


def test_a_violation_does_not_depend_on_the_number_of_ranks() -> None:
    program = model("philosophers", N="7")
    job = Job(program.tables, Found.ANYTHING.value, line=16)
    outcomes = [simulated(job, ranks, Conditions(seed=ranks)) for ranks in range(1, 9)]
    assert {outcome.status for outcome in outcomes} == {Status.FOUND}
    assert len({length(outcome) for outcome in outcomes}) == 1
    assert len({outcome.statistics.stored for outcome in outcomes}) == 1


def test_the_same_seed_gives_the_same_run() -> None:
    job = Job(model("philosophers", N="5").tables, Found.ANYTHING.value, line=4)
    first, second = (simulated_root(job, 4, Conditions(seed=7)) for _ in range(2))
    assert (first.path, first.waves, first.transport.now()) == (second.path, second.waves, second.transport.now())


@pytest.mark.parametrize("rank", [1, 3])
def test_a_rank_that_dies_ends_the_search_within_two_seconds(rank: int) -> None:
    job = Job(model("philosophers", N="7").tables, line=1, pace=Pace(chunk=1))
    death = 0.01
    root = simulated_root(job, 4, Conditions(seed=1, death=(rank, death)))
    assert root.status is Status.INTERRUPTED
    assert root.cause == f"rank {rank} is gone"
    assert root.transport.now() - death < 2


def test_a_rank_at_its_memory_limit_ends_the_search() -> None:
    job = Job(model("philosophers", N="8").tables, memory=1)
    for seed in range(20):  # the word of it must not be overtaken
        assert simulated(job, 6, Conditions(seed=seed, longest_delay=0.1)).status is Status.MEMORY


def test_the_limit_of_states_is_one_for_all_ranks() -> None:
    program = model("philosophers", N="6")
    states = alone(program, Found.NOTHING).statistics.stored
    for limit, status in ((states - 1, Status.STATES), (states, Status.EXHAUSTED)):
        assert simulated(Job(program.tables, states=limit), 3, Conditions()).status is status


def test_a_time_limit_is_kept() -> None:
    job = Job(model("philosophers", N="8").tables, pace=Pace(chunk=1))
    network = SimulatedNetwork(3, Conditions(longest_step=1e-3))
    members = [job.member(transport) for transport in network.transports[1:]]
    root = network.run(job.root(network.transports[0], seconds=0.5), members)
    assert root.status is Status.TIME
    assert 0.5 <= network.time < 0.8


def test_what_a_space_raises_is_raised_by_the_first_rank() -> None:
    program = program_of(load(MODELS / "promela" / "philosophers.pml", options=LoadOptions({"N": "4"})))
    job = Job(program.tables)
    network = SimulatedNetwork(2, Conditions())
    root, member = job.root(network.transports[0]), job.member(network.transports[1])
    member.failure = "TooManyProcesses"
    network.run(root, [member])
    with pytest.raises(core.TooManyProcesses):
        outcome_of(root)


def test_states_are_shared_out_evenly_and_spread_over_each_table() -> None:
    chance = random.Random(1)
    hashes = [chance.getrandbits(64) for _ in range(40_000)]
    for ranks in (2, 3, 8):
        owned = [[h for h in hashes if core.owner_of(h, ranks) == rank] for rank in range(ranks)]
        for own in owned:
            assert abs(len(own) * ranks / len(hashes) - 1) < 0.05
            for shift in (0, 32, 60):  # whichever bits a table takes
                halves = sum((h >> shift) & 1 for h in own) / len(own)
                assert abs(halves - 0.5) < 0.03


def test_states_that_were_just_sent_are_not_sent_again() -> None:
    job = Job(model("peterson").tables)
    root = simulated_root(job, 2, Conditions())
    assert root.totals is not None
    figures = root.totals.figures
    assert figures["filtered"] > 0
    assert figures["sent"] == figures["received"]
    assert root.totals.sent == root.totals.received == figures["lines"]


def test_a_line_that_is_none_is_refused() -> None:
    rank = core.LayerRank(Job(model("peterson").tables).space(), 0, 2, 8, core.Request(stop=0))
    for wrong in (b"", b"abc", bytes(12), bytes(4 * 1001)):
        with pytest.raises(ValueError, match="line"):
            rank.accept(wrong)
