"""The steps that some processes begin are among all steps, and none is missing."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from tests.networks import Sampler

from beeline.model.network import Network
from beeline.model.semantics import Semantics, Step
from beeline.model.state import State


def reachable(semantics: Semantics, most: int) -> list[State]:
    found = list(semantics.initial_states())
    for state in found:  # grows meanwhile
        for step in semantics.steps(state):
            if step.target is not None and step.target not in found and len(found) < most:
                found.append(step.target)
    return found


def told(step: Step) -> tuple[object, ...]:
    return step.moves, step.target, str(step.error), step.output


def beginners(step: Step) -> set[int]:
    return {step.moves[0].pid}


def step_makers(step: Step) -> set[int]:
    return {move.pid for move in step.moves}


def check(network: Network, most: int) -> int:
    semantics = Semantics(network)
    compared = 0
    for state in reachable(semantics, most):
        everyone = semantics.steps(state)
        numbers = range(len(state.processes))
        for pids in chain.from_iterable(combinations(numbers, size) for size in (1, 2)):
            begun = list(map(told, semantics.steps_begun_by(state, set(pids))))
            # Beside a monitor, which moves first, it is those in which one of them takes part.
            first = step_makers if network.monitor is not None else beginners
            assert begun == [told(step) for step in everyone if not first(step).isdisjoint(pids)]
            compared += len(begun)
    return compared


@pytest.mark.parametrize("seed", range(6))
def test_steps_begun_by_some_are_those_of_all_that_they_begin(seed: int) -> None:
    assert sum(check(Sampler(100 * seed + i).network(), 12) for i in range(10)) > 50
