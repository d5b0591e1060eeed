"""The network, the functions of sets and a simulator of its own give random guidelines the same states and answers."""

from __future__ import annotations

import os
from random import Random

import pytest
from tests.guidelines.random_guidelines import random_guideline
from tests.guidelines.simulator import ACTIVATED, OVER, SUSPENDED, Simulator, value

from beeline.ctl import Labelling
from beeline.ctl.graph import Graph
from beeline.languages.asbru import read_guideline
from beeline.languages.asbru.claims import claims
from beeline.languages.asbru.dynamics import system_of
from beeline.languages.asbru.guideline import Annotation, Guideline, Period
from beeline.model.synchronous import network_of
from beeline.symbolic.functions import Functions

SEEDS = int(os.environ.get("BEELINE_GUIDELINES", "40"))
MOST = 3000


def guideline_of(seed: int) -> Guideline:
    return read_guideline(random_guideline(Random(seed)), f"random_{seed}.asbru")


def states_of(functions: Functions) -> set[tuple[tuple[str, int], ...]]:
    names = [variable.name for variable in functions.system.variables]
    found, rest = set(), functions.everything
    while not functions.is_empty(rest):
        state = functions.pick(rest)
        found.add(tuple(sorted(zip(names, state, strict=True))))
        rest = functions.without(rest, functions.only(state))
    return found


@pytest.mark.parametrize("seed", range(SEEDS))
def test_states_and_answers_with_free_time(seed: int) -> None:
    guideline = guideline_of(seed)
    simulator = Simulator(guideline)
    expected = simulator.reachable(MOST)
    if expected is None:
        pytest.skip("too many states")
    asked = claims(guideline)
    atoms = {name: expression for claim in asked for name, expression in claim.asked.atoms}
    functions = Functions(system_of(guideline, []), atoms)
    assert states_of(functions) == expected
    ordered = [tuple(sorted(simulator.start().items())), *sorted(expected)]
    ordered = list(dict.fromkeys(ordered))
    number = {state: position for position, state in enumerate(ordered)}
    rows = [[number[tuple(sorted(after.items()))] for after in simulator.steps(dict(state))] for state in ordered]
    graph = Graph(rows, lambda position, name: bool(value(atoms[name], dict(ordered[position]))))
    by_hand, by_sets = Labelling(graph), Labelling(functions)
    for claim in asked:
        formula = claim.asked.formula
        plain = graph.has(by_hand.holding(formula), 0)
        assert functions.has(by_sets.holding(formula), functions.start) == plain, claim.asked.name


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_network_has_the_same_states(seed: int) -> None:
    from beeline import explore

    guideline = guideline_of(seed)
    timers = [timer.name for timer in guideline.timers]
    for exact in ([], timers):
        system = system_of(guideline, exact)
        functions = Functions(system, {})
        if functions.count(functions.everything) > MOST:
            pytest.skip("too many states")
        counted = explore(network_of(system, "asbru")).statistics.stored
        assert counted == functions.count(functions.everything)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_macro_step_comes_to_an_end(seed: int) -> None:
    """From every state a stable one follows on all paths: no endless micro-steps."""
    from beeline.ctl import parse_ctl
    from beeline.model.expressions import Ref

    functions = Functions(system_of(guideline_of(seed), []), {"tick": Ref("tick")})
    labelling = Labelling(functions)
    assert functions.has(labelling.holding(parse_ctl("AG AF tick")), functions.start)


def test_random_guidelines_have_all_there_is() -> None:
    """The comparison is worth something: all bodies, retries, and timers of each kind occur."""
    found = [guideline_of(seed) for seed in range(40)]
    orders = {plan.order for guideline in found for plan in guideline.plans if plan.children}
    timers = {type(timer) for guideline in found for timer in guideline.timers}
    assert orders == {"sequential", "parallel", "any-order", "unordered", "cyclical"}
    assert timers == {Annotation, Period}
    assert any(plan.retry for guideline in found for plan in guideline.plans)
    assert {ACTIVATED, SUSPENDED} & OVER == set()
