"""The clocks of a network by number, and conditions over them taken apart.

Clock 0 is the one that is always zero. The network's own clocks come first, then those of each process in the order of
its number; arrays and records of clocks take a number for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from beeline.model.expressions import (
    TRUE,
    Binary,
    Call,
    Expression,
    Field,
    Index,
    Instance,
    Literal,
    Place,
    Rate,
    Ref,
    Remote,
    conjuncts,
    walk,
)
from beeline.model.network import Network, Variable
from beeline.model.scope import Scope, element_of, show
from beeline.model.source import ModelError, Source
from beeline.model.types import ArrayType, ClockType, RecordType, Type
from beeline.records import Record

OPERATORS = ("<", "<=", "==", ">=", ">")
_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


class Clock(Record, frozen=True):
    """One clock: its number, its name for people, and the process it belongs to (None: the network)."""

    number: int
    name: str
    process: int | None
    variable: str
    offset: int


class Term(Record, frozen=True):
    """A clock by number, or one of an array: each step adds ``index * stride`` with the index below `size`."""

    base: int
    steps: tuple[tuple[Expression, int, int], ...] = ()

    def possible(self) -> list[int]:
        """All numbers that it can stand for."""
        found = [self.base]
        for _, stride, size in self.steps:
            found = [number + at * stride for number in found for at in range(size)]
        return found


class Constraint(Record, frozen=True):
    """``plus - minus operator bound``, asked only where `unless` is false. `minus` None stands for clock 0.

    Places are those of the process whose guard or invariant it is; `Remote` ones only occur in properties.
    """

    operator: str
    plus: Expression
    minus: Expression | None
    bound: Expression
    unless: Expression | None = None


class Given(Record, frozen=True):
    """The rate that an invariant gives to a clock, 0 or 1, unless `unless` holds."""

    clock: Expression
    value: Expression
    unless: Expression | None = None


class Parts(Record, frozen=True):
    """A guard or invariant taken apart: conditions without clocks, constraints on clocks, rates of clocks."""

    plain: tuple[Expression, ...]
    constraints: tuple[Constraint, ...]
    rates: tuple[Given, ...]


def clock_count(kind: Type) -> int:
    """How many clocks a variable of this type is."""
    match kind:
        case ClockType():
            return 1
        case ArrayType(element, size):
            return clock_count(element) * size
        case RecordType(_, fields):
            return sum(clock_count(part) for _, part in fields)
        case _:
            return 0


class Clocks:
    """Numbers for the clocks of a network, and what its expressions say of them."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.scope = Scope(network)
        self.all: list[Clock] = []
        self._first: dict[tuple[int | None, str], int] = {}
        for variable in network.variables:
            self._add(variable, None, "")
        for number, start in enumerate(network.initial):
            process = network.process(start.process)
            for variable in (*process.parameters, *process.variables):
                self._add(variable, number, f"{start.name}.")

    def _add(self, variable: Variable, process: int | None, prefix: str) -> None:
        names = list(_leaves(variable.type, prefix + variable.name))
        if names:
            self._first[process, variable.name] = len(self.all) + 1
        for offset, name in enumerate(names):
            self.all.append(Clock(len(self.all) + 1, name, process, variable.name, offset))

    @property
    def dimension(self) -> int:
        """Rows of a zone's matrix: one more than there are clocks."""
        return len(self.all) + 1

    def leaf(self, clock: Clock) -> int:
        """The position of a clock among all scalars of its variable, were clocks scalars."""
        kind = None if clock.process is None else self.kind_number(clock.process)
        found = self.type_of(Ref(clock.variable), kind)
        assert found is not None
        return [at for at, is_clock in enumerate(_clock_leaves(found)) if is_clock][clock.offset]

    def kind_number(self, process: int) -> int:
        return self.network.process_index[self.network.initial[process].process]

    # Which expressions are clocks

    def type_of(self, place: Place, kind: int | None) -> Type | None:
        """The type of a place seen by a process of this kind; None if its root is no variable."""
        if isinstance(place, Ref):
            slot = self.scope.processes[kind].slots.get(place.name) if kind is not None else None
            slot = slot or self.scope.slots.get(place.name)
            return slot.type if slot is not None else None
        base = self.type_of(place.base, kind)
        return None if base is None else element_of(base, place)

    def is_clock(self, expression: Expression, kind: int | None) -> bool:
        match expression:
            case Ref() | Index() | Field():
                return isinstance(self.type_of(expression, kind), ClockType)
            case Remote(Instance(name), Ref() | Index() | Field() as place):
                return isinstance(self.type_of(place, self.kind_of(name)), ClockType)
            case _:
                return False

    def mentions(self, expression: Expression, kind: int | None) -> bool:
        """Whether a clock occurs anywhere in an expression."""
        return bool(self.all) and any(self.is_clock(part, kind) for part in walk(expression))

    def kind_of(self, instance: str) -> int:
        return self.kind_number(self.network.instance_numbers[instance])

    def term(self, expression: Expression, number: int | None) -> Term:
        """The clock that process `number` (None in properties) means."""
        if isinstance(expression, Remote):
            assert isinstance(expression.process, Instance) and not isinstance(expression.place, Call)
            number = self.network.instance_numbers[expression.process.name]
            return self.term(expression.place, number)
        assert isinstance(expression, Ref | Index | Field)
        base, _, steps = self._locate(expression, number)
        return Term(base, tuple(steps))

    def _locate(self, place: Place, number: int | None) -> tuple[int, Type, list[tuple[Expression, int, int]]]:
        if isinstance(place, Ref):
            kind = None if number is None else self.kind_number(number)
            found = self.type_of(place, kind)
            assert found is not None
            own = number is not None and (number, place.name) in self._first
            return self._first[number if own else None, place.name], found, []
        base, found, steps = self._locate(place.base, number)
        if isinstance(place, Field):
            assert isinstance(found, RecordType)
            for name, part in found.fields:
                if name == place.name:
                    return base, part, steps
                base += clock_count(part)
            raise AssertionError(place.name)
        assert isinstance(found, ArrayType)
        stride = clock_count(found.element)
        if isinstance(place.index, Literal) and 0 <= place.index.value < found.size:
            return base + place.index.value * stride, found.element, steps
        return base, found.element, [*steps, (place.index, stride, found.size)]

    # Taking conditions apart

    def split(self, expression: Expression, kind: int | None, source: Source) -> Parts:
        """A guard or invariant as its conjuncts without clocks, its constraints on clocks and their rates."""
        plain: list[Expression] = []
        constraints: list[Constraint] = []
        rates: list[Given] = []
        for part in conjuncts(expression):
            if not self.mentions(part, kind):
                plain.append(part)
                continue
            unless: Expression | None = None
            if isinstance(part, Binary) and part.operator == "||" and not self.mentions(part.left, kind):
                unless, part = part.left, part.right
            if isinstance(part, Binary) and part.operator == "==" and isinstance(part.left, Rate):
                if self.mentions(part.right, kind):
                    raise ModelError(f"a clock's rate, '{show(part.right)}', may not depend on clocks", source)
                rates.append(Given(part.left.clock, part.right, unless))
                continue
            found = self.atom(part, kind)
            if found is None or found.operator == "!=":
                remedy = "compare one clock, or the difference of two, with a number"
                raise ModelError(f"'{show(part)}' is no constraint on clocks", source, remedy)
            constraints.append(Constraint(found.operator, found.plus, found.minus, found.bound, unless))
        return Parts(tuple(plain), tuple(constraints), tuple(rates))

    def atom(self, expression: Expression, kind: int | None) -> Constraint | None:
        """A comparison of a clock or a difference of clocks with a number; None if it is not one."""
        if not isinstance(expression, Binary) or expression.operator not in _MIRROR:
            return None
        operator, left, right = expression.operator, expression.left, expression.right
        if self.mentions(right, kind) and not self.mentions(left, kind):
            operator, left, right = _MIRROR[operator], right, left
        if self.is_clock(left, kind) and self.is_clock(right, kind):
            return Constraint(operator, left, right, Literal(0))
        if self.mentions(right, kind):
            return None
        if self.is_clock(left, kind):
            return Constraint(operator, left, None, right)
        match left:
            case Binary("-", plus, minus) if self.is_clock(plus, kind) and self.is_clock(minus, kind):
                return Constraint(operator, plus, minus, right)
            case _:
                return None

    @cached_property
    def names(self) -> list[str]:
        """Names by number; that of clock 0 is "0"."""
        return ["0", *(clock.name for clock in self.all)]


def _leaves(kind: Type, name: str) -> Iterator[str]:
    match kind:
        case ClockType():
            yield name
        case ArrayType(element, size):
            for at in range(size):
                yield from _leaves(element, f"{name}[{at}]")
        case RecordType(_, fields):
            for label, part in fields:
                yield from _leaves(part, f"{name}.{label}")
        case _:
            pass


def _clock_leaves(kind: Type) -> list[bool]:
    """Which scalars of a type are clocks."""
    match kind:
        case ClockType():
            return [True]
        case ArrayType(element, size):
            return _clock_leaves(element) * size
        case RecordType(_, fields):
            return [leaf for _, part in fields for leaf in _clock_leaves(part)]
        case _:
            return [False]


def has_clocks(network: Network) -> bool:
    """Whether a network needs the zone graph: it has clocks, or invariants that steps must keep."""
    if Clocks(network).all:
        return True
    return any(place.invariant != TRUE for process in network.processes for place in process.locations)
