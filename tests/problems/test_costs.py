"""Costs of steps: what is found costs least, as plain enumeration says."""

from __future__ import annotations

import json
import random
from heapq import heappop, heappush
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.explicit import Explicit, graphs

from beeline import NetworkBuilder
from beeline import check as check_model
from beeline.cli.check import check
from beeline.engine import Found, Status
from beeline.heuristics import build
from beeline.model.source import BeelineError
from beeline.problems.costs import CostError, Costs
from beeline.searches.runner import run

MODELS = Path(__file__).parents[2] / "models"


def network() -> NetworkBuilder:
    """Both processes lead to x == 3: P in three steps, Crash in one."""
    builder = NetworkBuilder("two ways")
    builder.variable("x", 0, 3)
    builder.process("P").location("a").edge("a", "a", guard="x < 3", effect="x++")
    builder.process("Crash").location("a").edge("a", "a", guard="x < 3", effect="x = 3")
    return builder


def least_cost(graph: Explicit, weights: list[int], kinds: Found) -> int | None:
    """By Dijkstra's algorithm, over all arcs of the space."""
    space = graph.space()
    waiting: list[tuple[int, bool, tuple[int, ...]]] = [(0, False, graph.initial)]
    done = set()
    while waiting:
        cost, found, state = heappop(waiting)
        if found or graph.violations[state] & kinds & (Found.GOAL | Found.DEADLOCK):
            return cost
        if state in done:
            continue
        done.add(state)
        for action, _, _, target in space.successor_arcs(state)[1]:
            if target is not None or Found.ERROR in kinds:
                heappush(waiting, (cost + weights[action], target is None, target or ()))
    return None


@pytest.mark.parametrize("kinds", [Found.GOAL, Found.GOAL | Found.ERROR, Found.ANYTHING])
def test_nothing_costs_less_in_random_networks(kinds: Found) -> None:
    differs = 0
    for seed, graph in enumerate(graphs(150, 4000)):
        chance = random.Random(seed)
        weights = [chance.choice([1, 1, 2, 5, 30]) for _ in graph.program.actions]
        least = least_cost(graph, weights, kinds)
        for text in ("blind", "Hf") if kinds is Found.GOAL else ("blind",):
            outcome = run(
                graph.space(), "astar", stop=kinds, estimators=build(text, graph.context(kinds)), weights=weights
            )
            assert outcome.status is (Status.EXHAUSTED if least is None else Status.FOUND)
            assert least is None or (outcome.cost(weights) == least and outcome.proven)
        shortest = run(graph.space(), "bfs", stop=kinds)
        differs += least is not None and shortest.cost(weights) > least
    assert differs > 5, "costs do matter in these networks"


def test_a_long_way_may_cost_less_than_a_short_one() -> None:
    plain = check_model(network(), "x < 3", search="astar")
    assert plain.trace is not None
    assert (len(plain.trace), plain.shortest, plain.cost) == (1, True, None)
    costly = check_model(network(), "x < 3", cost="Crash=4")
    assert costly.trace is not None
    assert (len(costly.trace), costly.cost, costly.cheapest, costly.shortest) == (3, 3, True, False)
    assert check_model(network(), "x < 3", cost="Crash=2").cost == 2


def test_an_instance_is_stronger_than_its_kind() -> None:
    result = check_model(MODELS / "promela/philosophers.pml", cost="Philosopher=3")
    assert result.trace is not None
    assert result.cost == 3 * len([step for step in result.trace.steps if step.process.startswith("Philosopher")])
    assert Costs.parse("P=2,Crash=3") == Costs({"P": 2, "Crash": 3})


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "NAME=WEIGHT"), ("P", "NAME=WEIGHT"), ("P=0", "between 1 and"), ("P=1,P=2", "twice"), ("P=x", "NAME=WEIGHT")],
)
def test_what_is_no_cost_is_refused(text: str, said: str) -> None:
    with pytest.raises(CostError, match=said):
        Costs.parse(text)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"search": "bfs"}, "--search astar"),
        ({"threads": 2}, "--threads 1"),
        ({"reduce": "stubborn"}, "--reduce none"),
        ({"store": "tree", "search": "bfs"}, "--search astar"),
        ({"shrink": "all"}, "--shrink cone"),
        ({"engine": "bdd"}, "bdd"),
    ],
)
def test_what_does_not_go_with_costs_is_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(BeelineError, match=said):
        check_model(network(), "x < 3", cost="P=2", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("model", "asked", "said"),
    [
        (network(), "ltl: <> x == 2", "no state"),
        (MODELS / "uppaal/fischer_b_3_faulty.xta", "A[] true", "without clocks"),
        (MODELS / "python/philosophers.py", None, "no process"),
    ],
)
def test_models_and_questions_without_costs_say_so(model: object, asked: str | None, said: str) -> None:
    with pytest.raises(CostError, match=said):
        check_model(model, asked, cost="Q=2")


def test_reports_tell_the_cost() -> None:
    file = str(MODELS / "promela/philosophers.pml")
    told = json.loads(CliRunner().invoke(check, [file, "--cost", "Philosopher=3", "--json"]).stdout)
    assert told["trace_cost"] >= told["trace_length"]
    assert (told["trace_is_cheapest"], told["trace_is_shortest"]) == (True, False)
    assert "the least possible" in CliRunner().invoke(check, [file, "--cost", "Philosopher=3"]).stdout
    assert "the least possible" in check_model(network(), "x < 3", cost="P=2")._repr_html_()
