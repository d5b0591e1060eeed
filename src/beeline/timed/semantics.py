"""The reference interpreter for timed networks: clocks as exact rationals, delays, and what a timed step is.

It stands on `beeline.model.semantics` for the discrete part, adds that guards and invariants look at clocks, and is
plain and slow on purpose: every timed counterexample is replayed by it before anyone sees it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import product

from beeline.model.evaluate import Context, StepError, evaluate
from beeline.model.expressions import TRUE, Expression
from beeline.model.network import Edge, Network
from beeline.model.semantics import Candidate, Move, Semantics, Step
from beeline.model.state import Draft, State
from beeline.records import Record
from beeline.timed.atoms import Atom, concrete
from beeline.timed.clocks import Clock
from beeline.timed.discrete import TimedNetwork, take_apart
from beeline.timed.goals import Case, cases
from beeline.timed.limits import analyse
from beeline.trace.naming import Naming

Values = tuple[Fraction, ...]


class TimedState(Record, frozen=True):
    """A discrete state and the value of every clock; entry 0 is clock 0, which is always zero."""

    discrete: State
    clocks: Values


class TimedStep(Record, frozen=True):
    """An arc without delay: the moves in the order they happen, and the target or the error that it ends in."""

    moves: tuple[Move, ...]
    target: TimedState | None
    error: StepError | None = None


class _Discrete(Semantics):
    """Steps of the discrete part whose guards also ask for the clocks, if there are values to ask."""

    def __init__(self, timed: TimedNetwork) -> None:
        super().__init__(timed.discrete)
        self.timed = timed
        self.values: Values | None = None
        self.state: State | None = None
        self._positions = {
            id(edge): (kind, at)
            for kind, process in enumerate(timed.discrete.processes)
            for at, edge in enumerate(process.edges)
        }

    def _guard(self, edge: Edge, context: Context) -> bool:
        if not super()._guard(edge, context):
            return False
        position = self._positions[id(edge)]
        if self.values is None or not self.timed.guards[position]:
            return True
        assert self.state is not None
        atoms = self.guard_atoms(self.state, context.pid, *position)
        return all(atom.holds(self.values) for atom in atoms)

    def guard_atoms(self, state: State, number: int, kind: int, edge: int) -> list[Atom]:
        return concrete(self.timed.guards[kind, edge], self.timed.clocks, self.scope, state, number)

    def candidates(self, state: State, values: Values | None) -> list[Candidate]:
        """What could happen, committed locations heeded but not priorities; without values clocks do not count."""
        self.values, self.state = values, state
        try:
            found = [c for pid in range(len(state.processes)) for c in self._begun_by(state, pid, False)]
            return self._committed_first(state, found)
        finally:
            self.values = self.state = None

    def variants(self, state: State) -> list[tuple[Candidate, tuple[Move, ...]]]:
        """What could happen whatever the clocks say: candidates, each with the edges that must not be enabled.

        A broadcast is heard by those whose clock guards hold, so that it comes in several variants."""
        found: list[tuple[Candidate, tuple[Move, ...]]] = []
        begun: set[Move] = set()
        candidates = self.candidates(state, None)
        for candidate in candidates:
            broadcast = candidate.channel and self.scope.channel_kinds[candidate.channel - 1].broadcast
            if not broadcast:
                found.append((candidate, ()))
            elif candidate.moves[0] not in begun:
                begun.add(candidate.moves[0])
                found += self._variants_of(candidate, [c for c in candidates if c.moves[0] == candidate.moves[0]])
        return [pair for pair in found if self._committed_first(state, [pair[0]])]

    def _variants_of(self, first: Candidate, same: list[Candidate]) -> Iterator[tuple[Candidate, tuple[Move, ...]]]:
        listeners: dict[int, dict[Move, None]] = {}
        for candidate in same:
            for move in candidate.moves[1:]:
                listeners.setdefault(move.pid, {})[move] = None
        choices: list[list[Move | None]] = []
        for moves in listeners.values():
            may_miss_it = all(self.timed.guards[move.kind, move.edge] for move in moves)
            choices.append([*moves, None] if may_miss_it else [*moves])
        for chosen in product(*choices):
            silent = [
                move for one, moves in zip(chosen, listeners.values(), strict=True) if one is None for move in moves
            ]
            heard = tuple(move for move in chosen if move is not None)
            yield Candidate((first.moves[0], *heard), first.message, first.channel), tuple(silent)

    def invariants_hold(self, state: State) -> bool:
        """The part of the invariants that does not look at clocks."""
        return all(
            (invariant := self._location(state, number).invariant) == TRUE
            or bool(evaluate(invariant, self._context(state, number)))
            for number in range(len(state.processes))
        )

    def preferred(self, state: State, candidates: list[Candidate]) -> list[Candidate]:
        return self._preferred(state, candidates)

    def take(self, state: State, candidate: Candidate) -> Step:
        return self._take(state, candidate)

    def is_urgent(self, state: State) -> bool:
        """Whether time must not pass: somebody hurries, or a step on an urgent channel is possible."""
        places = [self._location(state, number) for number in range(len(state.processes))]
        if any(place.urgent or place.committed for place in places):
            return True
        kinds = self.scope.channel_kinds
        if not any(channel.urgent for channel in kinds):
            return False
        found = [c for pid in range(len(state.processes)) for c in self._begun_by(state, pid, False)]
        return any(candidate.channel and kinds[candidate.channel - 1].urgent for candidate in found)


class TimedSemantics:
    """Delays and steps of a network with clocks.

    >>> from beeline.languages.uppaal import load_text
    >>> text = "clock x; process P() { state a, b; init a; trans a -> b { guard x >= 2; }; } system P;"
    >>> semantics = TimedSemantics(load_text(text))
    >>> start = semantics.initial_state()
    >>> len(semantics.steps(start)), len(semantics.steps(semantics.delay(start, Fraction(5, 2))))
    (0, 1)
    """

    def __init__(self, network: Network) -> None:
        self.timed = take_apart(network)
        self.steps_of = _Discrete(self.timed)
        self.clocks = self.timed.clocks
        self._cells = [self._wish_of(clock) for clock in self.clocks.all]

    @cached_property
    def naming(self) -> Naming:
        """Names for the parts of discrete states."""
        return Naming(self.timed.discrete)

    def initial_state(self) -> TimedState | None:
        """The state before anything happens; None if it breaks an invariant, so that nothing can happen."""
        (discrete,) = self.steps_of.initial_states()
        state = TimedState(discrete, (Fraction(0),) * self.clocks.dimension)
        return state if self.invariant_holds(state) else None

    # Invariants and delays

    def invariant_atoms(self, state: State) -> list[Atom]:
        found: list[Atom] = []
        for number, process in enumerate(state.processes):
            constraints = self.timed.invariants[process.kind, process.location]
            found += concrete(constraints, self.clocks, self.steps_of.scope, state, number)
        return found

    def invariant_holds(self, state: TimedState) -> bool:
        if not self.steps_of.invariants_hold(state.discrete):
            return False
        return all(atom.holds(state.clocks) for atom in self.invariant_atoms(state.discrete))

    def may_delay(self, state: TimedState, amount: Fraction) -> bool:
        """Whether so much time can pass. Invariants are convex: what holds at both ends holds in between."""
        if amount == 0:
            return True
        if amount < 0 or self.steps_of.is_urgent(state.discrete):
            return False
        return self.invariant_holds(self.delay(state, amount))

    def delay(self, state: TimedState, amount: Fraction) -> TimedState:
        later = (Fraction(0), *(value + amount for value in state.clocks[1:]))
        return TimedState(state.discrete, later)

    # Steps

    def steps(self, state: TimedState) -> list[TimedStep]:
        """All steps without delay: those whose target keeps the invariants, the highest priority only."""
        found: list[tuple[Candidate, TimedStep]] = []
        for candidate in self.steps_of.candidates(state.discrete, state.clocks):
            step = self.steps_of.take(state.discrete, candidate)
            if step.target is None:
                found.append((candidate, TimedStep(step.moves, None, step.error)))
                continue
            target = self.after(step.target, state.clocks)
            if self.invariant_holds(target):
                found.append((candidate, TimedStep(step.moves, target)))
        kept = self.steps_of.preferred(state.discrete, [candidate for candidate, _ in found])
        return [step for candidate, step in found if any(candidate is one for one in kept)]

    def after(self, target: State, values: Values) -> TimedState:
        """Clock values once the wishes that effects left in the discrete target are granted."""
        granted = list(values)
        for clock, wish in self.wishes(target).items():
            granted[clock] = Fraction(wish)
        return TimedState(self._without_wishes(target), tuple(granted))

    def wishes(self, state: State) -> dict[int, int]:
        """The clocks that effects asked to reset, and to what."""
        found: dict[int, int] = {}
        for number, (process, cell) in enumerate(self._cells, 1):
            held = state.variables[cell] if process is None else state.processes[process].locals[cell]
            if held:
                found[number] = held - 1
        return found

    def _without_wishes(self, state: State) -> State:
        draft = Draft(state)
        for process, cell in self._cells:
            if process is None:
                draft.variables[cell] = 0
            else:
                draft.locals[process][cell] = 0
        return draft.freeze()

    def _wish_of(self, clock: Clock) -> tuple[int | None, int]:
        """Where the wish for a clock stands: among the network's scalars, or a process's."""
        scope, leaf = self.steps_of.scope, self.clocks.leaf(clock)
        if clock.process is None:
            return None, scope.slots[clock.variable].offset + leaf
        kind = self.clocks.kind_number(clock.process)
        return clock.process, scope.processes[kind].slots[clock.variable].offset + leaf

    # Properties

    def holds(self, goal: Expression | list[Case], state: TimedState) -> bool:
        """Whether a condition over locations, variables, clocks and deadlock is true in a state."""
        found = goal if isinstance(goal, list) else cases(goal, self.clocks)
        return any(self._case_holds(case, state) for case in found)

    def _case_holds(self, case: Case, state: TimedState) -> bool:
        if not self.steps_of.holds(case.condition, state.discrete):
            return False
        atoms = concrete(case.constraints, self.clocks, self.steps_of.scope, state.discrete, None)
        if not all(atom.holds(state.clocks) for atom in atoms):
            return False
        return case.deadlock == 0 or self.is_deadlock(state) == (case.deadlock > 0)

    def is_deadlock(self, state: TimedState) -> bool:
        """No step is possible now or after any delay."""
        if self.steps(state):
            return False
        if self.steps_of.is_urgent(state.discrete):
            return True
        for amount in self._telling_delays(state):
            later = self.delay(state, amount)
            if not self.invariant_holds(later):
                return True
            if self.steps(later):
                return False
        return True

    def _telling_delays(self, state: TimedState) -> list[Fraction]:
        """Delays after which something may be different: when a clock meets a whole number, and in between."""
        highest = self._largest_constant + 1
        moments = {
            constant - value for value in state.clocks[1:] for constant in range(highest + 1) if constant > value
        }
        ordered = sorted(moments)
        between = [(one + other) / 2 for one, other in zip([Fraction(0), *ordered], ordered, strict=False)]
        return sorted([*ordered, *between])

    @cached_property
    def _largest_constant(self) -> int:
        limits = analyse(self.timed).locations.values()
        return max((value for one in limits for value in (*one.lower.values(), *one.upper.values())), default=0)
