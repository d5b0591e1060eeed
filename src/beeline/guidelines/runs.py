"""Runs of a guideline: states at the end of micro-steps, and what was chosen on the way.

`Replay` lets the reference interpreter take a run of an abstract model again in the exact one, with the same choices
of patient and users. A timer may then say something else without consequences. Where it has some, or the question is
about it, the run is spurious, and that timer is the reason."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NoReturn

from beeline.languages.asbru.dynamics import system_of
from beeline.languages.asbru.guideline import Guideline
from beeline.model.expressions import Expression
from beeline.model.network import Network
from beeline.model.semantics import Semantics, Step
from beeline.model.state import State
from beeline.model.synchronous import network_of
from beeline.records import Record
from beeline.trace import ReplayError

Values = Mapping[str, int]


class Run(Record, frozen=True):
    """The values of all variables, state by state; from `cycle` on they come again and again. `exact` are the states as
    the interpreter has them."""

    states: tuple[Values, ...]
    cycle: int | None = None
    exact: tuple[State, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"states": [dict(state) for state in self.states], "cycle": self.cycle}


class Wrong(Exception):
    """A timer is not as the run says."""

    def __init__(self, timer: str) -> None:
        super().__init__(timer)
        self.timer = timer


class Replay:
    """The exact model of a guideline, taken through runs of abstract ones."""

    def __init__(self, guideline: Guideline) -> None:
        self._timers = [timer.name for timer in guideline.timers]
        system = system_of(guideline, self._timers)
        self.network: Network = network_of(system, "asbru", guideline.source)
        self._semantics = Semantics(self.network)
        self._places = {variable.name: number for number, variable in enumerate(self.network.variables)}
        self._shown = [variable.name for variable in system.variables]
        self._choices = [choice.name for choice in system.choices]
        self._known: dict[tuple[State, tuple[tuple[str, int], ...]], State] = {}
        """Micro-steps taken already: runs have much in common."""
        (self.start,) = self._semantics.initial_states()

    def values(self, state: State) -> dict[str, int]:
        """What variables have in a state at rest."""
        return {name: state.variables[self._places[name]] for name in self._shown}

    def follow(
        self,
        states: Sequence[Values],
        choices: Sequence[Mapping[str, int]],
        asked: Collection[str],
        begin: State | None = None,
    ) -> list[State]:
        """The exact states of a run, of which the first is given already; raises `Wrong`. What is `asked` about must be
        the same."""
        state = begin or self.start
        found = [state]
        before = self._differing(state, states[0])
        for wanted, chosen in zip(states[1:], choices, strict=True):
            state = self._micro_step(state, chosen)
            differing = self._differing(state, wanted)
            for name in differing:
                if name in asked or name not in self._timers:
                    self._blame(name, [*before, *differing])
            found.append(state)
            before = differing
        return found

    def _differing(self, state: State, wanted: Values) -> list[str]:
        """The variables that have other values than wanted."""
        return [n for n in self._shown if n in wanted and state.variables[self._places[n]] != wanted[n]]

    def _blame(self, name: str, differing: Sequence[str]) -> NoReturn:
        for timer in self._timers if name not in self._timers else [name]:
            if timer in differing:
                raise Wrong(timer)
        raise ReplayError(f"the interpreter does not agree with a run: {name}")

    def _micro_step(self, state: State, chosen: Mapping[str, int]) -> State:
        key = state, tuple(chosen.items())
        if key not in self._known:
            self._known[key] = self._taken(state, chosen)
        return self._known[key]

    def _taken(self, state: State, chosen: Mapping[str, int]) -> State:
        while True:
            steps = self._semantics.steps(state)
            step = steps[0] if len(steps) == 1 else self._wanted(state, steps, chosen)
            assert step.target is not None
            state = step.target
            if state.control < 0:
                return state

    def _wanted(self, state: State, steps: list[Step], chosen: Mapping[str, int]) -> Step:
        """The step that makes the choice of the run; any, where the run does not depend on it."""
        name = self._choices[state.processes[0].location]
        place = self._places[name]
        fitting = (one for one in steps if one.target is not None and one.target.variables[place] == chosen.get(name))
        return next(fitting, steps[0])

    def around(
        self, states: Sequence[Values], choices: Sequence[Mapping[str, int]], asked: Collection[str], cycle: int
    ) -> list[State]:
        """The exact states of a run that comes back to its state number `cycle` with its last step: round after round
        until a state comes again there."""
        found = self.follow(states[: cycle + 1], choices[:cycle], asked)
        seen = {found[-1]}
        while True:
            found += self.follow(states[cycle:], choices[cycle:], asked, found[-1])[1:]
            if found[-1] in seen:
                return found
            seen.add(found[-1])

    def holds(self, expression: Expression, state: State) -> bool:
        """Whether an expression is true in a state."""
        return self._semantics.holds(expression, state)
