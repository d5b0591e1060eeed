"""Timed counterexamples: the delays of a run, as early as possible, and its replay with exact clock values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from beeline.model.semantics import Candidate, Move, Sought, Step
from beeline.model.state import State
from beeline.records import replace
from beeline.timed.atoms import Atom, concrete
from beeline.timed.goals import Case
from beeline.timed.invariants import Invariants
from beeline.timed.schedule import Schedule
from beeline.timed.semantics import TimedSemantics, TimedState, TimedStep
from beeline.timed.stopwatch import StopwatchSchedule
from beeline.timed.zones import Zone
from beeline.trace.replay import ReplayError, Spurious, Watch, show_step, unwatched
from beeline.trace.timed import TimedTrace, show_time
from beeline.trace.trace import TraceStep

Plan = Schedule | StopwatchSchedule
Parts = Callable[[bool], list[Zone]]
Variant = tuple[Candidate, tuple[Move, ...]]
Passing = Callable[[int, TimedState, Fraction], None]
"""Told the number of steps so far, the state, and how much time is about to pass in it."""

_SHOWN_CLOCKS = 64  # of a network with more, steps do not tell which clocks grow


def make_trace(
    semantics: TimedSemantics,
    moves: Sequence[tuple[Move, ...]],
    goal: list[Case],
    parts: Parts,
    zones: tuple[str, ...] = (),
    failed: bool = False,
    watch: Watch = unwatched,
) -> TimedTrace:
    """The earliest timed run along `moves`, replayed; with `failed` the last of them ends in a run-time error.

    `parts` gives the zones of the last state that are deadlocked, or those that are not. Raises ReplayError if there is
    no such run, or if the interpreter does not agree with it.
    """
    planner = Planner(semantics)
    for number, joint in enumerate(moves, start=1):
        watch(number // 2, len(moves))
        planner.add_step(joint)
    moments = planner.solve() if failed else planner.solve_for(goal, parts)
    if moments is None and semantics.timed.rates:
        raise Spurious(f"the path found has no timed run ({len(moves)} steps)")
    if moments is None:
        raise ReplayError("the path found by the search has no timed run")
    delays = tuple(later - earlier for earlier, later in pairwise(moments))
    return replay_moves(semantics, moves, delays, goal, zones, watch)


class Planner:
    """Turns steps into constraints on their moments."""

    def __init__(self, semantics: TimedSemantics) -> None:
        self.semantics = semantics
        self.discrete = semantics.steps_of
        self.clocks = semantics.clocks
        (self.state,) = self.discrete.initial_states()
        self.invariants = Invariants(semantics, self.state)
        count = len(self.clocks.all)
        self.schedule: Plan = StopwatchSchedule(count) if semantics.timed.rates else Schedule(count)
        self.schedule.require(self.invariants.all())

    def _advance(self, schedule: Plan, state: State, atoms: list[Atom], stands: bool) -> None:
        """Lets time pass in a state until `atoms` hold, unless it stands still."""
        if isinstance(schedule, Schedule):
            schedule.advance(atoms, at_once=stands)
        else:
            schedule.advance(atoms, None if stands else self.semantics.rates(state))

    def solve(self) -> list[Fraction] | None:
        """The earliest run of all steps."""
        self._advance(self.schedule, self.state, [], stands=True)
        return self.schedule.solve()

    def add_step(self, moves: tuple[Move, ...]) -> dict[int, int]:
        """Goes on by a step; the clocks that it sets, and to what."""
        state, schedule = self.state, self.schedule
        found = self.discrete.variant(state, moves)
        if found is None:
            raise ReplayError("the interpreter knows no such step")
        chosen, silent = found
        urgent = self.discrete.is_urgent(state)
        taken = self.discrete.take(state, chosen)
        resets = {} if taken.target is None else self.semantics.wishes(taken.target, state)
        target = state if taken.target is None else self.semantics.without_wishes(taken.target, resets)
        ceasing, beginning = self.invariants.follow(target, resets)
        self._advance(schedule, state, [*ceasing, *self._guards(state, moves)], urgent)
        for move in silent:
            schedule.exclude(self._guards(state, (move,)))
        for better, missing in self._preferred_to(chosen):
            self._exclude(schedule, state, better, missing)
        schedule.reset(resets)
        schedule.require(beginning)
        self.state = target
        return resets

    def _preferred_to(self, chosen: Candidate) -> list[Variant]:
        """What would be taken instead if it could."""
        above = self.discrete.above(self.state, [chosen], Sought.exactly(chosen.moves))
        rivals = [] if above is None else self.discrete.variants(self.state, above)
        return [pair for pair in rivals if not self.discrete.preferred(self.state, [chosen], [pair[0]])]

    def _guards(self, state: State, moves: tuple[Move, ...]) -> list[Atom]:
        return [atom for move in moves for atom in self.discrete.guard_atoms(state, move.pid, move.kind, move.edge)]

    def _exclude(self, schedule: Plan, state: State, candidate: Candidate, silent: tuple[Move, ...]) -> None:
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
        resets = self.semantics.wishes(taken.target, state)
        target = self.semantics.without_wishes(taken.target, resets)
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

    def solve_for(self, goal: list[Case], parts: Parts) -> list[Fraction] | None:
        """The earliest run that ends with the goal satisfied; over all cases, the one that ends first."""
        state = self.state
        found: list[list[Fraction]] = []
        for case in goal or [Case()]:
            if not self.discrete.holds(case.condition, state):
                continue
            atoms = concrete(case.constraints, self.clocks, self.discrete.scope, state, None)
            for zone in parts(case.deadlock > 0) if case.deadlock else [None]:
                ending = self.schedule.copy()
                self._advance(ending, state, [*atoms, *self.invariants.all()], self.discrete.is_urgent(state))
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


def replay_moves(
    semantics: TimedSemantics,
    moves: Sequence[tuple[Move, ...]],
    delays: tuple[Fraction, ...],
    goal: list[Case],
    zones: tuple[str, ...],
    watch: Watch,
    passing: Passing = lambda number, state, amount: None,
) -> TimedTrace:
    """The trace of a run with these delays, the last of which leads to the goal. Raises ReplayError if the interpreter
    does not agree with it."""
    state = semantics.initial_state()
    if state is None:
        raise ReplayError("the initial state breaks an invariant")
    invariants = Invariants(semantics, state.discrete)
    shown: list[TraceStep] = []
    states = [state]
    for number, joint in enumerate(moves, start=1):
        watch((len(moves) + number) // 2, len(moves))
        passing(number - 1, state, delays[number - 1])
        state = _delayed(semantics, state, delays[number - 1])
        step = semantics.step(state, joint)
        if step is None:
            raise ReplayError(f"the interpreter does not know step {number}")
        shown.append(show_timed_step(semantics, states[-1], step, number))
        target = state if step.target is None else step.target
        _check(invariants.follow(target.discrete, step.resets)[0], state)
        if step.target is not None:
            state = step.target
            states.append(state)
    if not (shown and shown[-1].error):
        passing(len(moves), state, delays[len(moves)])
        state = _delayed(semantics, state, delays[len(moves)])
        if goal and not semantics.holds(goal, state):
            if semantics.timed.rates:
                raise Spurious("where the path found ends, more can happen than its zones tell")
            raise ReplayError("the run does not end where the search said")
    _check(invariants.all(), state)
    return TimedTrace(describe(semantics, states[0]), tuple(shown), tuple(states), delays=delays, zones=zones)


def _delayed(semantics: TimedSemantics, state: TimedState, amount: Fraction) -> TimedState:
    """The state after a delay. That invariants are kept meanwhile is seen when they cease to count."""
    if not semantics.may_pass(state.discrete, amount):
        raise ReplayError(f"time cannot pass for {amount}")
    return semantics.delay(state, amount)


def _check(atoms: list[Atom], state: TimedState) -> None:
    if not all(atom.holds(state.clocks) for atom in atoms):
        raise ReplayError("time passes beyond an invariant")


def describe(semantics: TimedSemantics, state: TimedState) -> dict[str, str]:
    """Locations, variables and clock values as text."""
    parts = semantics.naming.describe(state.discrete)
    parts.update(_clocks(semantics, state))
    return parts


def _clocks(semantics: TimedSemantics, state: TimedState) -> dict[str, str]:
    """Clock values as text; clocks that were last zero at the same time have the same."""
    values, texts = state.clocks, dict[int, str]()
    found: dict[str, str] = {}
    for clock in semantics.clocks.all:
        since = id(values.since[clock.number])
        if since not in texts:
            texts[since] = show_time(values[clock.number])
        found[clock.name] = texts[since]
    return found


def show_timed_step(semantics: TimedSemantics, before: TimedState, step: TimedStep, number: int) -> TraceStep:
    target = None if step.target is None else step.target.discrete
    plain = Step(step.moves, target, step.error)
    shown = show_step(semantics.timed.network, before.discrete, plain, number, semantics.naming)
    if step.target is None or not semantics.clocks.all:
        return shown
    changes = _clock_changes(semantics, before, step)
    reset = {semantics.clocks.all[clock - 1].name for clock in step.resets}
    elapsed = tuple(name for name in changes if name not in reset)
    return replace(shown, changes={**shown.changes, **changes}, elapsed=elapsed)


def _clock_changes(semantics: TimedSemantics, before: TimedState, step: TimedStep) -> dict[str, tuple[str, str]]:
    """The clocks that show another value after a step, and time before it, than at `before`. Of many clocks only those
    that the step sets: that the others grow is seen by the moment of the step."""
    assert step.target is not None
    target, passed = step.target.clocks, step.target.clocks.now - before.clocks.now
    changed: dict[str, tuple[str, str]] = {}
    if passed and len(semantics.clocks.all) <= _SHOWN_CLOCKS:
        old, new = _clocks(semantics, before), _clocks(semantics, step.target)
        changed = {name: (old[name], new[name]) for name in new if old[name] != new[name]}
    if step.resets:
        # Of a clock that is set, the value at the moment of the step.
        values = _clocks(semantics, semantics.delay(before, passed))
        for clock in (semantics.clocks.all[number - 1] for number in sorted(step.resets)):
            was, now = values[clock.name], show_time(target[clock.number])
            if was != now:
                changed[clock.name] = was, now
    return changed
