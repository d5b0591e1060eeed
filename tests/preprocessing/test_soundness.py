"""Smaller networks have the verdicts of whole ones, their traces are traces of the whole, and shortest ones stay so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

import pytest
from tests.explicit import graphs
from tests.loosely_coupled import ForwardSampler, LooselyCoupledSampler
from tests.preprocessing.bystanders import Bystanders

from beeline import check
from beeline.model.network import Network
from beeline.model.property import Goal, Property
from beeline.properties import DEADLOCK, SAFETY, find_property
from beeline.trace.replay import replay


def compare(network: Network, asked: Property, ways: Sequence[tuple[str, str]], counts: Counter[str]) -> None:
    """Searches of the smaller network against breadth-first search of the whole one."""
    whole = check(network, asked, search="bfs", shrink="none")
    for shrink, search in ways:
        ours = check(network, asked, search=search, shrink=shrink)
        told = partial("{} with {}, {}, without {}, of\n{}".format, asked.name, shrink, search, ours.shrinking, network)
        assert ours.verdict == whole.verdict, told()
        assert "concrete" not in ours.shrinking.note, told()
        counts["cone"] += bool(ours.shrinking.cone)
        counts["safe"] += bool(ours.shrinking.safe)
        counts[ours.verdict] += bool(ours.shrinking.removed)
        if ours.trace is None or whole.trace is None:
            continue
        counts["longer"] += bool(ours.shrinking.added)
        failed = bool(ours.trace.steps and ours.trace.steps[-1].error)
        assert len(replay(network, ours.trace.states, failed)) == len(ours.trace), told()
        if ours.shortest and ours.reason == whole.reason:  # the shortest of its kind
            assert len(ours.trace) == len(whole.trace), told()
        if search == "bfs" and shrink in ("auto", "cone"):
            assert ours.shortest, told()
        if search == "bfs":
            assert len(ours.trace) - (ours.shrinking.added or 0) <= len(whole.trace), told()


def compare_bystanders(count: int, first_seed: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + count):
        sampler = Bystanders(seed)
        network = sampler.network()
        goal = sampler.goal(network)
        reached = find_property(network, f"E<> {goal}")
        compare(network, reached, [("all", "bfs"), ("auto", "bfs"), ("safe", "dfs")], counts)
        compare(network, find_property(network, f"A[] !({goal})"), [("auto", "auto")], counts)
        compare(network, SAFETY if seed % 2 else DEADLOCK, [("all", "bfs")], counts)
    return counts


def check_counts(counts: Counter[str], networks: int) -> None:
    """The sample is worth something: much is taken out, of tasks with either verdict, and traces are made longer."""
    assert counts["cone"] > networks
    assert counts["safe"] > networks // 4
    assert counts["holds"] > networks // 4
    assert counts["violated"] > networks // 2
    assert counts["longer"] > networks // 10


def test_networks_with_bystanders() -> None:
    check_counts(compare_bystanders(50, 0), 50)


@pytest.mark.slow
def test_thousands_of_networks_with_bystanders() -> None:
    check_counts(compare_bystanders(3000, 100_000), 3000)


def compare_anything(count: int, first_seed: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for graph in graphs(count, first_seed):
        assert graph.goal is not None
        for asked in (Goal("goal", expression=graph.goal), DEADLOCK, SAFETY):
            compare(graph.network, asked, [("all", "bfs")], counts)
    return counts


def test_networks_of_any_kind() -> None:
    compare_anything(40, 50_000)


@pytest.mark.slow
def test_thousands_of_networks_of_any_kind() -> None:
    counts = compare_anything(2000, 60_000)
    assert min(counts["cone"], counts["safe"]) > 20


def compare_loosely_coupled(count: int, first_seed: int) -> Counter[str]:
    """Networks with uninterrupted runs, timeouts, ranks and processes that end."""
    counts: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + count):
        sampler = LooselyCoupledSampler(seed) if seed % 2 else ForwardSampler(seed)
        network = sampler.network()
        goal = sampler.rare_state(network)
        if goal is not None:
            compare(network, Goal("goal", expression=goal), [("all", "bfs"), ("auto", "bfs")], counts)
    return counts


def test_loosely_coupled_networks() -> None:
    compare_loosely_coupled(60, 70_000)


@pytest.mark.slow
def test_thousands_of_loosely_coupled_networks() -> None:
    counts = compare_loosely_coupled(3000, 80_000)
    assert counts["cone"] > 300
