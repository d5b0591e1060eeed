"""Estimates of the way round a cycle, held against the ways there are."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import pytest
from benchmarks.conformance.liveness import live_program_of

from beeline import Limits, check
from beeline.checking import Options
from beeline.engine import core
from beeline.engine.native_space import NativeSpace
from beeline.heuristics.language import build
from beeline.languages import LoadOptions, load
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.model.source import BeelineError
from beeline.problems.make import problem_of

SETTINGS = Options(search="astar").settings()
PHILOSOPHERS = Path(__file__).parents[2] / "models" / "promela" / "hungry_philosophers.pml"
DEAD_END = 2**31
MOST_PAIRS = 3000
Words = tuple[int, ...]


def program(seed: int, folder: Path) -> Network:
    path = folder / "model.pml"
    path.write_text(live_program_of(seed))
    found = load(path)
    assert isinstance(found, Network)
    return found


def explored(pairs: NativeSpace) -> tuple[dict[Words, list[Words]], set[Words]] | None:
    """The targets of each pair, and the pairs that close a cycle; None if there are too many."""
    queue = deque(words for *_, words in pairs.initial_arcs() if words is not None)
    targets: dict[Words, list[Words]] = {}
    closed: set[Words] = set()
    seen = set(queue)
    while queue:
        state = queue.popleft()
        arcs = [(marks, words) for _, marks, _, words in pairs.successor_arcs(state)[1] if words is not None]
        closed |= {words for marks, words in arcs if marks & core.GOAL}
        targets[state] = [words for _, words in arcs]
        fresh = set(targets[state]) - seen
        seen |= fresh
        queue.extend(fresh)
        if len(seen) > MOST_PAIRS:
            return None
    return targets, closed


def distances(targets: dict[Words, list[Words]], closed: set[Words]) -> dict[Words, int]:
    origins: dict[Words, list[Words]] = {}
    for state, following in targets.items():
        for target in following:
            origins.setdefault(target, []).append(state)
    found = dict.fromkeys(closed, 0)
    queue = deque(closed)
    while queue:
        state = queue.popleft()
        for origin in origins.get(state, ()):
            if origin not in found:
                found[origin] = found[state] + 1
                queue.append(origin)
    return found


def audit(network: Network, asked: Property, estimates: tuple[str, ...]) -> int:
    """Checks every pair of a model; returns how many there were."""
    ready = problem_of(network, asked).ready(SETTINGS)
    ready.context.closes_cycles = True
    space = explored(ready.pairs(ready.space()))
    if space is None:
        return 0
    targets, closed = space
    exact = distances(targets, closed)
    for text in estimates:
        (estimate,) = build(text, ready.context)
        values = {
            state: DEAD_END if value is None else value
            for state, value in zip(targets, estimate.native.estimate_all(list(targets)), strict=True)
        }
        for state, value in values.items():
            assert value <= exact.get(state, DEAD_END) or not estimate.promises.admissible
            assert value < DEAD_END or state not in exact
            if estimate.promises.consistent:
                assert all(value <= values[target] + 1 for target in targets[state])
    return len(targets)


@pytest.mark.parametrize("first", [0, pytest.param(1000, marks=pytest.mark.slow)])
def test_estimates_of_cycles_keep_their_promises_on_every_pair(first: int, tmp_path: Path) -> None:
    pairs = 0
    for seed in range(first, first + (400 if first else 12)):
        network = program(seed, tmp_path)
        for asked in network.properties:
            if asked.seeks_cycle:
                try:
                    pairs += audit(network, asked, ("cL", "cU", "cL:max(hL, pdb)"))
                except core.TooManyProcesses:
                    continue
    assert pairs > 1000


def test_a_star_finds_lassos_as_short_as_breadth_first_search(tmp_path: Path) -> None:
    compared, limits = 0, Limits(states=20_000)
    for seed in range(40, 60):
        network = program(seed, tmp_path)
        for asked in network.properties:
            if not asked.seeks_cycle:
                continue
            found = [check(network, asked, search=search, limits=limits) for search in ("bfs", "astar")]
            if all(result.trace is not None and result.trace.cycle is not None for result in found):
                compared += 1
                assert len({len(result.trace) for result in found if result.trace is not None}) == 1
    assert compared > 10


def test_the_way_to_the_first_meal_leads_a_star_past_what_the_others_do() -> None:
    network = load(PHILOSOPHERS, options=LoadOptions({"N": "32"}))
    blind, guided = (check(network, "starves", search=search) for search in ("bfs", "astar"))
    assert blind.trace is not None and guided.trace is not None
    assert (guided.trace.cycle, len(guided.trace)) == (blind.trace.cycle, len(blind.trace)) == (100, 102)
    assert 5 * guided.statistics.stored < blind.statistics.stored


@pytest.mark.parametrize("text", ["hL", "max(cL, hL)", "cache(cL)"])
def test_an_estimate_that_knows_no_seed_is_refused(text: str) -> None:
    network = load(PHILOSOPHERS, options=LoadOptions({"N": "3"}))
    with pytest.raises(BeelineError, match="is no heuristic for the way round a cycle"):
        check(network, "starves", search="astar", heuristic=text)
