"""The reference interpreter for timed networks: clocks as exact rationals, delays, and what a timed step is.

It stands on `beeline.model.semantics` for the discrete part, adds that guards and invariants look at clocks, and is
plain and slow on purpose: every timed counterexample is replayed by it before anyone sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, product

from beeline.model.evaluate import Context, StepError, evaluate
from beeline.model.expressions import TRUE, Expression, Field, Index, Ref
from beeline.model.network import Edge, Network, Send
from beeline.model.scope import root_of
from beeline.model.semantics import ANY, Candidate, Move, Semantics, Sought, Step
from beeline.model.state import Draft, State, changed
from beeline.model.view import NOTHING, Key
from beeline.records import Record, replace
from beeline.timed.atoms import Atom, concrete, concrete_rates
from beeline.timed.clocks import Clock, Constraint
from beeline.timed.deadlock import can_move
from beeline.timed.discrete import TimedNetwork, take_apart
from beeline.timed.goals import Case, cases
from beeline.timed.values import ClockValues
from beeline.trace.naming import Naming

Values = Sequence[Fraction]


class TimedState(Record, frozen=True):
    """A discrete state and the value of every clock; entry 0 is clock 0, which is always zero."""

    discrete: State
    clocks: ClockValues


class TimedStep(Record, frozen=True):
    """An arc without delay: the moves in the order they happen, and the target or the error that it ends in; `resets`
    are the clocks that it sets."""

    moves: tuple[Move, ...]
    target: TimedState | None
    error: StepError | None = None
    resets: frozenset[int] = frozenset()


class _Discrete(Semantics):
    """Steps of the discrete part whose guards also ask for the clocks, if there are values to ask."""

    def __init__(self, timed: TimedNetwork) -> None:
        super().__init__(timed.discrete)
        self.timed = timed
        self.values: Values | None = None
        self.state: State | None = None
        self._known_atoms: dict[tuple[str, int, int, int], list[Atom]] = {}
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
        return self._atoms(("guard", number, kind, edge), self.timed.guards[kind, edge], state)

    def invariant_atoms(self, state: State, number: int) -> list[Atom]:
        kind, location = state.processes[number].kind, state.processes[number].location
        return self._atoms(("invariant", number, kind, location), self.timed.invariants[kind, location], state)

    def _atoms(self, key: tuple[str, int, int, int], constraints: tuple[Constraint, ...], state: State) -> list[Atom]:
        """What constraints of a process say; most say the same in all states, and are worked out once."""
        known = self._known_atoms.get(key)
        if known is not None:
            return known
        _, number, kind, _ = key
        found = concrete(constraints, self.timed.clocks, self.scope, state, number)
        if all(self.facts.is_constant(kind, part) for one in constraints for part in self._clockless(one)):
            self._known_atoms[key] = found
        return found

    def open_guards(self, state: State) -> list[Atom]:
        """The constraints on clocks of all edges that could be taken or heard but for them."""
        found: list[Atom] = []
        for number, process in enumerate(state.processes):
            context = self._context(state, number)
            for position in chain(*self.facts.ranks[process.kind][process.location]):
                edge = self.network.processes[process.kind].edges[position]
                try:
                    if super()._guard(edge, context):
                        found += self.guard_atoms(state, number, process.kind, position)
                except StepError:
                    continue  # such an edge is a candidate, whatever the clocks say
        return found

    def candidates(self, state: State, values: Values | None, sought: Sought = ANY) -> list[Candidate]:
        """The candidates. Committed locations are respected, priorities are not; without values, clocks are ignored."""
        self.values, self.state = values, state
        try:
            return list(self._possible(state, False, sought))
        finally:
            self.values = self.state = None

    def _broadcasting(self, state: State, sent: Candidate, timeout: bool, sought: Sought) -> Iterator[Candidate]:
        """Where clocks do not count, one candidate stands for all: `variants` tells who may hear it."""
        if self.values is not None:
            yield from super()._broadcasting(state, sent, timeout, sought)
        else:
            self._audience(state, sent, timeout)  # it may have no value
            yield sent

    def variants(self, state: State, sought: Sought = ANY) -> list[tuple[Candidate, tuple[Move, ...]]]:
        """What could happen whatever the clocks say: candidates, each with the edges that must not be enabled.

        A broadcast is heard by those whose clock guards hold, so that it comes in several variants."""
        found: list[tuple[Candidate, tuple[Move, ...]]] = []
        for pid in range(len(state.processes)) if sought.pids is None else sorted(sought.pids):
            for candidate in self._begun_by(state, pid, False, sought):
                if candidate.channel and self.scope.channel_kinds[candidate.channel - 1].broadcast:
                    found += self._variants_of(state, candidate, sought)
                else:
                    found.append((candidate, ()))
        return [pair for pair in found if self._committed_first(state, [pair[0]])]

    def _variants_of(
        self, state: State, sent: Candidate, sought: Sought
    ) -> Iterator[tuple[Candidate, tuple[Move, ...]]]:
        audience = self._audience(state, sent, False)
        choices: list[list[Move | None]] = []
        for pid, moves in audience.items():
            may_miss_it = all(self.timed.guards[move.kind, move.edge] for move in moves)
            wanted = sought.moves is None or pid in sought.partners
            ways: list[Move | None] = [*sought.ways(pid, moves)] if wanted else []
            choices.append([*ways, None] if may_miss_it and pid not in sought.partners else ways)
        for chosen in product(*choices):
            silent = [
                move for one, moves in zip(chosen, audience.values(), strict=True) if one is None for move in moves
            ]
            heard = tuple(move for move in chosen if move is not None)
            yield replace(sent, moves=(*sent.moves, *heard)), tuple(silent)

    def variant(self, state: State, moves: tuple[Move, ...]) -> tuple[Candidate, tuple[Move, ...]] | None:
        """The variant that consists of these moves, if there is one."""
        return next((pair for pair in self.variants(state, Sought.exactly(moves)) if pair[0].moves == moves), None)

    def invariants_hold(self, state: State) -> bool:
        """The part of the invariants that does not look at clocks."""
        return all(
            evaluate(self._location(state, number).invariant, self._context(state, number))
            for number in sorted(self._view(state).processes("invariant"))
        )

    def preferred(self, state: State, candidates: list[Candidate], rivals: list[Candidate]) -> list[Candidate]:
        return self._preferred(state, candidates, rivals)

    def above(self, state: State, candidates: list[Candidate], sought: Sought) -> Sought | None:
        return self._above(state, candidates, sought)

    def take(self, state: State, candidate: Candidate) -> Step:
        return self._take(state, candidate)

    def is_urgent(self, state: State) -> bool:
        """Whether time must not pass: somebody hurries, or a step on an urgent channel is possible."""
        view = self._view(state)
        return bool(view.processes("hurries")) or any(map(partial(self._hurries, state), view.processes("may hurry")))

    def _hurries(self, state: State, pid: int) -> bool:
        """Whether a process can begin a step on an urgent channel."""
        process, kinds = state.processes[pid], self.scope.channel_kinds
        return any(
            candidate.channel and kinds[candidate.channel - 1].urgent
            for edge in self._urgent_edges[process.kind][process.location]
            for candidate in self._begun_by(state, pid, False, Sought(frozenset([pid]), Move(pid, process.kind, edge)))
        )

    def bounded(self, state: State) -> Set[int]:
        """Processes whose invariants look at clocks."""
        return self._view(state).processes("bounded")

    def bounded_by_others(self, state: State) -> Set[int]:
        """Those of them whose bounds depend on more than their own state."""
        return self._view(state).processes("bounded by others")

    def _keys(self, state: State, pid: int) -> Iterator[Key]:
        yield from super()._keys(state, pid)
        yield from self._timed_keys[state.processes[pid].kind][state.processes[pid].location]

    @cached_property
    def _timed_keys(self) -> list[list[tuple[Key, ...]]]:
        return [
            [tuple(self._find_timed_keys(kind, at)) for at in range(len(process.locations))]
            for kind, process in enumerate(self.network.processes)
        ]

    def _find_timed_keys(self, kind: int, at: int) -> Iterator[Key]:
        place, constraints = self.network.processes[kind].locations[at], self.timed.invariants[kind, at]
        if place.urgent or place.committed:
            yield "hurries"
        if self._urgent_edges[kind][at]:
            yield "may hurry"
        if place.invariant != TRUE:
            yield "invariant"
        if constraints:
            yield "bounded"
        if not all(self.facts.is_own(kind, part) for one in constraints for part in self._clockless(one)):
            yield "bounded by others"

    def _clockless(self, constraint: Constraint) -> Iterator[Expression]:
        """What a constraint reads besides clocks."""
        yield constraint.bound
        if constraint.unless is not None:
            yield constraint.unless
        for clock in (constraint.plus, constraint.minus):
            while isinstance(clock, (Index, Field)):
                if isinstance(clock, Index):
                    yield clock.index
                clock = clock.base

    @cached_property
    def _urgent_edges(self) -> list[list[list[int]]]:
        """Edges by process kind and location that may begin a step on an urgent channel."""
        urgent = {channel.name for channel in self.network.channels if channel.urgent}
        if not urgent:
            return [[[] for _ in process.locations] for process in self.network.processes]
        return [
            [[at for at in chain(*row) if self._may_be_urgent(kind, process.edges[at], urgent)] for row in rows]
            for kind, (process, rows) in enumerate(zip(self.network.processes, self.facts.ranks, strict=True))
        ]

    def _may_be_urgent(self, kind: int, edge: Edge, urgent: Set[str]) -> bool:
        """Whether an edge begins a step on one of these channels, or on one that is not known by name. Channels without
        room for messages, the only ones here, have a sender begin."""
        if not isinstance(edge.sync, Send):
            return False
        channel = edge.sync.channel
        name = root_of(channel) if isinstance(channel, (Ref, Index, Field)) else ""
        held = name in self.scope.slots or name in self.scope.processes[kind].slots
        return held or name not in self.scope.channels or name in urgent


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

    @cached_property
    def naming(self) -> Naming:
        """Names for the parts of discrete states."""
        return Naming(self.timed.discrete)

    def initial_state(self) -> TimedState | None:
        """The state before anything happens; None if it breaks an invariant, so that nothing can happen."""
        (discrete,) = self.steps_of.initial_states()
        state = TimedState(discrete, ClockValues.zeros(self.clocks.dimension))
        return state if self.invariant_holds(state) else None

    # Invariants and delays

    def invariant_atoms(self, state: State, pids: Iterable[int] | None = None) -> list[Atom]:
        """What the invariants say about clocks, or those of some processes."""
        found: list[Atom] = []
        for number in sorted(self.steps_of.bounded(state)) if pids is None else pids:
            found += self.steps_of.invariant_atoms(state, number)
        return found

    def affected(self, before: State, after: State, resets: Iterable[int]) -> set[int]:
        """The processes whose invariants may say something else about clocks after a step than before it, or about
        clocks that now run at other rates."""
        if self._rates_matter:
            return {*self.steps_of.bounded(before), *self.steps_of.bounded(after)}
        found = {pid for pid in changed(before.processes, after.processes) if pid < len(after.processes)}
        found |= self.steps_of.bounded_by_others(after)
        for clock in resets:
            owner = self.clocks.all[clock - 1].process
            found |= self.steps_of.bounded(after) if owner is None else {owner}
        return found

    @cached_property
    def _rates_matter(self) -> bool:
        """Whether an invariant may cease to hold and hold again: a clock never goes back, but a difference may."""
        constraints = chain.from_iterable(self.timed.invariants.values())
        return bool(self.timed.rates) and any(one.minus is not None for one in constraints)

    def invariant_holds(self, state: TimedState) -> bool:
        if not self.steps_of.invariants_hold(state.discrete):
            return False
        return all(atom.holds(state.clocks) for atom in self.invariant_atoms(state.discrete))

    def _keeps_invariants(self, before: State, target: TimedState, resets: Iterable[int]) -> bool:
        """The same after a step from a state in which they hold."""
        if not self.steps_of.invariants_hold(target.discrete):
            return False
        pids = sorted(self.affected(before, target.discrete, resets))
        return all(atom.holds(target.clocks) for atom in self.invariant_atoms(target.discrete, pids))

    def may_delay(self, state: TimedState, amount: Fraction) -> bool:
        """Whether so much time can pass. Invariants are convex: what holds at both ends holds in between."""
        if amount == 0:
            return True
        return self.may_pass(state.discrete, amount) and self.invariant_holds(self.delay(state, amount))

    def may_pass(self, state: State, amount: Fraction) -> bool:
        """Whether so much time can pass, invariants not asked for."""
        if amount <= 0:
            return amount == 0
        return not self.steps_of.is_urgent(state) and (not self.timed.rates or self.rates(state) is not None)

    def rates(self, state: State) -> tuple[int, ...] | None:
        """How fast each clock runs in a discrete state, where clock 0 stands still; None if invariants give a clock
        different rates, so that time cannot pass."""
        rates = [0, *(1 for _ in self.clocks.all)]
        if not self.timed.rates:
            return tuple(rates)
        given: dict[int, int] = {}
        for number, process in enumerate(state.processes):
            found = self.timed.rates.get((process.kind, process.location), ())
            for clock, rate in concrete_rates(found, self.clocks, self.steps_of.scope, state, number):
                if given.setdefault(clock, rate) != rate:
                    return None
        for clock, rate in given.items():
            rates[clock] = rate
        return tuple(rates)

    def delay(self, state: TimedState, amount: Fraction) -> TimedState:
        standing: list[int] = []
        if self.timed.rates:
            rates = self.rates(state.discrete) or (0,) * self.clocks.dimension
            standing = [clock for clock, rate in enumerate(rates) if clock and not rate]
        return TimedState(state.discrete, state.clocks.later(amount, standing))

    # Steps

    def steps(self, state: TimedState, sought: Sought = ANY) -> list[TimedStep]:
        """All steps without delay from a state that keeps the invariants, or those that are sought: steps whose target
        keeps them, the highest priority only."""
        found = self._enabled(state, sought)
        candidates = [candidate for candidate, _ in found]
        above = self.steps_of.above(state.discrete, candidates, sought)
        rivals = [] if above is None else [candidate for candidate, _ in self._enabled(state, above)]
        kept = {id(candidate) for candidate in self.steps_of.preferred(state.discrete, candidates, rivals)}
        return [step for candidate, step in found if id(candidate) in kept]

    def step(self, state: TimedState, moves: tuple[Move, ...]) -> TimedStep | None:
        """The step that consists of these moves, in a time that does not depend on how many others are possible."""
        return next((step for step in self.steps(state, Sought.exactly(moves)) if step.moves == moves), None)

    def _enabled(self, state: TimedState, sought: Sought) -> list[tuple[Candidate, TimedStep]]:
        """The candidates that can be taken, without priorities."""
        found: list[tuple[Candidate, TimedStep]] = []
        for candidate in self.steps_of.candidates(state.discrete, state.clocks, sought):
            step = self.steps_of.take(state.discrete, candidate)
            if step.target is None:
                found.append((candidate, TimedStep(step.moves, None, step.error)))
                continue
            resets = self.wishes(step.target, state.discrete)
            target = self.after(step.target, state.clocks, resets)
            if self._keeps_invariants(state.discrete, target, resets):
                found.append((candidate, TimedStep(step.moves, *self._checked(target), frozenset(resets))))
        return found

    def _checked(self, target: TimedState) -> tuple[TimedState | None, StepError | None]:
        """A target, or why it is none: where time could pass, clocks must have rates that are 0 or 1."""
        try:
            if self.timed.rates and not self.steps_of.is_urgent(target.discrete):
                self.rates(target.discrete)
        except StepError as error:
            return None, error
        return target, None

    def after(self, target: State, values: ClockValues, resets: dict[int, int] | None = None) -> TimedState:
        """Clock values once the wishes that effects left in the discrete target are granted."""
        resets = self.wishes(target) if resets is None else resets
        return TimedState(self.without_wishes(target, resets), values.reset(resets))

    def wishes(self, state: State, before: State = NOTHING) -> dict[int, int]:
        """The clocks that effects asked to reset, and to what; `before` the step there are none."""
        found: dict[int, int] = {}
        if state.variables is not before.variables:
            found = {clock: held - 1 for clock, cell in self._cells.get(None, ()) if (held := state.variables[cell])}
        for pid in changed(before.processes, state.processes):
            for clock, cell in self._cells.get(pid, ()):
                held = state.processes[pid].locals[cell]
                if held:
                    found[clock] = held - 1
        return dict(sorted(found.items()))

    def without_wishes(self, state: State, wishes: Iterable[int]) -> State:
        """The state without the wishes for these clocks."""
        draft = Draft(state)
        for clock in wishes:
            process, cell = self._cell_of[clock - 1]
            if process is None:
                draft.open_variables()[cell] = 0
            else:
                draft.open_process(process).locals[cell] = 0
        return draft.freeze()

    @cached_property
    def _cell_of(self) -> list[tuple[int | None, int]]:
        return [self._wish_of(clock) for clock in self.clocks.all]

    @cached_property
    def _cells(self) -> dict[int | None, list[tuple[int, int]]]:
        """Clocks and the places of wishes for them, by process."""
        found: dict[int | None, list[tuple[int, int]]] = {}
        for clock, (process, cell) in enumerate(self._cell_of, 1):
            found.setdefault(process, []).append((clock, cell))
        return found

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
        return not can_move(self, state)
