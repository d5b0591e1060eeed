"""The estimates by relaxation are those of the definition: each operator of the task looked at, in its order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.explicit import Explicit, Words, explore, graphs

from beeline import _native
from beeline.heuristics import Context, HeuristicError
from beeline.heuristics.grounding import grounded
from beeline.languages import LoadOptions, load
from beeline.records import replace

MODELS = Path(__file__).parents[2] / "models" / "promela"
KINDS = ("hL", "hU", "hADD", "hFF")
NEVER = 10**9


@dataclass(frozen=True)
class Step:
    conditions: list[int]
    effects: list[int]
    cost: int
    name: tuple[int, int] | None
    """Which step of the network it is; goals are none."""


class Definition:
    """One pass of costs through all operators, cheapest facts first, and the way that is read off backwards."""

    def __init__(self, task: _native.Task) -> None:
        self.goal = len(task.facts)
        self.steps = [Step(list(c), list(e), cost, (a, s)) for c, e, a, s, cost in task.operators]
        self.steps += [Step(list(c), [self.goal], cost, None) for c, cost in task.goals]
        self.needing: dict[int, list[int]] = {}
        for number, step in enumerate(self.steps):
            for fact in step.conditions:
                self.needing.setdefault(fact, []).append(number)
        self.undominated = self.find_undominated()

    def find_undominated(self) -> set[int]:
        """Steps that none before them makes useless: with no more conditions and no fewer effects that matter, and no
        dearer."""
        asked, before = {self.goal}, 0
        while len(asked) > before:
            before = len(asked)
            asked |= {c for step in self.steps if asked & set(step.effects) for c in step.conditions}
        kept: dict[int, tuple[set[int], set[int], int]] = {}
        for number, step in enumerate(self.steps):
            conditions, effects = set(step.conditions), asked & set(step.effects) - set(step.conditions)
            better = (c <= conditions and effects <= e and cost <= step.cost for c, e, cost in kept.values())
            if effects and not any(better):
                kept[number] = (conditions, effects, step.cost)
        return set(kept)

    def estimate(self, facts: list[int], kind: str) -> int | None:
        self.propagate(facts, additive=kind in ("hADD", "hFF"))
        cost = self.costs.get(self.goal)
        return cost if cost is None or kind in ("hL", "hADD") else self.extract(kind)

    def propagate(self, facts: list[int], additive: bool) -> None:
        self.costs = dict.fromkeys(facts, 0)
        self.supporter: dict[int, int] = {}
        self.joined = [0] * len(self.steps)
        self.missing = [len(step.conditions) for step in self.steps]
        buckets: dict[int, list[int]] = {0: list(facts)}
        for number, step in enumerate(self.steps):
            if not step.conditions:
                self.enable(number, buckets)
        cost = 0
        while cost <= max(buckets):
            waiting = buckets.get(cost, [])
            while waiting:
                fact = waiting.pop() if additive else waiting.pop(0)
                if self.costs[fact] != cost:
                    continue
                if fact == self.goal:
                    return
                for number in self.needing.get(fact, []):
                    self.joined[number] = self.joined[number] + cost if additive else cost
                    self.missing[number] -= 1
                    if self.missing[number] == 0:
                        self.enable(number, buckets)
            cost += 1

    def enable(self, number: int, buckets: dict[int, list[int]]) -> None:
        cost = self.joined[number] + self.steps[number].cost
        for fact in self.steps[number].effects:
            if cost < self.costs.get(fact, NEVER):
                self.costs[fact] = cost
                self.supporter[fact] = number
                buckets.setdefault(cost, []).append(fact)

    def extract(self, kind: str) -> int:
        self.needed: dict[int, list[int]] = {}
        self.selected: list[int] = []
        self.need(self.goal)
        for level in range(self.costs[self.goal], -1, -1):
            for fact in self.needed.get(level, []):  # grows meanwhile
                number = self.choose(fact, level, kind)
                if number not in self.selected:
                    self.selected.append(number)
                    for condition in self.steps[number].conditions:
                        self.need(condition)
        chosen = [(self.steps[number], self.joined[number]) for number in self.selected]
        steps = {(step.name, cost) for step, cost in chosen if step.name is not None and step.cost > 0}
        return len(steps) + sum(step.cost for step, _ in chosen if step.name is None)

    def need(self, fact: int) -> None:
        if fact in self.supporter and all(fact not in level for level in self.needed.values()):
            self.needed.setdefault(self.costs[fact], []).append(fact)

    def choose(self, fact: int, level: int, kind: str) -> int:
        first = self.supporter[fact]
        if self.steps[first].cost == 0:
            return first
        best, best_key = first, (-1, 0)
        for number, step in enumerate(self.steps):
            possible = self.missing[number] == 0 and 0 < step.cost <= level - self.joined[number]
            is_left_out = kind == "hFF" and number not in self.undominated
            if fact not in step.effects or not possible or is_left_out:
                continue
            if number in self.selected:
                return number
            covered = sum(effect in self.needed.get(level, []) for effect in step.effects)
            key = (covered, -sum(self.costs[condition] for condition in step.conditions))
            if key > best_key or (key == best_key and kind == "hFF"):
                best, best_key = number, key
        return best


def facts_of(graph: Explicit, task: _native.Task, state: Words) -> list[int]:
    """In the order of cells; a cell that has one value only tells nothing."""
    cells = graph.native.unpack(state)
    values: dict[int, dict[int, int]] = {}
    for number, (cell, value) in enumerate(task.facts):
        values.setdefault(cell, {})[value] = number
    changing = [(cell, known) for cell, known in sorted(values.items()) if len(known) > 1]
    return [known[cells[cell]] for cell, known in changing if cells[cell] in known]


def check(graph: Explicit, context: Context, most: int) -> int:
    """Compares all estimates on up to that many states, one by one and at once; returns how many values there were."""
    try:
        task, _ = grounded(context, "hU")
    except HeuristicError:
        return 0
    definition = Definition(task)
    compared = 0
    for kind in KINDS:
        estimator = _native.relaxed_estimator(task, kind)
        states = list(graph.successors)[:most]
        together = estimator.estimate_all(states)
        for state, other in zip(states, together, strict=True):
            expected = definition.estimate(facts_of(graph, task, state), kind)
            assert estimator.estimate(state) == expected, f"{kind} in {graph.native.unpack(state)} of\n{graph}"
            assert other == expected, f"{kind} of several states in {graph.native.unpack(state)} of\n{graph}"
            compared += expected is not None
    return compared


def test_estimates_by_relaxation_are_those_of_the_definition() -> None:
    assert sum(check(graph, graph.context(), 12) for graph in graphs(25, 0)) > 400


@pytest.mark.slow
def test_estimates_by_relaxation_are_those_of_the_definition_on_many_networks() -> None:
    assert sum(check(graph, graph.context(), 40) for graph in graphs(600, 20_000)) > 5000


def test_goals_that_say_nothing_new_are_left_out_without_a_difference() -> None:
    network = load(MODELS / "leader.pml", options=LoadOptions({"N": "3", "FAULTY": "1"}))
    few = replace(network, rules=replace(network.rules, max_processes=4))
    graph = explore(few, None, most=10_000)
    assert graph is not None
    assert check(graph, graph.context(), 8) == 4 * 8


def alike(graph: Explicit, context: Context, most: int) -> tuple[int, int]:
    """Compares estimates of many states at once with single ones, with and without steps; counts values, dead ends."""
    try:
        task, _ = grounded(context, "hU")
    except HeuristicError:
        return 0, 0
    arcs = sorted({(action, second) for _, _, action, second, _ in task.operators})[:70]
    values: list[int | None] = []
    for kind in KINDS:
        estimator, other = (_native.relaxed_estimator(task, kind) for _ in range(2))
        states = list(graph.successors)[:most]
        values += [estimator.estimate(state) for state in states]
        assert other.estimate_all(states) == values[-len(states) :]
        for state in states[::20]:
            values += [estimator.estimate_without(state, *arc) for arc in arcs]
            assert other.estimate_without_each(state, arcs) == values[len(values) - len(arcs) :]
    return sum(value is not None for value in values), values.count(None)


def test_estimates_of_many_states_at_once_are_those_of_each() -> None:
    """More states, and more steps to be without, than are estimated at once."""
    network = load(MODELS / "leader.pml", options=LoadOptions({"N": "3", "FAULTY": "1"}))
    graph = explore(replace(network, rules=replace(network.rules, max_processes=4)), None, most=10_000)
    assert graph is not None
    assert alike(graph, graph.context(), 150)[0] > 600


def test_estimates_of_many_states_at_once_are_those_of_each_on_random_networks() -> None:
    told, dead = zip(*(alike(graph, graph.context(), 100) for graph in graphs(25, 500)), strict=True)
    assert sum(told) > 400 and sum(dead) > 100


def test_long_ways_are_estimated_at_once_as_one_by_one(tmp_path: Path) -> None:
    """Layers that are too many to be told apart when several states are estimated."""
    model = tmp_path / "long.pml"
    model.write_text("byte n; active proctype P() { do :: n < 150 -> n++ :: else -> assert(false) od }")
    graph = explore(load(model), None, most=1000)
    assert graph is not None
    assert alike(graph, graph.context(), 200)[0] > 800
