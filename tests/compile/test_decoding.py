"""States along a path that are made from what each step changed are those that are decoded from scratch."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from tests.networks import Sampler

from beeline import NetworkBuilder
from beeline.compile.decoding import Decoder
from beeline.compile.program import compile_network
from beeline.engine import Found, core
from beeline.model.expressions import Binary, Literal, Ref
from beeline.model.network import Network
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.searches.runner import run


def walk(network: Network, dice: random.Random, steps: int) -> list[State]:
    semantics = Semantics(network)
    states = semantics.initial_states()
    for _ in range(steps):
        targets = [step.target for step in semantics.steps(states[-1]) if step.target is not None]
        if not targets:
            break
        states.append(dice.choice(targets))
    return states


def test_a_state_is_the_one_before_with_what_changed() -> None:
    dice = random.Random(1)
    followed = shared = 0
    for seed in range(400):
        network = Sampler(seed).network()
        max_processes = max(network.rules.max_processes, len(network.initial))
        layout = compile_network(network, max_processes=max_processes).layout
        states = walk(network, dice, 8)
        cells = layout.encode(states[0])
        decoder = Decoder(layout, cells)
        for before, after in pairwise(states):
            following = layout.encode(after)
            changes = [(cell, new) for cell, (old, new) in enumerate(zip(cells, following, strict=True)) if old != new]
            found = decoder.follow(changes, before)
            assert found == after == layout.decode(following)
            followed += 1
            shared += any(one is other for one, other in zip(found.processes, before.processes, strict=False))
            cells = following
    assert followed > 1000
    assert shared > followed // 2


def counter() -> Network:
    builder = NetworkBuilder("counter")
    builder.variable("x", 0, 9)
    builder.process("up").location("even").location("odd").edge("even", "odd", effect="x++").edge(
        "odd", "even", guard="x < 9", effect="x++"
    )
    return builder.build()


def test_the_engine_tells_what_each_step_of_its_path_changed() -> None:
    native = compile_network(counter(), Binary("==", Ref("x"), Literal(5))).native
    outcome = run(core.ProgramSpace(native), stop=Found.GOAL).native
    cells = native.unpack(outcome.state(0))
    assert len(outcome.actions) == 6
    for step in range(1, 6):
        for cell, value in native.changed_cells(outcome, step):
            assert cells[cell] != value
            cells[cell] = value
        assert cells == native.unpack(outcome.state(step))


@pytest.mark.parametrize("step", [0, 6, 2**40])
def test_a_step_that_the_path_does_not_have_is_refused(step: int) -> None:
    native = compile_network(counter(), Binary("==", Ref("x"), Literal(5))).native
    outcome = run(core.ProgramSpace(native), stop=Found.GOAL).native
    with pytest.raises(ValueError, match="no such step"):
        native.changed_cells(outcome, step)
    if step > 0:
        with pytest.raises(IndexError):
            outcome.state(step)
