"""Directed searches: right verdicts with any estimate, shortest traces with admissible ones."""

from __future__ import annotations

import os
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.explicit import INFINITE, Explicit, graphs, random_table

from beeline import Limits, NetworkBuilder, check
from beeline.engine import Found, Outcome, Status, python_space, user_path
from beeline.heuristics import Estimator, HeuristicError, build
from beeline.searches import SearchError, Takes, Ties, all_searches, find
from beeline.searches.runner import run

GOAL = Found.GOAL | Found.ERROR
ESTIMATES = ("blind", "Hf", "Hf:1", "expr:x", "max(Hf, expr:2*x)", "cache:20(Hf)")
DIRECTED = [name for name, s in all_searches().items() if s.takes is not Takes.NONE and not s.needs_sets]
COMPLETE = [name for name in DIRECTED if all_searches()[name].promises.complete]
BESIDE = (
    "multi:learn=10,types=1",
    "multi:novelty=1",
    "multi:novelty=2,preferred=0",
    "multi:types=1",
    "multi:novelty=2,types=1,eager=1",
)
SHORTEST = [name for name in DIRECTED if all_searches()[name].promises.shortest_if == "admissible"]


def length(outcome: Outcome) -> int:
    return len(outcome.path) - 1 + (Found.ERROR in outcome.found)


def shortest(graph: Explicit, kinds: Found) -> int:
    return graph.distances(kinds)[graph.initial]


class Walkable:
    """A graph as a user would write it, with estimates from a table."""

    def __init__(self, graph: Explicit, kinds: Found, table: dict[Any, int | None], promises: tuple[str, ...]) -> None:
        self.graph = graph
        self.kinds = kinds
        self.table = table
        self.estimate_promises = promises

    def initial(self) -> Any:
        return self.graph.initial

    def successors(self, state: Any) -> list[Any]:
        return self.graph.successors[state]

    def violates(self, state: Any) -> bool:
        return bool(self.graph.violations[state] & self.kinds)

    def estimate(self, state: Any) -> int | None:
        return self.table[state]


@pytest.mark.parametrize("name", SHORTEST)
def test_admissible_estimates_give_shortest_traces(name: str) -> None:
    """Of a goal, whose distance the estimates are about: other violations are not looked for here."""
    for graph in graphs(60, 500):
        distance = shortest(graph, Found.GOAL)
        for text in ("blind", "Hf", "max(Hf, blind)"):
            for ties in ("fifo", "lifo", "random:3"):
                outcome = run(
                    graph.space(), name, stop=Found.GOAL, estimators=build(text, graph.context(Found.GOAL)), ties=ties
                )
                assert (outcome.status is Status.FOUND) == (distance < INFINITE)
                assert (outcome.status is Status.EXHAUSTED) == (distance == INFINITE)
                assert not outcome.found or (length(outcome) == distance and outcome.proven)


@pytest.mark.parametrize("name", SHORTEST)
def test_admissible_estimates_that_are_not_consistent_make_states_be_opened_again(name: str) -> None:
    reopened = 0
    for seed, graph in enumerate(graphs(60, 900)):
        kinds = Found.GOAL | Found.DEADLOCK
        distance = shortest(graph, kinds)
        table = random_table(graph, seed, kinds)
        space = python_space(Walkable(graph, kinds, table, ("admissible", "safe")))
        outcome = run(space, name, stop=Found.GOAL)
        assert (outcome.status is Status.FOUND) == (distance < INFINITE)
        assert not outcome.found or length(outcome) == distance
        reopened += outcome.statistics.reopened
    assert reopened > 0


@pytest.mark.parametrize("name", [*COMPLETE, *BESIDE])
def test_verdicts_are_right_with_any_estimate(name: str) -> None:
    takes = find(name).takes
    for graph in graphs(40, 1500):
        for stop in (Found.GOAL, GOAL, Found.ANYTHING):
            distance = shortest(graph, stop)
            for text in ESTIMATES if takes is Takes.ONE else (*ESTIMATES, "Hf:1, Hf", "expr:x, Hf, blind"):
                outcome = run(graph.space(), name, stop=stop, estimators=build(text, graph.context(stop)))
                assert (outcome.status is Status.FOUND) == (distance < INFINITE), f"{text}\n{graph.network}"
                assert (outcome.status is Status.EXHAUSTED) == (distance == INFINITE)
                if outcome.found:
                    check_path(graph, outcome, stop)
                    assert length(outcome) >= distance


def check_path(graph: Explicit, outcome: Outcome, stop: Found) -> None:
    states = [step.state for step in outcome.path]
    assert states[0] == graph.initial
    assert all(after in graph.successors[before] for before, after in pairwise(states))
    assert outcome.found & stop & graph.violations[states[-1]]


@pytest.mark.parametrize("name", DIRECTED)
def test_dead_ends_that_prove_nothing_are_still_searched(name: str) -> None:
    """A user's None is believed only where the class promises that it is safe."""
    for seed, graph in enumerate(graphs(20, 2500)):
        chance = random.Random(seed)
        lies: dict[Any, int | None] = {state: chance.choice([None, 0, 1, 7]) for state in graph.successors}
        outcome = run(python_space(Walkable(graph, Found.GOAL, lies, ())), name)
        reachable = shortest(graph, Found.GOAL) < INFINITE
        if all_searches()[name].promises.complete:
            assert (outcome.status is Status.FOUND) == reachable
        else:
            assert outcome.status is Status.GAVE_UP or reachable


def test_safe_dead_ends_are_dropped() -> None:
    class Line:
        estimate_promises = ("safe",)

        def initial(self) -> int:
            return 0

        def successors(self, state: int) -> list[int]:
            return [state + 1] if state < 100 else []

        def estimate(self, state: int) -> int | None:
            return None if state > 10 else 1

    for name in ("greedy", "astar", "ut", "multi", "idastar"):
        outcome = run(python_space(Line()), name)
        assert outcome.status is Status.EXHAUSTED
        assert outcome.statistics.stored == 12
        assert outcome.statistics.dead_ends >= 1


def test_dead_ends_of_a_goal_still_lead_to_failing_assertions() -> None:
    """From `far` the goal is out of reach, but an assertion fails there: what is not asked for must not be lost."""
    builder = NetworkBuilder("assertion")
    process = builder.process("P")
    for name in ("start", "far", "further", "goal", "never"):
        process.location(name)
    process.edge("start", "far")
    process.edge("far", "further")
    process.edge("further", "further", effect="assert(0)")
    process.edge("never", "goal")
    network = builder.build()
    for search in COMPLETE:
        result = check(network, "A[] !P.goal", search=search, heuristic="Hf")
        assert result.verdict == "violated"
        assert result.reason.startswith("assert")


def test_a_trace_is_called_shortest_only_for_what_the_estimate_is_about() -> None:
    builder = NetworkBuilder("two faults")
    process = builder.process("P")
    for name in ("a", "b", "c", "goal"):
        process.location(name)
    process.edge("a", "b")
    process.edge("b", "c")
    process.edge("c", "goal")
    process.edge("b", "b", effect="assert(0)")
    network = builder.build()
    goal = check(network, "A[] !P.goal", search="astar", heuristic="Hf")
    assert (goal.verdict, len(goal.trace or ()), goal.shortest) in (("violated", 3, True), ("violated", 2, False))
    witness = check(network, "E<> P.goal", search="astar", heuristic="Hf")
    assert (witness.verdict, len(witness.trace or ()), witness.shortest) == ("holds", 3, True)
    other = check(network, "A[] !P.goal", search="astar", heuristic="expr:9")
    assert not other.shortest
    blind = check(network, "A[] !P.goal", search="astar", heuristic="blind")
    assert (len(blind.trace or ()), blind.shortest, blind.heuristic) == (2, True, "blind")


# Determinism


@pytest.mark.parametrize("name", DIRECTED)
def test_the_same_seed_gives_the_same_run(name: str) -> None:
    (graph,) = graphs(1, 3000)
    estimates = build("Hf", graph.context())

    def record(ties: str, seed: int) -> Any:
        outcome = run(graph.space(), name, stop=GOAL, estimators=estimates, ties=ties, seed=seed)
        counts = outcome.statistics
        return outcome.path, counts.stored, counts.expanded, counts.evaluated

    for ties in ("fifo", "lifo", "random:1", "random:99"):
        assert record(ties, 5) == record(ties, 5)


def test_random_ties_depend_on_the_seed() -> None:
    class Wide:
        def initial(self) -> int:
            return 0

        def successors(self, state: int) -> list[int]:
            return [state * 5 + i for i in range(1, 6)] if state < 700 else []

        def violates(self, state: int) -> bool:
            return state > 3000

    paths = {user_path(space, run(space, "greedy", ties=f"random:{seed}"))[-1].state
             for seed in range(10) for space in [python_space(Wide())]}  # fmt: skip
    assert len(paths) > 1


def test_ties_are_oldest_or_newest_first() -> None:
    class Tree:
        order: list[int]

        def __init__(self) -> None:
            self.order = []

        def initial(self) -> int:
            return 1

        def successors(self, state: int) -> list[int]:
            self.order.append(state)
            return [2 * state, 2 * state + 1] if state < 4 else []

    oldest, newest = Tree(), Tree()
    run(python_space(oldest), "greedy", ties="fifo")
    run(python_space(newest), "greedy", ties="lifo")
    assert oldest.order == [1, 2, 3, 4, 5, 6, 7]
    assert newest.order == [1, 3, 7, 6, 2, 5, 4]


@pytest.mark.parametrize("text", ["", "fifo:3", "first", "random:x", f"random:{2**64}"])
def test_unknown_ties_are_refused(text: str) -> None:
    with pytest.raises(SearchError):
        Ties.parse(text)


# Limits


class Endless:
    """Infinitely many states, none of them sought."""

    def initial(self) -> int:
        return 1

    def successors(self, state: int) -> list[int]:
        return [state + 1, 2 * state]

    def estimate(self, state: int) -> int:
        return state % 7


@pytest.mark.parametrize("name", DIRECTED)
def test_limits_end_every_search(name: str) -> None:
    timed = run(python_space(Endless()), name, limits=Limits(time=0.05))
    assert timed.status in (Status.TIME, Status.GAVE_UP)
    if all_searches()[name].promises.complete:
        assert run(python_space(Endless()), name, limits=Limits(states=500)).status is Status.STATES
        deep = run(python_space(Endless()), name, limits=Limits(depth=5))
        assert deep.status is Status.DEPTH
        assert deep.statistics.depth == 5


@pytest.mark.parametrize("name", COMPLETE)
def test_memory_is_a_budget(name: str) -> None:
    from beeline import _native

    held = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    space = _native.CounterSpace(12, 3)
    outcome = run(space, name, stop=Found.NOTHING, limits=Limits(memory=held + 24 * 2**20))
    assert outcome.status is Status.MEMORY
    assert outcome.statistics.memory <= 24 * 2**20
    assert outcome.statistics.stored > 10_000


@pytest.mark.parametrize("name", DIRECTED)
def test_progress_can_interrupt(name: str) -> None:
    def stop(_: Any) -> None:
        raise KeyboardInterrupt

    outcome = run(python_space(Endless()), name, progress=stop, limits=Limits(time=20))
    assert outcome.status in (Status.INTERRUPTED, Status.GAVE_UP)


# Single searches


def test_weighted_a_star_is_never_worse_than_its_weight() -> None:
    for seed, graph in enumerate(graphs(40, 3500)):
        distance = shortest(graph, Found.GOAL)
        table = random_table(graph, seed, Found.GOAL)
        outcome = run(python_space(Walkable(graph, Found.GOAL, table, ("admissible",))), "wastar:2")
        assert not outcome.found or length(outcome) <= 2 * distance


def test_taking_turns_needs_no_estimate_to_be_good() -> None:
    """One estimate leads away from the goal for ever, the other to it."""

    class Numbers:
        def initial(self) -> int:
            return 0

        def successors(self, state: int) -> list[int]:
            return [state - 1, state + 1]

        def violates(self, state: int) -> bool:
            return state == 300

    space = python_space(Numbers())
    good = _estimate(space, lambda state: 300 - state if state <= 300 else 0)
    bad = _estimate(space, lambda state: max(0, 1000 + state))
    outcome = run(space, "multi", estimators=[bad, good], limits=Limits(states=20_000))
    assert outcome.status is Status.FOUND
    assert run(space, "greedy", estimators=[bad], limits=Limits(states=5000)).status is Status.STATES


@pytest.mark.parametrize("search", ["multi:novelty=2", "multi:types=1"])
def test_new_values_and_types_lead_out_of_plateaus(search: str) -> None:
    """Six counters, of which the goal asks two to be full; the estimate says the same of all states."""
    builder = NetworkBuilder("counters")
    for number in range(6):
        builder.variable(f"x{number}", 0, 9)
        process = builder.process(f"P{number}")
        process.location("here")
        process.edge("here", "here", guard=f"x{number} < 9", effect=f"x{number} = x{number} + 1")
    network = builder.build()
    expanded = {
        name: check(network, "A[] !(x0 == 9 && x1 == 9)", search=name, heuristic="expr:0").statistics.expanded
        for name in (search, "greedy")
    }
    assert expanded[search] * 5 < expanded["greedy"]


def _estimate(space: Any, function: Any) -> Estimator:
    """An estimate of its own for a space that has none: by another space with the same numbers of states."""
    from beeline import _native
    from beeline.heuristics.declaration import NOTHING

    class Twin:
        def initial(self) -> int:
            return 0

        def successors(self, state: int) -> list[int]:
            return [state - 1, state + 1]

        def estimate(self, state: int) -> int:
            return int(function(state))

    twin = python_space(Twin())
    run(twin, "bfs", limits=Limits(states=50_000))
    run(space, "bfs", limits=Limits(states=50_000), stop=Found.NOTHING)
    return Estimator("twin", _native.user_estimator(twin, False), NOTHING, Found.ANYTHING)


def test_walks_find_what_is_near_and_cut_out_their_loops() -> None:
    class Ring:
        def initial(self) -> int:
            return 0

        def successors(self, state: int) -> list[int]:
            return [(state + 1) % 30, (state - 1) % 30]

        def violates(self, state: int) -> bool:
            return state == 15

        def estimate(self, state: int) -> int:
            return abs(15 - state)

    space = python_space(Ring())
    outcome = run(space, "walk:seed=3")
    states = [step.state for step in user_path(space, outcome)]
    assert states[-1] == 15
    assert len(set(states)) == len(states)
    assert len(states) <= 17


@pytest.mark.parametrize("name", ["bfs", "dfs"])
def test_searches_without_estimates_say_so(name: str) -> None:
    builder = NetworkBuilder("one")
    builder.process("P").location("here")
    with pytest.raises(SearchError, match="goes by no heuristic"):
        check(builder, "E<> P.here", search=name, heuristic="blind")


def test_one_estimate_is_not_several() -> None:
    builder = NetworkBuilder("one")
    builder.process("P").location("here")
    with pytest.raises(SearchError, match="one heuristic"):
        check(builder, "E<> P.here", search="greedy", heuristic="blind, blind")
    with pytest.raises(HeuristicError):
        check(builder, "deadlock", search="greedy", heuristic="Hf")


# auto


def test_auto_finds_shortest_traces_and_says_so() -> None:
    for graph in graphs(60, 4000):
        distance = shortest(graph, GOAL)
        for text in ("Hf:1, Hf", "Hf", "expr:x, blind", "expr:x"):
            outcome = run(graph.space(), "auto", stop=GOAL, estimators=build(text, graph.context(GOAL)))
            assert (outcome.status is Status.FOUND) == (distance < INFINITE)
            if outcome.found:
                kind = shortest(graph, outcome.found)
                assert outcome.proven
                assert length(outcome) == kind


def test_auto_without_improvement_is_just_quick() -> None:
    lengths = [0, 0]
    for graph in graphs(40, 4500):
        estimates = build("expr:3-x", graph.context(GOAL))
        for i, name in enumerate(("auto", "auto:improve=0")):
            outcome = run(graph.space(), name, stop=GOAL, estimators=estimates)
            lengths[i] += length(outcome) if outcome.found else 0
            assert name == "auto" or not outcome.proven
    assert lengths[0] < lengths[1]


def test_auto_stores_no_more_than_breadth_first_search_where_there_is_nothing_to_find() -> None:
    for graph in graphs(30, 5000):
        for stop in (Found.NOTHING, Found.GOAL):
            if shortest(graph, stop) < INFINITE:
                continue
            wide = run(graph.space(), "bfs", stop=stop).statistics
            outcome = run(graph.space(), "auto", stop=stop, estimators=build("Hf:1, Hf", graph.context(GOAL)))
            assert outcome.status is Status.EXHAUSTED
            assert outcome.statistics.stored <= wide.stored  # fewer where dead ends are dropped
            if stop is Found.NOTHING:
                assert outcome.statistics.stored == wide.stored
                assert outcome.statistics.deadlocks == wide.deadlocks
                assert outcome.statistics.errors == wide.errors


def test_auto_without_an_estimate_is_breadth_first_search() -> None:
    for graph in graphs(20, 5500):
        wide = run(graph.space(), "bfs", stop=GOAL)
        outcome = run(graph.space(), "auto", stop=GOAL, estimators=[])
        assert outcome.path == wide.path
        assert outcome.statistics.expanded == wide.statistics.expanded
        assert outcome.proven == bool(outcome.found)


def test_auto_chooses_for_every_kind_of_property() -> None:
    builder = NetworkBuilder("philosophers")
    count = 4
    for i in range(count):
        fork = builder.process(f"Fork{i}")
        fork.location("free", end=True)
        fork.location("taken")
        builder.channel(f"take{i}")
        builder.channel(f"put{i}")
        fork.edge("free", "taken", sync=f"take{i}?")
        fork.edge("taken", "free", sync=f"put{i}?")
    for i in range(count):
        philosopher = builder.process(f"Phil{i}")
        for name in ("think", "one", "eat", "full"):
            philosopher.location(name)
        philosopher.edge("think", "one", sync=f"take{i}!")
        philosopher.edge("one", "eat", sync=f"take{(i + 1) % count}!")
        philosopher.edge("eat", "full", sync=f"put{i}!")
        philosopher.edge("full", "think", sync=f"put{(i + 1) % count}!")
    network = builder.build()
    stuck = check(network, "deadlock", search="auto")
    assert (stuck.verdict, len(stuck.trace or ()), stuck.shortest) == ("violated", count, True)
    assert stuck.heuristic is not None
    eating = check(network, "E<> Phil0.eat && Phil2.eat", search="auto")
    assert (eating.verdict, len(eating.trace or ()), eating.shortest) == ("holds", 4, True)
    never = check(network, "E<> Phil0.eat && Phil1.eat", search="auto")
    assert (never.verdict, never.trace) == ("violated", None)


def test_what_the_estimate_said_is_counted() -> None:
    builder = NetworkBuilder("up")
    builder.variable("x", 0, 9)
    builder.process("P").location("a").edge("a", "a", guard="x < 9", effect="x++")
    result = check(builder, "x < 9", search="greedy", heuristic="expr:9-x")
    counted = result.statistics.estimates
    assert result.statistics.best_estimate == 1
    assert list(counted) == [0, *[1] * 9]
    assert result.history[-1].best_estimate == 1
