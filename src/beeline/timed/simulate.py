"""Walks through a timed model: each turn is a step or a delay, with exact clock values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from beeline.model.network import Network
from beeline.model.source import ModelError
from beeline.simulate import Turn, World, is_alike
from beeline.timed.semantics import TimedSemantics, TimedState
from beeline.timed.trace import describe, show_timed_step
from beeline.trace.timed import show_time
from beeline.trace.trace import TraceStep

DELAYS = (Fraction(1, 2), Fraction(1), Fraction(5))


class TimedWorld(World):
    """A network with clocks."""

    def __init__(self, network: Network) -> None:
        self.network, self.semantics = network, TimedSemantics(network)

    def initial(self) -> TimedState:
        state = self.semantics.initial_state()
        if state is None:
            raise ModelError("the invariants do not hold at the start", self.network.source)
        return state

    def turns(self, state: TimedState, number: int) -> list[Turn]:
        semantics = self.semantics
        found = [Turn(show_timed_step(semantics, state, step, number), step.target) for step in semantics.steps(state)]
        return found + [self._delay(state, amount, number) for amount in DELAYS if semantics.may_delay(state, amount)]

    def _delay(self, state: TimedState, amount: Fraction, number: int) -> Turn:
        later = self.semantics.delay(state, amount)
        old, new = self.describe(state), self.describe(later)
        changes = {name: (old[name], new[name]) for name in new if old[name] != new[name]}
        shown = TraceStep(number, "time", f"passes for {show_time(amount)}", changes, elapsed=tuple(changes))
        return Turn(shown, later)

    def wait(self, state: TimedState, amount: Fraction, number: int) -> Turn | None:
        possible = amount > 0 and self.semantics.may_delay(state, amount)
        return self._delay(state, amount, number) if possible else None

    def describe(self, state: TimedState) -> dict[str, str]:
        return describe(self.semantics, state)

    def ending(self, state: TimedState) -> str:
        return "deadlock: no step is possible, and time must not pass"

    def _wanted(self, state: TimedState, number: int, wanted: dict[str, Any]) -> list[Turn]:
        """A step of a trace is a delay, if there is one, and the step itself."""
        amount, found = Fraction(wanted.get("delay", "0")), list[Turn]()
        before = state
        if amount and self.semantics.may_delay(state, amount):
            found.append(self._delay(state, amount, number))
            state = found[-1].target
        for step in self.semantics.steps(state):
            # A trace tells what changed since the last step, time included.
            if is_alike(show_timed_step(self.semantics, before, step, number), wanted):
                shown = show_timed_step(self.semantics, state, step, number + len(found))
                return [*found, Turn(shown, step.target)]
        return []
