"""Walks through a timed model: each turn is a step or a delay, with exact clock values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from beeline.model.network import Network
from beeline.model.source import ModelError
from beeline.simulate import Choose
from beeline.timed.semantics import TimedSemantics, TimedState
from beeline.timed.trace import describe, show_timed_step
from beeline.trace.timed import show_time
from beeline.trace.trace import TraceStep

DELAYS = (Fraction(1, 2), Fraction(1), Fraction(5))


def simulate_timed(network: Network, choose: Choose, steps: int) -> Iterator[TraceStep]:
    """Yields the turns taken, at most `steps`; ends earlier when neither a step nor a delay is possible."""
    semantics = TimedSemantics(network)
    state = semantics.initial_state()
    if state is None:
        raise ModelError("the invariants do not hold at the start", network.source)
    for number in range(1, steps + 1):
        turns: list[tuple[TraceStep, TimedState | None]] = [
            (show_timed_step(semantics, state, step, number), step.target) for step in semantics.steps(state)
        ]
        for amount in DELAYS:
            if semantics.may_delay(state, amount):
                later = semantics.delay(state, amount)
                turns.append((_show_delay(semantics, state, later, amount, number), later))
        position = choose(state.discrete, [turn for turn, _ in turns]) if turns else None
        if position is None:
            return
        yield turns[position][0]
        target = turns[position][1]
        if target is None:
            return
        state = target


def _show_delay(
    semantics: TimedSemantics, before: TimedState, after: TimedState, amount: Fraction, number: int
) -> TraceStep:
    old, new = describe(semantics, before), describe(semantics, after)
    changes = {name: (old[name], new[name]) for name in new if old[name] != new[name]}
    return TraceStep(number, "time", f"passes for {show_time(amount)}", changes, elapsed=tuple(changes))
