"""A search that a limit ended claims nothing that it has not proved: neither `shortest` nor `holds`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.loosely_coupled import LooselyCoupledSampler
from tests.networks import Sampler
from tests.preprocessing.bystanders import Bystanders
from tests.searches.test_searches import Graph

from beeline import Limits, Network, check
from beeline.engine import python_space
from beeline.languages import load
from beeline.problems.settings import Result
from beeline.properties import SAFETY
from beeline.searches.registry import all_searches
from beeline.searches.runner import run

SHORTEST = sorted(name for name, search in all_searches().items() if search.promises.shortest and not search.needs_sets)
SAMPLERS = (Sampler, LooselyCoupledSampler, Bystanders)

# Depth-first search comes to `x == 80` first; `y == 3` is nine steps away.
DEEP = """
byte x, y;
active proctype P() { do :: x < 250 -> x++; assert(x != 80) :: y < 3 -> y++; assert(y != 3) od }
"""


@pytest.mark.parametrize("limits", [Limits(states=300), Limits(states=500)], ids=str)
def test_a_deep_violation_found_before_the_limit_is_not_called_shortest(limits: Limits, tmp_path: Path) -> None:
    path = tmp_path / "deep.pml"
    path.write_text(DEEP)
    result = check(load(path), search="adfs", limits=limits)
    assert result.verdict == "violated" and result.trace is not None
    assert len(result.trace) > 9
    assert not result.shortest


def test_without_a_limit_it_goes_on_to_the_shortest_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "deep.pml"
    path.write_text(DEEP)
    result = check(load(path), search="adfs")
    assert result.trace is not None and len(result.trace) == 9
    assert result.shortest


@pytest.mark.parametrize("name", SHORTEST)
def test_a_violation_before_the_first_step_is_proven_to_be_shortest(name: str) -> None:
    assert run(python_space(Graph([[1], []], 0)), name).proven


def some_limits(random: Random) -> Limits:
    few = (1, 2, 3, 5, 10, 30, 100)
    match random.randrange(4):
        case 0:
            return Limits(states=random.choice(few))
        case 1:
            return Limits(depth=random.choice((0, *few)))
        case 2:
            return Limits(states=random.choice(few), depth=random.choice(few))
        case _:
            return Limits(time=random.choice((0, 0.0001, 0.001, 0.01)))


def some_options(random: Random, name: str) -> dict[str, Any]:
    options: dict[str, Any] = {"limits": some_limits(random), "tier": "bytecode"}
    options["shrink"] = random.choice(("auto", "none", "cone", "all"))
    if name == "bfs" and random.random() < 0.3:
        return options | {"store": random.choice(("tree", "hash-compact", "bitstate:12"))}
    if random.random() < 0.3:
        options["reduce"] = random.choice(("stubborn", "ample"))
    if all_searches()[name].threads and random.random() < 0.3:
        options["threads"] = 2
    return options


def assert_true(result: Result, exact: Result, told: str) -> None:
    assert result.verdict in ("unknown", exact.verdict), told
    if result.trace is not None:
        assert exact.trace is not None, told
        assert len(result.trace) >= len(exact.trace), told
        assert not result.shortest or len(result.trace) == len(exact.trace), told


@pytest.mark.parametrize("sampler", SAMPLERS, ids=lambda made: made.__name__)
def test_searches_that_promise_shortest_traces_are_right_about_them_under_limits(sampler: Any) -> None:
    counts: Counter[str] = Counter()
    for seed in range(60):
        network: Network = sampler(seed).network()
        exact = check(network, SAFETY, search="bfs", shrink="none", limits=Limits(states=5000), tier="bytecode")
        if exact.verdict == "unknown":
            continue
        random = Random(seed)
        for name in SHORTEST:
            options = some_options(random, name)
            result = check(network, SAFETY, search=name, **options)
            assert_true(result, exact, f"seed {seed}: {name} with {options}: {result}")
            counts[result.verdict] += 1
            counts["shortest"] += result.shortest
    assert min(counts[word] for word in ("unknown", "violated", "shortest")) > 10, counts
