"""Systems of networks: the engine finds what the interpreter does, and so do several ranks, however messages are
delayed."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from tests.cluster.harness import random_conditions
from tests.networks import Sampler

from beeline import Limits
from beeline.analysis.configuration import processes_to_come
from beeline.cluster.member import Pace
from beeline.cluster.simulated import simulate
from beeline.cluster.system_job import SystemJob, explore_in, parts_of
from beeline.conformance.graph import complete_graph
from beeline.conformance.suspension import suspension_of
from beeline.engine import Progress
from beeline.languages import LoadOptions, load
from beeline.lts import Lts, TooManyStates, compare, label_by_event, label_by_step, lts_of, network_system
from beeline.lts.network_system import Explorer, Labelled, Part
from beeline.model.network import Network
from beeline.mu.parser import parse_runs
from beeline.records import replace
from beeline.simulate import NetworkWorld

MODELS = Path(__file__).resolve().parents[2] / "models"
FEW = Limits(states=1500)


def by_interpreter(network: Network, by_step: bool) -> Lts | None:
    world = NetworkWorld(network)
    try:
        return lts_of(world, label_by_step if by_step else label_by_event(world), FEW.states)
    except TooManyStates:
        return None


def is_same(network: Network, by_step: bool) -> bool:
    """Whether both find the same; they do not differ in numbers alone."""
    expected = by_interpreter(network, by_step)
    if expected is None:
        with pytest.raises(TooManyStates, match="more than 1,500 states"):
            network_system(network, by_step, FEW)
        return False
    found = network_system(network, by_step, FEW)
    assert (found.states, len(found.arcs)) == (expected.states, len(expected.arcs))
    assert found == expected or compare(found, expected, "strong") is None
    return True


def test_the_engine_finds_what_the_interpreter_does() -> None:
    compared = Counter(is_same(Sampler(seed).network().alone, seed % 2 == 0) for seed in range(60))
    assert compared[True] > 20


@pytest.mark.parametrize(
    "name",
    ["promela/alternating_bit.pml", "promela/giop.pml", "murphi/peterson.m", "dve/mailbox_race.dve",
     "python/peterson.py", "promela/client_server.pml"],
)  # fmt: skip
def test_models_of_all_languages_have_their_systems(name: str) -> None:
    network = load(MODELS / name)
    assert isinstance(network, Network)
    is_same(network, by_step=False)


def test_failures_at_the_start_are_steps(tmp_path: Path) -> None:
    model = tmp_path / "fails.m"
    starts = 'startstate "good" x := 0 end; startstate "bad" error "no" end;'
    model.write_text(f'var x: 0..1; {starts} rule "go" x := 1 end;')
    network = load(model)
    assert isinstance(network, Network)
    assert is_same(network, by_step=True)


def ranks_at_random(chance: random.Random) -> Explorer:
    """Ranks on a network that delays messages."""

    def explore(labelled: Labelled, limits: Limits, progress: Progress | None) -> list[Part] | None:
        job = SystemJob.about(labelled, states=limits.states)
        job = replace(job, line=chance.choice([1, 2, 1024]), pace=Pace(chunk=chance.choice([1, 3, None])))
        root, _ = simulate(chance.randint(1, 4), random_conditions(chance), job.root, job.member)
        return parts_of(root, limits)

    return explore


def test_ranks_find_what_one_does() -> None:
    compared = 0
    for seed in range(60):
        network, chance = Sampler(seed).network().alone, random.Random(seed)
        try:
            alone = network_system(network, limits=Limits(states=300))
        except TooManyStates:
            continue
        assert network_system(network, explorer=ranks_at_random(chance)) == alone, seed
        compared += 1
    assert compared > 20


def test_test_graphs_of_ranks_are_those_of_one() -> None:
    network = load(MODELS / "testing" / "walk.pml", options=LoadOptions({"MOST": "2"}))
    assert isinstance(network, Network)
    purpose = parse_runs('-*."ask(forth)"."at(2,*)"')

    def is_stimulus(label: str) -> bool:
        return label.startswith("ask(")

    alone = suspension_of(network_system(network), is_stimulus)
    for seed in range(5):
        explorer = ranks_at_random(random.Random(seed))
        shared = suspension_of(network_system(network, explorer=explorer), is_stimulus)
        assert complete_graph(shared, purpose) == complete_graph(alone, purpose) is not None


def test_threads_share_states_and_limits() -> None:
    network = load(MODELS / "promela" / "alternating_bit.pml")
    assert isinstance(network, Network)
    assert network_system(network, explorer=explore_in(2)) == network_system(network)
    with pytest.raises(TooManyStates, match="more than 50 states"):
        network_system(network, limits=Limits(states=50), explorer=explore_in(2))


def test_room_for_processes_is_found(tmp_path: Path) -> None:
    model = tmp_path / "more.pml"
    model.write_text("byte n; proctype P() { n < 9 -> n++; run P() } init { run P() }")
    network = load(model)
    assert isinstance(network, Network)
    assert processes_to_come(network) is None and is_same(network, by_step=True)
    assert network_system(network, explorer=explore_in(2)) == network_system(network)
