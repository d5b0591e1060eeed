"""A judge of networks that stop clocks: values on a grid of halves, so that all that it reaches is reachable.

Time steps of a half do not reach everything. Whether nothing more can happen is asked at quarters, which lie between
any two moments at which a clock of the grid meets a constant.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.languages.uppaal.oracle import Oracle, Region, State
from tests.languages.uppaal.timed_models import Bound

UNIT = 4


@dataclass(frozen=True)
class Point(Region):
    """Clock values as multiples of a quarter in `whole`; beyond all constants they stay the same. No ranks."""

    def holds(self, bound: Bound) -> bool:
        assert bound.other is None
        value, constant = self.whole[bound.clock], UNIT * bound.constant
        return {
            "<": value < constant,
            "<=": value <= constant,
            "==": value == constant,
            ">=": value >= constant,
            ">": value > constant,
        }[bound.operator]

    def reset(self, resets: tuple[tuple[int, int], ...]) -> Point:
        values = list(self.whole)
        for clock, value in resets:
            values[clock] = UNIT * value
        return Point(tuple(values), ())


class StopwatchGrid(Oracle):
    """What is reached by waiting for halves, with clocks that stand still where a location says so."""

    step = UNIT // 2

    def first_region(self) -> Region:
        return Point((0,) * self.model.clocks, ())

    def rates(self, state: State) -> list[int] | None:
        given: dict[int, int] = {}
        for number, at in enumerate(state.locations):
            for clock, rate in self.model.automata[number].locations[at].rates:
                value = int(state.variable == 1) if rate is None else rate
                if given.setdefault(clock, value) != value:
                    return None
        return [given.get(clock, 1) for clock in range(self.model.clocks)]

    def delay(self, state: State) -> State | None:
        rates = self.rates(state)
        if rates is None or any(self.places(state)) or self.urgent(state):
            return None
        most = UNIT * (self.largest + 1)
        values = tuple(
            min(value + self.step * rate, most) for value, rate in zip(state.region.whole, rates, strict=True)
        )
        later = State(state.locations, state.variable, Point(values, ()))
        return later if later != state and self.invariant(later) else None

    def is_deadlock(self, state: State) -> bool:
        self.step = UNIT // 4
        try:
            return super().is_deadlock(state)
        finally:
            self.step = UNIT // 2

    def clocks_at(self, state: State) -> str:
        """A condition that the clocks' values satisfy: whole ones are told exactly."""
        parts: list[str] = []
        for clock, value in enumerate(state.region.whole):
            if value >= UNIT * (self.largest + 1):
                parts.append(f"x{clock} > {self.largest}")
            elif value % UNIT == 0:
                parts.append(f"x{clock} == {value // UNIT}")
            else:
                parts.append(f"x{clock} > {value // UNIT} && x{clock} < {value // UNIT + 1}")
        return " && ".join(parts)
