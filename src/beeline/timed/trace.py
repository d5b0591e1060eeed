"""Timed counterexamples: the delays of a run, as early as possible, and its replay with exact clock values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from beeline.model.semantics import Candidate, Move, Step
from beeline.model.state import State
from beeline.timed.atoms import Atom, concrete
from beeline.timed.goals import Case
from beeline.timed.schedule import Schedule
from beeline.timed.semantics import TimedSemantics, TimedState, TimedStep
from beeline.timed.zones import Zone
from beeline.trace.replay import ReplayError, show_step
from beeline.trace.timed import TimedTrace, show_time
from beeline.trace.trace import TraceStep

Parts = Callable[[bool], list[Zone]]


def make_trace(
    semantics: TimedSemantics,
    states: Sequence[State],
    moves: Sequence[tuple[Move, ...]],
    goal: list[Case],
    parts: Parts,
    zones: tuple[str, ...] = (),
    failed: bool = False,
) -> TimedTrace:
    """The earliest timed run along `moves`, replayed; with `failed` the last of them ends in a run-time error.

    `parts` gives the zones of the last state that are deadlocked, or those that are not. Raises ReplayError if there is
    no such run, or if the interpreter does not agree with it.
    """
    planner = _Planner(semantics)
    schedule = Schedule(len(semantics.clocks.all))
    schedule.require(semantics.invariant_atoms(states[0]))
    for number, joint in enumerate(moves):
        planner.add_step(schedule, states[number], joint)
    if failed:
        schedule.advance([])
        moments = schedule.solve()
    else:
        moments = planner.solve_for(schedule, states[-1], goal, parts)
    if moments is None:
        raise ReplayError("the path found by the search has no timed run")
    delays = tuple(later - earlier for earlier, later in pairwise(moments))
    return _replay(semantics, moves, delays, goal, zones)


class _Planner:
    """Turns steps into constraints on their moments."""

    def __init__(self, semantics: TimedSemantics) -> None:
        self.semantics = semantics
        self.discrete = semantics.steps_of
        self.clocks = semantics.clocks

    def add_step(self, schedule: Schedule, state: State, moves: tuple[Move, ...]) -> None:
        variants = self.discrete.variants(state)
        chosen, silent = next((pair for pair in variants if pair[0].moves == moves), (None, ()))
        if chosen is None:
            raise ReplayError("the interpreter knows no such step")
        guards = self._guards(state, moves)
        schedule.advance([*self.semantics.invariant_atoms(state), *guards], at_once=self.discrete.is_urgent(state))
        for move in silent:
            schedule.exclude(self._guards(state, (move,)))
        for better, missing in variants:
            kept = self.discrete.preferred(state, [chosen, better])
            if not any(one is chosen for one in kept):
                self._exclude(schedule, state, better, missing)
        taken = self.discrete.take(state, chosen)
        if taken.target is not None:
            schedule.reset(self.semantics.wishes(taken.target))
            schedule.require(self.semantics.invariant_atoms(self._discrete_target(taken.target)))

    def _guards(self, state: State, moves: tuple[Move, ...]) -> list[Atom]:
        return [atom for move in moves for atom in self.discrete.guard_atoms(state, move.pid, move.kind, move.edge)]

    def _discrete_target(self, target: State) -> State:
        return self.semantics.after(target, (Fraction(0),) * self.clocks.dimension).discrete

    def _exclude(self, schedule: Schedule, state: State, candidate: Candidate, silent: tuple[Move, ...]) -> None:
        """A step of higher priority must not be possible: a guard or the target's invariant fails, or more listen."""
        enabled = self._enabled(state, candidate)
        if enabled is not None:
            schedule.exclude(enabled, [self._guards(state, (move,)) for move in silent])

    def _enabled(self, state: State, candidate: Candidate) -> list[Atom] | None:
        """Atoms under which a step can be taken: its guards, and the target's invariants before its resets."""
        taken = self.discrete.take(state, candidate)
        atoms = self._guards(state, candidate.moves)
        if taken.target is None:
            return atoms
        resets = self.semantics.wishes(taken.target)
        target = self._discrete_target(taken.target)
        if not self.semantics.steps_of.invariants_hold(target):
            return None
        for atom in self.semantics.invariant_atoms(target):
            moved = _before(atom, resets)
            if isinstance(moved, Atom):
                atoms.append(moved)
            elif not moved:
                return None
        return atoms

    # The end of a run

    def solve_for(self, schedule: Schedule, state: State, goal: list[Case], parts: Parts) -> list[Fraction] | None:
        """The earliest run that ends with the goal satisfied; over all cases, the one that ends first."""
        found: list[list[Fraction]] = []
        for case in goal or [Case()]:
            if not self.discrete.holds(case.condition, state):
                continue
            atoms = concrete(case.constraints, self.clocks, self.discrete.scope, state, None)
            atoms += self.semantics.invariant_atoms(state)
            for zone in parts(case.deadlock > 0) if case.deadlock else [None]:
                ending = schedule.copy()
                ending.advance(atoms, at_once=self.discrete.is_urgent(state))
                ending.require([] if zone is None else zone.atoms())
                moments = ending.solve()
                if moments is not None:
                    found.append(moments)
        return min(found, key=lambda moments: moments[-1], default=None)


def _before(atom: Atom, resets: dict[int, int]) -> Atom | bool:
    """What an atom after resets asks for before them: an atom, or whether it holds anyway."""
    plus, minus, bound = atom.plus, atom.minus, atom.bound
    if plus in resets:
        bound -= resets[plus]
        plus = 0
    if minus in resets:
        bound += resets[minus]
        minus = 0
    if plus == 0 and minus == 0:
        return Atom(0, 0, atom.operator, bound).holds((Fraction(0),))
    return Atom(plus, minus, atom.operator, bound)


# Replay


def _replay(
    semantics: TimedSemantics,
    moves: Sequence[tuple[Move, ...]],
    delays: tuple[Fraction, ...],
    goal: list[Case],
    zones: tuple[str, ...],
) -> TimedTrace:
    state = semantics.initial_state()
    if state is None:
        raise ReplayError("the initial state breaks an invariant")
    shown: list[TraceStep] = []
    states = [state]
    for number, joint in enumerate(moves, start=1):
        state = _delayed(semantics, state, delays[number - 1])
        step = next((one for one in semantics.steps(state) if one.moves == joint), None)
        if step is None:
            raise ReplayError(f"the interpreter does not know step {number}")
        shown.append(show_timed_step(semantics, states[-1], step, number))
        if step.target is not None:
            state = step.target
            states.append(state)
    if shown and shown[-1].error:
        return TimedTrace(describe(semantics, states[0]), tuple(shown), tuple(states), delays, zones)
    state = _delayed(semantics, state, delays[len(moves)])
    if goal and not semantics.holds(goal, state):
        raise ReplayError("the run does not end where the search said")
    return TimedTrace(describe(semantics, states[0]), tuple(shown), tuple(states), delays, zones)


def _delayed(semantics: TimedSemantics, state: TimedState, amount: Fraction) -> TimedState:
    if not semantics.may_delay(state, amount):
        raise ReplayError(f"time cannot pass for {amount}")
    return semantics.delay(state, amount)


def describe(semantics: TimedSemantics, state: TimedState) -> dict[str, str]:
    """Locations, variables and clock values as text."""
    parts = semantics.naming.describe(state.discrete)
    parts.update({clock.name: show_time(state.clocks[clock.number]) for clock in semantics.clocks.all})
    return parts


def show_timed_step(semantics: TimedSemantics, before: TimedState, step: TimedStep, number: int) -> TraceStep:
    target = None if step.target is None else step.target.discrete
    plain = Step(step.moves, target, step.error)
    shown = show_step(semantics.timed.network, before.discrete, plain, number, semantics.naming)
    if step.target is None:
        return shown
    old, new = describe(semantics, before), describe(semantics, step.target)
    changes = {name: (old[name], new[name]) for name in new if old[name] != new[name]}
    return TraceStep(number, shown.process, shown.action, changes, shown.source, shown.partners, shown.output)
