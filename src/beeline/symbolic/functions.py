"""A synchronous system as functions: the next value of every variable, over the present ones and what is chosen.

The states before a set are found by putting the functions into it, with no relation at all; the states after a set by
joining the functions one by one, with each variable quantified as soon as no function to come reads it (Burch, Clarke
and Long, Symbolic model checking with partitioned transition relations, 1991)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from time import monotonic

from beeline.ctl.structure import Structure
from beeline.engine import Limits, Progress, Statistics, Status, default_memory
from beeline.model.expressions import Expression, Ref, walk
from beeline.model.synchronous import Choice, Phase, Synchronous, next_value
from beeline.model.types import bounds, is_scalar
from beeline.symbolic.diagrams import AND, NODE_BYTES, Diagram, Diagrams, difference, union
from beeline.symbolic.ended import Ended
from beeline.symbolic.order import order_of
from beeline.symbolic.terms import Terms

Values = tuple[int, ...]
SHARE_OF_MEMORY = 0.6
BETWEEN_REPORTS = 0.2  # seconds
FEW_NODES = 1 << 20  # that are not worth a collection of garbage


class Functions(Structure[Diagram, Values]):
    """The reachable states of a system, as values of its variables in their order. `propositions` are what formulas
    speak of."""

    def __init__(
        self,
        system: Synchronous,
        propositions: Mapping[str, Expression],
        limits: Limits | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.system = system
        self._limits, self._progress = limits or Limits(), progress
        self._began = self._reported = monotonic()
        self._garbage, self._most_nodes, self.iterations = FEW_NODES, 0, 0
        self._names = [variable.name for variable in system.variables]
        self._choices = [choice.name for choice in system.choices if not choice.first]
        self._ranges = {one.name: bounds(one.type) for one in system.variables if is_scalar(one.type)}
        self._ranges.update({one.name: bounds(one.type) for one in system.choices})
        self.diagrams = Diagrams(0, int(SHARE_OF_MEMORY * (self._limits.memory or default_memory())))
        self._place_variables()
        self.terms = Terms(self.diagrams, {name: (self._ranges[name][0], self._now[name]) for name in self._ranges})
        self._functions = {
            update.variable: self.terms.number(next_value(update))
            for update in system.updates
            if not self._is_fixed(update.variable)
        }
        self._allowed = {choice.name: self._options(choice) for choice in system.choices if not choice.first}
        self.owner = {bit: name for name, bits in self._now.items() for bit in bits}
        """The variable of each bit."""
        self.present = set(self.owner)
        self.nothing = self.diagrams.false
        self.start: Values = tuple(variable.initial[0] for variable in system.variables)
        self.initial = self.only(self.start)
        self._propositions = propositions
        self._where: dict[str, Diagram] = {}
        self.everything = self._reachable()

    def _is_fixed(self, name: str) -> bool:
        return all(name in dict(phase.fixed) for phase in self.system.phases)

    # Variables

    def _place_variables(self) -> None:
        """What one function reads should stand together."""
        names = list(self._ranges)
        numbers = {name: number for number, name in enumerate(names)}
        nets: Counter[frozenset[int]] = Counter()
        for update in self.system.updates:
            read = _reads([next_value(update)]) | {update.variable}
            if not self._is_fixed(update.variable):
                nets[frozenset(numbers[name] for name in read)] += 1
        ordered = [names[cell] for cell in order_of(len(names), nets)]
        self._now: dict[str, tuple[int, ...]] = {}
        self._next: dict[str, tuple[int, ...]] = {}
        for name in ordered:
            low, high = self._ranges[name]
            width = (high - low).bit_length()
            first = self.diagrams.add_variables(2 * width)
            self._now[name] = tuple(range(first, first + 2 * width, 2))
            self._next[name] = tuple(range(first + 1, first + 2 * width, 2))

    def _function(self, name: str) -> list[Diagram]:
        """The next values of the bits of a variable."""
        if name not in self._functions:
            return [self.diagrams.literal(bit, True) for bit in self._now[name]]
        low, width = self._ranges[name][0], len(self._now[name])
        values = self._functions[name]
        return [
            union([where for value, where in values.items() if value - low >> place & 1], self.diagrams.false)
            for place in reversed(range(width))
        ]

    @cached_property
    def _next_bits(self) -> dict[str, list[Diagram]]:
        return {name: self._function(name) for name in self._names}

    def bits(self) -> Iterator[tuple[int, int, Diagram]]:
        """The bits of variables: now, next, and the function of the next value."""
        for name in self._names:
            yield from zip(self._now[name], self._next[name], self._next_bits[name], strict=True)

    def bits_with(self, values: Iterable[tuple[str, int]]) -> dict[int, bool]:
        """The bits of variables that have these values."""
        found = {}
        for name, value in values:
            places = enumerate(reversed(self._now[name]))
            found.update({bit: bool(value - self._ranges[name][0] >> place & 1) for place, bit in places})
        return found

    def choices(self) -> list[tuple[Diagram, tuple[int, ...]]]:
        """What may be chosen where, and the bits of each choice."""
        return [(self._allowed[name], self._now[name]) for name in self._choices]

    def _options(self, choice: Choice) -> Diagram:
        """What may be chosen where."""
        found, some = [], self.diagrams.false
        for value, condition in choice.options:
            where = self.terms.truth(condition)
            some = some | where
            found.append(where & self.terms.equals(choice.name, value))
        return union([*found, ~some & self.terms.equals(choice.name, 0)], self.diagrams.false)

    # Sets

    def where(self, name: str) -> Diagram:
        if name not in self._where:
            self._where[name] = self.terms.truth(self._propositions[name])
        return self._where[name] & self.everything

    @cached_property
    def _phases(self) -> list[PhaseSteps]:
        return [PhaseSteps(self, phase) for phase in self.system.phases]

    def _divided(self, states: Diagram) -> Iterator[tuple[PhaseSteps, Diagram]]:
        """The states by their phases."""
        for phase in self._phases:
            if not states.satisfiable():
                return
            yield phase, states & phase.condition
            states = difference(states, phase.condition)

    @cached_property
    def _regions(self) -> list[tuple[PhaseSteps, Diagram]]:
        return list(self._divided(self.everything))

    def before(self, states: Diagram) -> Diagram:
        self._tick(states)
        return union([phase.before(states, region) for phase, region in self._regions], self.nothing)

    def _after(self, states: Diagram) -> Diagram:
        return union([phase.after(part) for phase, part in self._divided(states)], self.nothing)

    def after(self, state: Values) -> Diagram:
        return self._after(self.only(state))

    def _reachable(self) -> Diagram:
        reached = fresh = self.initial
        while fresh.satisfiable():
            self._tick(reached)
            fresh = difference(self._after(fresh), reached)
            reached = reached | fresh
        return reached

    def both(self, left: Diagram, right: Diagram) -> Diagram:
        return left & right

    def either(self, left: Diagram, right: Diagram) -> Diagram:
        return left | right

    def without(self, left: Diagram, right: Diagram) -> Diagram:
        return difference(left, right)

    def is_empty(self, states: Diagram) -> bool:
        return not states.satisfiable()

    # States

    def _cube(self, values: Iterable[tuple[str, int]], bits: Mapping[str, tuple[int, ...]]) -> Diagram:
        literals: list[tuple[int, bool]] = []
        for name, value in values:
            number = value - self._ranges[name][0]
            literals += [(bit, bool(number >> place & 1)) for place, bit in enumerate(reversed(bits[name]))]
        return self.diagrams.cube(literals)

    def only(self, state: Values) -> Diagram:
        return self._cube(zip(self._names, state, strict=True), self._now)

    def _picked(self, assignments: Diagram, names: Sequence[str]) -> Values:
        picked = assignments.pick_cube()
        assert picked is not None
        found = []
        for name in names:
            value = 0
            for bit in self._now[name]:
                value = value << 1 | bool(picked[bit])
            found.append(self._ranges[name][0] + value)
        return tuple(found)

    def pick(self, states: Diagram) -> Values:
        return self._picked(states, self._names)

    def chosen(self, before: Values, after: Values) -> dict[str, int]:
        """What is chosen in a step from one state to another."""
        here = self.only(before)
        phase = next(one for one in self._phases if (here & one.condition).satisfiable())
        found = phase.leading_to(here, self.bits_with(zip(self._names, after, strict=True)))
        return dict(zip(self._choices, self._picked(found, self._choices), strict=True))

    def count(self, states: Diagram) -> int:
        """How many states there are in a set."""
        used = sum(len(self._now[name]) for name in self._names)
        every = len(self.diagrams.levels)
        return int(states.sat_count(every)) >> (every - used)

    # Limits

    def _tick(self, reached: Diagram) -> None:
        """Counts an operation. Raises `Ended`."""
        self.iterations += 1
        nodes = self.diagrams.nodes
        self._most_nodes = max(self._most_nodes, nodes)
        if nodes > self._garbage:
            self.diagrams.manager.gc()
            self._garbage = max(FEW_NODES, 2 * self.diagrams.nodes)
        now = monotonic()
        if self._limits.time is not None and now - self._began >= self._limits.time:
            raise Ended(Status.TIME)
        if self._progress is not None and now - self._reported >= BETWEEN_REPORTS:
            self._reported = now
            phase = f"iteration {self.iterations:,}, {nodes:,} nodes"
            self._progress(Statistics(seconds=now - self._began, memory=NODE_BYTES * nodes, phase=phase))


class PhaseSteps:
    """The steps from the states of a phase. There, many bits stay as they are or become the same in all states; only
    the others need their functions."""

    def __init__(self, whole: Functions, phase: Phase) -> None:
        self._diagrams = whole.diagrams
        self.condition = whole.terms.truth(phase.condition)
        known = whole.bits_with(phase.known)
        self._fixed = whole.bits_with(phase.fixed)
        self._changing: list[tuple[int, int, Diagram]] = []
        """The bits that change: now, next, and the function."""
        for now, following, function in whole.bits():
            if now not in self._fixed:
                self._examine(now, following, _cofactor(function, known, self._diagrams))
        self._choices = [(_cofactor(one, known, self._diagrams), bits) for one, bits in whole.choices()]
        self._forget_choices()
        values = (self._diagrams.false, self._diagrams.true)
        constants = [(bit, values[value]) for bit, value in self._fixed.items()]
        self._functions = Diagram.make_substitution([*((now, f) for now, _, f in self._changing), *constants])
        self._renaming = self._diagrams.renaming((following, now) for now, following, _ in self._changing)
        self._schedule = self._scheduled(whole)

    def _examine(self, now: int, following: int, function: Diagram) -> None:
        """Tells whether a bit changes."""
        if function == self._diagrams.literal(now, True):
            return
        if not function.satisfiable() or not (~function).satisfiable():
            self._fixed[now] = function.satisfiable()
        else:
            self._changing.append((now, following, function))

    def _forget_choices(self) -> None:
        """A choice that nothing depends on need not be made: there is always one."""
        read = set().union(*(_support(function) for _, _, function in self._changing))
        kept = []
        for allowed, bits in reversed(self._choices):
            if read & set(bits):
                kept.append((allowed, bits))
                read |= _support(allowed)
        self._choices = kept[::-1]

    def _within(self, states: Diagram, parts: Iterable[Diagram]) -> Diagram:
        for part in parts:
            states = states & part
        return states

    def _scheduled(self, whole: Functions) -> list[tuple[Diagram, Diagram]]:
        """What is joined to a set one after the other, each with the bits that nothing to come reads."""
        leaving = {now for now, _, _ in self._changing} | set(self._fixed)
        leaving |= {bit for _, bits in self._choices for bit in bits}
        parts = [(allowed, _support(allowed)) for allowed, _ in self._choices]
        together: dict[str, list[Diagram]] = {}
        for now, following, function in self._changing:
            step = self._diagrams.literal(following, True).equiv(function)
            together.setdefault(whole.owner[now], []).append(step)
        for steps in together.values():
            whole_step = self._within(self._diagrams.true, steps)
            parts.append((whole_step, _support(whole_step) & whole.present))
        parts.sort(key=lambda part: max(part[1], default=0))
        found, later = [], set[int]()
        for diagram, read in reversed(parts):
            gone = (read & leaving) - later
            later |= read
            found.append((diagram, self._diagrams.variables(gone)))
        return [(self._diagrams.true, self._diagrams.variables(leaving - later)), *reversed(found)]

    def before(self, states: Diagram, region: Diagram) -> Diagram:
        """Those of the states in a region of this phase from which a step leads to these."""
        found = states.substitute(self._functions)
        for allowed, bits in reversed(self._choices):  # those before may say what is allowed
            found = found.apply_exists(AND, allowed, self._diagrams.variables(bits))
        return found & region

    def after(self, states: Diagram) -> Diagram:
        """Where steps lead from states of this phase."""
        if not states.satisfiable():
            return states
        for part, gone in self._schedule:
            states = states.apply_exists(AND, part, gone)
        return states.substitute(self._renaming) & self._diagrams.cube(self._fixed.items())

    def leading_to(self, state: Diagram, after: Mapping[int, bool]) -> Diagram:
        """A state with all choices that make its bits so."""
        found = self._within(state, (allowed for allowed, _ in self._choices))
        return self._within(found, (function if after[now] else ~function for now, _, function in self._changing))


def _cofactor(function: Diagram, known: Mapping[int, bool], diagrams: Diagrams) -> Diagram:
    values = [(bit, diagrams.true if value else diagrams.false) for bit, value in known.items()]
    return function.substitute(Diagram.make_substitution(values)) if values else function


def _support(function: Diagram) -> set[int]:
    """The bits that a function depends on."""
    seen: set[int] = set()
    waiting, visited = [function], {function}
    while waiting:
        one = waiting.pop()
        variable = one.node_var()
        if variable is None:
            continue
        seen.add(variable)
        for part in one.cofactors() or ():
            if part not in visited:
                visited.add(part)
                waiting.append(part)
    return seen


def _reads(expressions: Iterable[Expression]) -> set[str]:
    return {part.name for expression in expressions for part in walk(expression) if isinstance(part, Ref)}
