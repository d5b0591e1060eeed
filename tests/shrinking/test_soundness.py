"""Smaller networks have the verdicts of whole ones, their traces are traces of the whole, and shortest ones stay so."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.explicit import graphs
from tests.shrinking.bystanders import Bystanders

from beeline import check
from beeline.model.network import Network, Property
from beeline.properties import DEADLOCK, SAFETY, find_property
from beeline.trace.replay import replay


def compare(network: Network, asked: Property, shrink: str, search: str, counts: Counter[str]) -> None:
    """One search of the smaller network against breadth-first search of the whole one."""
    whole = check(network, asked, search="bfs", shrink="none")
    ours = check(network, asked, search=search, shrink=shrink)
    told = f"{asked.name} with {shrink}, {search}, without {ours.shrinking.removed}, of\n{network}"
    assert ours.verdict == whole.verdict, told
    assert "concrete" not in ours.shrinking.note, told
    counts["cone"] += bool(ours.shrinking.cone)
    counts["safe"] += bool(ours.shrinking.safe)
    counts[ours.verdict] += bool(ours.shrinking.removed)
    if ours.trace is None or whole.trace is None:
        return
    counts["longer"] += bool(ours.shrinking.added)
    failed = bool(ours.trace.steps and ours.trace.steps[-1].error)
    assert len(replay(network, ours.trace.states, failed)) == len(ours.trace), told
    if ours.shortest and ours.reason == whole.reason:  # the shortest of its kind
        assert len(ours.trace) == len(whole.trace), told
    if search == "bfs" and shrink in ("auto", "cone"):
        assert ours.shortest, told
    if search == "bfs" and shrink == "all":
        assert len(ours.trace) - (ours.shrinking.added or 0) <= len(whole.trace), told


def compare_bystanders(count: int, first_seed: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + count):
        sampler = Bystanders(seed)
        network = sampler.network()
        goal = sampler.goal()
        for text, shrink, search in (
            (f"E<> {goal}", "all", "bfs"),
            (f"A[] !({goal})", "auto", "auto"),
            (f"E<> {goal}", "auto", "bfs"),
            (f"E<> {goal}", "safe", "dfs"),
        ):
            compare(network, find_property(network, text), shrink, search, counts)
        for asked in (SAFETY, DEADLOCK):
            compare(network, asked, "all", "bfs", counts)
    return counts


def check_counts(counts: Counter[str], networks: int) -> None:
    """The sample is worth something: much is taken out, of tasks with either verdict, and traces are made longer."""
    assert counts["cone"] > networks
    assert counts["safe"] > networks // 4
    assert counts["holds"] > networks // 4
    assert counts["violated"] > networks // 2
    assert counts["longer"] > networks // 10


def test_networks_with_bystanders() -> None:
    check_counts(compare_bystanders(60, 0), 60)


@pytest.mark.slow
def test_thousands_of_networks_with_bystanders() -> None:
    check_counts(compare_bystanders(4000, 100_000), 4000)


def compare_anything(count: int, first_seed: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for graph in graphs(count, first_seed):
        for asked in (Property("goal", "goal", graph.goal), DEADLOCK, SAFETY):
            compare(graph.network, asked, "all", "bfs", counts)
    return counts


def test_networks_of_any_kind() -> None:
    compare_anything(40, 50_000)


@pytest.mark.slow
def test_thousands_of_networks_of_any_kind() -> None:
    counts = compare_anything(3000, 60_000)
    assert counts["cone"] > 300
