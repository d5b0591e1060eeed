"""Walks through a model one step at a time, with the reference interpreter: at random, or by a person's choice."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from beeline.model.network import Network
from beeline.model.semantics import Semantics, Step
from beeline.model.state import State
from beeline.trace.replay import show_step
from beeline.trace.trace import TraceStep

Choose = Callable[[State, list[TraceStep]], int | None]
"""Given the state and its possible steps, the position of the one to take, or None to stop."""


def simulate(network: Network, choose: Choose, steps: int) -> Iterator[TraceStep]:
    """Yields the steps taken, at most `steps` of them; ends earlier when none is possible or after an error."""
    semantics = Semantics(network)
    state = semantics.initial_states()[0]
    for number in range(1, steps + 1):
        possible = semantics.steps(state)
        shown = [show_step(network, state, step, number) for step in possible]
        position = choose(state, shown) if possible else None
        if position is None:
            return
        yield shown[position]
        taken: Step = possible[position]
        if taken.target is None:
            return
        state = taken.target


def at_random(seed: int) -> Choose:
    """A choice that is the same for the same seed."""
    source = random.Random(seed)
    return lambda state, shown: source.randrange(len(shown))
