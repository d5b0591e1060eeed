"""The zone engine and the region oracle give the same answers on random timed networks."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.languages.uppaal.grid import reachable
from tests.languages.uppaal.oracle import ABOVE, Oracle, State
from tests.languages.uppaal.stopwatch_grid import StopwatchGrid
from tests.languages.uppaal.timed_models import Bound, Model, Shape, make_model, make_stopping, models, to_xta

from beeline.engine import Found, Limits, Status
from beeline.languages.uppaal import load_text
from beeline.model.expressions import TRUE, Ref
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.timed.bounds import Interval, bounds_of
from beeline.timed.options import Extrapolation, ZoneOptions
from beeline.timed.search import ZoneGraph, search_property, zone_graph
from beeline.trace.replay import Spurious

EXAMPLES, MANY = 130, pytest.param(1500, marks=pytest.mark.slow)
"""For each of the four shapes, so more than five hundred networks in all; and six thousand."""


def discrete_states(graph: ZoneGraph) -> set[tuple[tuple[int, ...], int]]:
    """Locations and variable of every state of a zone graph, by exploring it with a plain list of zones."""
    words = graph.native.words
    zones: dict[tuple[int, ...], list[tuple[int, ...]]] = defaultdict(list)
    waiting: list[tuple[int, ...]] = []

    def add(state: tuple[int, ...] | None) -> None:
        assert state is not None
        zone = tuple(graph.space.bounds(state))
        known = zones[state[:words]]
        if not any(all(a >= b for a, b in zip(other, zone, strict=True)) for other in known):
            known.append(zone)
            waiting.append(state)

    for _, _, _, state in graph.space.initial_arcs():
        add(state)
    while waiting:
        for _, _, _, state in graph.space.successor_arcs(waiting.pop())[1]:
            add(state)
    found: set[tuple[tuple[int, ...], int]] = set()
    for packed in zones:
        reached = graph.program.layout.decode(graph.native.unpack(list(packed)))
        found.add((tuple(process.location for process in reached.processes), reached.variables[0]))
    return found


def at(state: State, deadlock: bool = False) -> str:
    places = [f"P{number}.s{place}" for number, place in enumerate(state.locations)]
    return " && ".join([*places, f"v == {state.variable}", *(["deadlock"] if deadlock else [])])


def asking(model: Model, queries: list[str], unit: int = 1) -> Network:
    return load_text(to_xta(model, unit) + "".join(f"\nquery {{ {query} }}" for query in queries))


def is_found(network: Network, asked: Property, search: str = "bfs") -> bool:
    """Whether the search finds it; a trace has then been replayed with exact clocks."""
    outcome, trace = search_property(network, asked, search)
    assert (outcome.status is Status.FOUND) == (trace is not None)
    return Found.GOAL in outcome.found


@pytest.mark.parametrize(
    "shape",
    [
        Shape(channels=("",)),
        Shape(),
        Shape(most_clocks=2, channels=("broadcast", "urgent broadcast")),
        Shape(priorities=True),
    ],
    ids=["handshakes", "everything", "broadcasts", "priorities"],
)
@pytest.mark.parametrize("examples", [EXAMPLES, MANY])
def test_engine_reaches_what_the_oracle_reaches(shape: Shape, examples: int) -> None:
    @settings(max_examples=examples)
    @given(models(shape))
    def agree(model: Model) -> None:
        _compare(model, Oracle(model))

    agree()


@pytest.mark.parametrize("unit", [1, 1_000_000])
@pytest.mark.parametrize("priorities", [False, True], ids=["plain", "priorities"])
def test_bounds_by_variables_and_functions_agree_also_with_large_constants(unit: int, priorities: bool) -> None:
    """Another unit of time changes no location that is reached and no deadlock: the oracle counts in units."""

    @settings(max_examples=80)
    @given(models(Shape(most_clocks=2, largest=3, computed=True, priorities=priorities)))
    def agree(model: Model) -> None:
        _compare(model, Oracle(model), unit)

    agree()


def _compare(model: Model, oracle: Oracle, unit: int = 1) -> None:
    """All discrete states; then deadlock anywhere, and one state with and without deadlock, with replayed traces."""
    chosen = max(oracle.reached, key=lambda state: (state.locations, state.variable), default=None)
    queries = ["A[] not deadlock"]
    if chosen is not None:
        queries += [f"E<> {at(chosen)}", f"E<> {at(chosen, deadlock=True)}"]
    network = asking(model, queries, unit)
    assert discrete_states(zone_graph(network)) == oracle.discrete()
    assert is_found(network, network.properties[0]) == oracle.has_deadlock()
    if chosen is not None:
        here = [s for s in oracle.reached if (s.locations, s.variable) == (chosen.locations, chosen.variable)]
        assert is_found(network, network.properties[1], "dfs")
        assert is_found(network, network.properties[2]) == any(map(oracle.is_deadlock, here))


@pytest.mark.parametrize("extrapolation", list(Extrapolation)[1:], ids=lambda one: one.value)
@settings(max_examples=60)
@given(model=models())
def test_every_extrapolation_reaches_the_same(extrapolation: Extrapolation, model: Model) -> None:
    network = load_text(to_xta(model))
    assert discrete_states(zone_graph(network, options=ZoneOptions(extrapolation))) == Oracle(model).discrete()


@settings(max_examples=60)
@given(model=models())
def test_merged_zones_find_the_same(model: Model) -> None:
    oracle = Oracle(model)
    network = asking(model, [f"E<> {at(state)}" for state in sorted(oracle.reached, key=str)[-3:]])
    for asked in network.properties:
        outcome, trace = search_property(network, asked, options=ZoneOptions(merge=True))
        assert outcome.status is Status.FOUND and trace is not None


@settings(max_examples=60)
@given(model=models())
def test_bounded_depth_first_search_finds_what_lies_within_its_bound(model: Model) -> None:
    """And breadth-first traces are shortest, although zones take the place of others."""
    oracle = Oracle(model)
    network = asking(model, [f"E<> {at(state)}" for state in sorted(oracle.reached, key=str)[-3:]])
    for asked in network.properties:
        _, shortest = search_property(network, asked)
        assert shortest is not None
        for bound in (len(shortest) - 1, len(shortest)):
            if bound >= 0:
                outcome, _ = search_property(network, asked, "dfs", limits=Limits(depth=bound))
                assert (outcome.status is Status.FOUND) == (bound == len(shortest))


@settings(max_examples=100)
@given(
    model=models(),
    clock=st.integers(0, 2),
    constant=st.integers(0, 5),
    operator=st.sampled_from(["<", "<=", ">", ">=", "=="]),
)
def test_queries_may_look_at_clocks(model: Model, clock: int, constant: int, operator: str) -> None:
    clock %= model.clocks
    oracle = Oracle(model, constant)
    bound = Bound(clock, operator, constant)
    wanted = any(state.region.holds(bound) and state.variable == 1 for state in oracle.reached)
    network = asking(model, [f"E<> v == 1 && {bound.text()}", f"A[] !(v == 1 && {bound.text()})"])
    assert is_found(network, network.properties[0]) == wanted
    assert is_found(network, network.properties[1]) == wanted


@settings(max_examples=150)
@given(seed=st.integers(0, 2**32 - 1))
def test_differences_of_clocks_agree_with_a_grid(seed: int) -> None:
    """All clocks are bounded here, so that a grid fine enough for their order decides reachability."""
    model = make_model(Random(seed), Shape(most_clocks=2, largest=2, differences=True, channels=("",)))
    network = load_text(to_xta(model))
    assert discrete_states(zone_graph(network)) == reachable(model)


def _ending(model: Model, moment: int) -> Model:
    """The model with time running out: a clock that nobody sets, and no other invariants."""
    bound = (Bound(model.clocks, "<=", moment),)
    automata = tuple(
        replace(automaton, locations=tuple(replace(place, invariant=bound) for place in automaton.locations))
        for automaton in model.automata
    )
    return replace(model, clocks=model.clocks + 1, automata=automata)


@settings(max_examples=150)
@given(seed=st.integers(0, 2**32 - 1))
def test_differences_of_clocks_beyond_all_constants_agree_with_zones_that_are_not_widened(seed: int) -> None:
    shape = Shape(most_clocks=3, largest=2, differences=True, channels=("",))
    network = load_text(to_xta(_ending(make_model(Random(seed), shape), 7)))
    exact = discrete_states(zone_graph(network, options=ZoneOptions(Extrapolation.NONE)))
    assert discrete_states(zone_graph(network)) == exact


def _extent(oracle: Oracle, clock: int) -> Interval:
    """Ends are twice the whole part, one more for those that have a fraction."""
    regions = [state.region for state in oracle.reached]
    ends = [2 * region.whole[clock] + (region.rank[clock] > 0) for region in regions if region.whole[clock] != ABOVE]
    high = None if len(ends) < len(regions) else -(-max(ends) // 2)
    return Interval(min(ends) // 2, high, bool(min(ends) % 2), high is not None and bool(max(ends) % 2))


@settings(max_examples=150)
@given(model=models(), clock=st.integers(0, 2))
def test_bounds_of_clocks_are_those_of_the_regions(model: Model, clock: int) -> None:
    """Up to 8, beyond which the oracle only says "above"."""
    clock %= model.clocks
    oracle = Oracle(model, 8)
    network = load_text(to_xta(model))
    if not oracle.reached:
        return
    found = bounds_of(network, TRUE, [Ref(f"x{clock}")], limits=Limits(states=2000))
    (interval,) = found.intervals
    expected = _extent(oracle, clock)
    assert interval is not None
    if expected.high is not None:
        assert found.exact and interval == expected
    else:
        assert not found.exact or interval.high is None or interval.high > 8


@pytest.mark.parametrize("priorities", [False, True], ids=["plain", "priorities"])
@pytest.mark.parametrize("examples", [EXAMPLES, MANY])
def test_zones_of_stopped_clocks_include_all_that_is_reachable(priorities: bool, examples: int) -> None:
    """And nothing is called found that has not been replayed with exact clocks."""
    spurious: list[Model] = []
    found: list[Model] = []

    @settings(max_examples=examples)
    @given(st.integers(0, 2**32 - 1))
    def include(seed: int) -> None:
        model = make_stopping(Random(seed), priorities)
        grid = StopwatchGrid(model)
        chosen = max(grid.reached, key=lambda state: (state.locations, state.region.whole), default=None)
        queries = ["A[] not deadlock"]
        if chosen is not None:
            queries += [f"E<> {at(chosen)}", f"E<> {at(chosen)} && {grid.clocks_at(chosen)}"]
        network = asking(model, queries)
        assert discrete_states(zone_graph(network)) >= grid.discrete()
        for asked, reached in zip(network.properties, [grid.has_deadlock(), True, True], strict=False):
            try:
                if is_found(network, asked):
                    found.append(model)
                else:
                    assert not reached
            except Spurious:
                spurious.append(model)

    include()
    assert len(spurious) < len(found) / 5
