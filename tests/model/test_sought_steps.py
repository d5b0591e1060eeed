"""A step that is asked for by its moves, or by who begins it, is the one that a list of all steps has."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import chain, combinations
from pathlib import Path

import pytest
from benchmarks.conformance.corners import corner_of
from benchmarks.conformance.generator import program_of
from tests.networks import Sampler

from beeline.languages import load
from beeline.model.network import Network
from beeline.model.semantics import Move, Semantics, Step
from beeline.model.source import BeelineError
from beeline.model.state import State
from beeline.records import replace

BATCHES = 8
NETWORKS = int(os.environ.get("BEELINE_STEPS", "2000")) // BATCHES  # BEELINE_STEPS=20000 asks for a long run
Moves = tuple[Move, ...]


def reachable(semantics: Semantics, most: int) -> list[State]:
    found = list(semantics.initial_states())
    seen = set(found)
    for state in found:  # grows meanwhile
        for step in semantics.steps(state):
            if step.target is not None and step.target not in seen and len(found) < most:
                seen.add(step.target)
                found.append(step.target)
    return found


def told(step: Step) -> tuple[object, ...]:
    return step.moves, step.target, str(step.error), step.output


def beginner(step: Step) -> int:
    """The first process of a step; the monitor alone counts as one."""
    return next((move.pid for move in step.moves if move.pid >= 0), -1)


def check_beginners(network: Network, most: int) -> int:
    semantics = Semantics(network)
    compared = 0
    for state in reachable(semantics, most):
        everyone = semantics.steps(state)
        numbers = range(len(state.processes))
        for pids in chain.from_iterable(combinations(numbers, size) for size in (1, 2)):
            begun = list(map(told, semantics.steps_begun_by(state, set(pids))))
            assert begun == [told(step) for step in everyone if beginner(step) in pids]
            compared += len(begun)
    return compared


def near(network: Network, state: State, moves: Moves, dice: random.Random) -> Iterator[Moves]:
    """Moves that are a little different: another edge, another process, one more or less, another order."""
    position = dice.randrange(len(moves))
    move = moves[position]
    if move.pid >= 0:
        edge = dice.randrange(len(network.processes[move.kind].edges))
        yield (*moves[:position], replace(move, edge=edge), *moves[position + 1 :])
        pid = dice.randrange(len(state.processes))
        kind, location = state.processes[pid].kind, state.processes[pid].location
        edges = [i for i, one in enumerate(network.processes[kind].edges) if one.source_location == location]
        if edges:
            other = Move(pid, kind, dice.choice(edges))
            yield (*moves[:position], other, *moves[position + 1 :])
            yield (*moves, other)
    yield moves[:-1]
    yield moves[::-1]


def check_moves(network: Network, most: int, dice: random.Random) -> tuple[int, int]:
    """Asks for each possible step by its moves, and for some that may not be possible. Returns how many were."""
    every, single = Semantics(network), Semantics(network)
    possible = refused = 0
    for state in reachable(every, most):
        listed: dict[Moves, list[tuple[object, ...]]] = {}
        for step in every.steps(state):
            listed.setdefault(step.moves, []).append(told(step))
        asked = [*listed, *(wrong for moves in listed for wrong in near(network, state, moves, dice))]
        for moves in asked:
            found = single.step(state, moves)
            if moves in listed:
                assert found is not None, (network, state, moves)
                assert told(found) == listed[moves][0]
                possible += 1
            else:
                assert found is None, (network, state, moves)
                refused += 1
    return possible, refused


@pytest.mark.parametrize("seed", range(6))
def test_steps_begun_by_some_are_those_of_all_that_they_begin(seed: int) -> None:
    assert sum(check_beginners(Sampler(100 * seed + i).network(), 12) for i in range(10)) > 50


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_step_of_a_random_network_is_possible_exactly_if_it_is_listed(batch: int) -> None:
    dice = random.Random(batch)
    counts = [check_moves(Sampler(10_000 * batch + i).network(), 10, dice) for i in range(NETWORKS)]
    assert sum(possible for possible, _ in counts) > 5 * NETWORKS
    assert sum(refused for _, refused in counts) > 5 * NETWORKS


def promela(folder: Path, seed: int) -> Network:
    """A program of one of the two generators; the second one writes some that are refused."""
    path = folder / f"{seed}.pml"
    path.write_text(program_of(seed) if seed % 2 else corner_of(seed))
    try:
        network = load(path)
    except BeelineError:
        return promela(folder, seed + 1)
    assert isinstance(network, Network)
    return network


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_step_of_a_random_promela_program_is_possible_exactly_if_it_is_listed(batch: int, tmp_path: Path) -> None:
    dice = random.Random(batch)
    counts = [check_moves(promela(tmp_path, 10_000 * batch + i), 10, dice) for i in range(NETWORKS // 4)]
    assert sum(possible for possible, _ in counts) > 5 * NETWORKS // 4
    assert sum(refused for _, refused in counts) > 5 * NETWORKS // 4
