"""A synchronous system as functions: the next value of every variable, over the present ones and what is chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial

from beeline.engine import Limits, Progress, default_memory
from beeline.model.expressions import Expression
from beeline.model.synchronous import Choice, Synchronous, next_value
from beeline.model.types import bounds, is_scalar
from beeline.model.usage import names_read
from beeline.symbolic.chaining import Chained
from beeline.symbolic.diagrams import Diagram, Diagrams, union
from beeline.symbolic.meter import Meter
from beeline.symbolic.order import order_of
from beeline.symbolic.phases import PhaseSteps
from beeline.symbolic.structure import DiagramStructure
from beeline.symbolic.terms import Terms

Values = tuple[int, ...]
SHARE_OF_MEMORY = 0.6


class Functions(DiagramStructure[Values]):
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
        self._names = [variable.name for variable in system.variables]
        self._choices = [choice.name for choice in system.choices if not choice.first]
        self._ranges = {one.name: bounds(one.type) for one in system.variables if is_scalar(one.type)}
        self._ranges.update({one.name: bounds(one.type) for one in system.choices})
        limits = limits or Limits()
        self.diagrams = Diagrams(0, int(SHARE_OF_MEMORY * (limits.memory or default_memory())))
        self._place_variables()
        # Nothing here refers back to this object: diagrams take much memory, which is to be free when it is.
        self.count = partial(_counted, self.diagrams, sum(len(self._now[name]) for name in self._names))
        """How many states there are in a set."""
        self.meter = Meter(self.diagrams, self.count, limits, progress)
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
        self._phases = [PhaseSteps(self, phase) for phase in system.phases]
        self._chained = Chained(self._phases, self.initial, self.nothing, self.meter.tick)
        self.everything = self._chained.reached

    def _is_fixed(self, name: str) -> bool:
        return all(name in dict(phase.fixed) for phase in self.system.phases)

    # Variables

    def _place_variables(self) -> None:
        """What one function reads should stand together."""
        names = list(self._ranges)
        numbers = {name: number for number, name in enumerate(names)}
        nets: Counter[frozenset[int]] = Counter()
        for update in self.system.updates:
            read = names_read(next_value(update)) | {update.variable}
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

    def before(self, states: Diagram) -> Diagram:
        return self._chained.before(states)

    def after(self, state: Values) -> Diagram:
        return self._chained.after(self.only(state))

    def until(self, way: Diagram, goal: Diagram) -> list[Diagram]:
        return self._chained.until(way, goal)

    def staying(self, states: Diagram) -> Diagram:
        return self._chained.staying(states)

    def begins_at(self, state: Values) -> bool:
        return state == self.start

    def way_to(self, goal: Diagram) -> list[Values]:
        """Over the fewest states of the first phase that are possible."""
        growth = self._chained.growth
        number = next(i for i, grown in enumerate(growth) if (grown.fresh & goal).satisfiable())
        way = [self.pick(growth[number].fresh & goal)]
        while growth[number].phase is not None:
            way.append(self.pick(growth[number].origins(self.only(way[-1]))))
            here = self.only(way[-1])
            number = next(i for i in reversed(range(number)) if (growth[i].fresh & here).satisfiable())
        return way[::-1]

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


def _counted(diagrams: Diagrams, used: int, states: Diagram) -> int:
    every = len(diagrams.levels)
    return int(states.sat_count(every)) >> (every - used)
