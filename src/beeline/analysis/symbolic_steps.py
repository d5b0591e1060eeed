"""Edges run on a state of which nothing is known: what an edge comes to, as formulas over the cells of the state.

Only edges that move one process by themselves are followed; for others, and for code that goes round in loops whose end
is not known, `Unfollowed` is raised, and who asks must assume the worst.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from beeline.analysis import formulas
from beeline.analysis.footprint import Footprints
from beeline.analysis.formulas import Number, Truth, conjunction, disjunction, negation
from beeline.model.expressions import (
    At,
    Binary,
    Builtin,
    Call,
    Checked,
    Conditional,
    Expression,
    Field,
    Index,
    Literal,
    Place,
    Quantified,
    Ref,
    Unary,
)
from beeline.model.network import Edge, Function
from beeline.model.scope import element_of
from beeline.model.statements import (
    Alias,
    Assert,
    Assign,
    Cover,
    Declare,
    Do,
    For,
    If,
    Print,
    Return,
    Statement,
)
from beeline.model.types import CHANNEL, ArrayType, RecordType, ScalarType, Type, first_value, is_scalar, scalars, width
from beeline.records import Record, field

MOST_WAYS = 256  # cells that a place may mean
MOST_ROUNDS = 4096  # of loops in one step
DEEPEST = 16  # calls of functions inside of each other


class Unfollowed(Exception):
    """Code that is not run on unknown states."""


class Symbols:
    """The cells of an unknown state: numbers within their bounds, known where they never change."""

    def __init__(self, footprints: Footprints) -> None:
        self._cells = footprints.layout.cells
        self._found: dict[int, Number] = {}
        configuration = footprints.configuration
        self._known = {
            footprints.place_of(number, kind).locals + position: value
            for number, kind in enumerate(configuration.kinds)
            for position, value in configuration.constants[number].items()
        }

    def __getitem__(self, cell: int) -> Number:
        if cell not in self._found:
            known = self._cells[cell].low if self._cells[cell].low == self._cells[cell].high else self._known.get(cell)
            self._found[cell] = formulas.symbol(f"c{cell}") if known is None else known
        return self._found[cell]

    def bounds(self) -> Truth:
        """What is known of all cells."""
        return conjunction(
            *(formulas.within(self[number], cell.low, cell.high) for number, cell in enumerate(self._cells))
        )


class Memory(Record):
    """A state: what was written, over the symbols; temporaries are cells below zero."""

    symbols: Symbols
    written: dict[int, Number] = field(default_factory=dict)

    def __getitem__(self, cell: int) -> Number:
        return self.written[cell] if cell in self.written else self.symbols[cell]

    def changed(self, before: Memory) -> Truth:
        """Whether a step from `before` to here changes anything."""
        cells = [cell for cell in self.written if cell >= 0]
        return formulas.differ((self[cell], before[cell]) for cell in cells)

    def differs(self, other: Memory) -> Truth:
        cells = {cell for cell in (*self.written, *other.written) if cell >= 0}
        return formulas.differ((self[cell], other[cell]) for cell in sorted(cells))


class Outcome(Record, frozen=True):
    """What an edge comes to in a state: whether its guard holds or has no value, whether it ends in an error, and the
    state that it leads to otherwise."""

    holds: Truth
    unguarded: Truth
    fails: Truth
    after: Memory

    @property
    def enabled(self) -> Truth:
        return disjunction(self.holds, self.unguarded)


class Where(Record, frozen=True):
    """A place: the first cells that it may have, each with the condition for it, and the type there."""

    ways: tuple[tuple[Truth, int], ...]
    type: Type


def follow(footprints: Footprints, number: int, edge: Edge, before: Memory) -> Outcome:
    """An edge of process `number` taken in a state."""
    deciding = _Runner(footprints, number, Memory(before.symbols, dict(before.written)))
    place = footprints.layout.processes[number]
    there = conjunction(
        formulas.compare("==", before[place.tag], footprints.configuration.kinds[number] + 1),
        formulas.compare("==", before[place.location], edge.source_location),
    )
    truth = deciding.truth(edge.guard, True)
    holds = conjunction(there, truth, negation(deciding.error))
    unguarded = conjunction(there, deciding.error)
    acting = _Runner(footprints, number, Memory(before.symbols, dict(before.written)))
    acting.run(edge.effect, True)
    acting.memory.written[place.location] = edge.target_location
    fails = disjunction(unguarded, conjunction(holds, acting.error))
    return Outcome(holds, unguarded, fails, acting.memory)


def truth_of(footprints: Footprints, condition: Expression, state: Memory) -> Truth:
    """Whether a condition of nobody's holds, and has a value."""
    runner = _Runner(footprints, -1, Memory(state.symbols, dict(state.written)))
    truth = runner.truth(condition, True)
    return conjunction(truth, negation(runner.error))


class _Runner:
    """Code that runs on one memory. What happens on a path counts where the path's condition holds."""

    def __init__(self, footprints: Footprints, number: int, memory: Memory) -> None:
        self.footprints, self.number, self.memory = footprints, number, memory
        self.error: Truth = False
        self.temporaries: dict[str, Where] = {}
        self.sees_locals = number >= 0
        self.returned: Truth = False
        self.result: Number = 0
        self._rounds = self._depth = 0
        self._fresh = -1

    def _fail(self, path: Truth, condition: Truth) -> None:
        self.error = disjunction(self.error, conjunction(path, condition))

    # Expressions

    def truth(self, expression: Expression, path: Truth) -> Truth:
        match expression:
            case Unary("!", operand):
                return negation(self.truth(operand, path))
            case Binary("&&", left, right):
                first = self.truth(left, path)
                return conjunction(first, self._later(right, conjunction(path, first)))
            case Binary("||", left, right):
                first = self.truth(left, path)
                return disjunction(first, self._later(right, conjunction(path, negation(first))))
            case Binary("imply", left, right):
                first = self.truth(left, path)
                return disjunction(negation(first), self._later(right, conjunction(path, first)))
            case Binary("==" | "!=" | "<" | "<=" | ">" | ">=" as operator, left, right):
                return formulas.compare(operator, self.value(left, path), self.value(right, path))
            case Quantified(kind="forall" | "exists" as kind):
                return self._quantified(expression, kind == "forall", path)
            case _:
                return formulas.to_truth(self.value(expression, path))

    def _later(self, expression: Expression, path: Truth) -> Truth:
        """What is only looked at on a path."""
        return False if path is False else self.truth(expression, path)

    def _quantified(self, quantified: Quantified, every: bool, path: Truth) -> Truth:
        """Which stops at the first value that decides."""
        going, found = path, every
        for value in range(quantified.low, quantified.high + 1):
            self._count_round()
            with self._named(quantified.name, value):
                truth = self._later(quantified.body, going)
            found = conjunction(found, truth) if every else disjunction(found, truth)
            going = conjunction(going, truth if every else negation(truth))
        return found

    def value(self, expression: Expression, path: Truth) -> Number:
        match expression:
            case Literal(value):
                return value
            case Ref() | Index() | Field():
                return self._read(expression, path)
            case Binary("&&" | "||" | "imply") | Unary("!") | Quantified(kind="forall" | "exists"):
                return formulas.to_number(self.truth(expression, path))
            case Binary(operator, left, right):
                one, other = self.value(left, path), self.value(right, path)
                if operator in "/%":
                    self._fail(path, formulas.compare("==", other, 0))
                return formulas.compute(operator, one, other)
            case Unary(sign, operand):
                return formulas.negative(self.value(operand, path), sign == "~")
            case Conditional(condition, then, otherwise):
                first = self.truth(condition, path)
                yes, no = conjunction(path, first), conjunction(path, negation(first))
                return formulas.choice(first, self._value_later(then, yes), self._value_later(otherwise, no))
            case Checked(operand, low, high):
                value = self.value(operand, path)
                self._fail(path, negation(formulas.within(value, low, high)))
                return value
            case Quantified(body=body):
                return self._sum(expression, body, path)
            case Call():
                return self._call(expression, path)
            case At():
                return formulas.to_number(self._at(expression))
            case Builtin("pid") if self.number >= 0:
                return self.number
            case _:
                raise Unfollowed

    def _value_later(self, expression: Expression, path: Truth) -> Number:
        return 0 if path is False else self.value(expression, path)

    def _sum(self, quantified: Quantified, body: Expression, path: Truth) -> Number:
        total: Number = 0
        for value in range(quantified.low, quantified.high + 1):
            self._count_round()
            with self._named(quantified.name, value):
                total = formulas.compute("+", total, self.value(body, path))
        return total

    def _at(self, asked: At) -> Truth:
        meant = self.footprints.processes_meant(asked.process, self.number)
        if len(meant) != 1:
            raise Unfollowed
        place, kind = self.footprints.layout.processes[meant[0]], self.footprints.configuration.kinds[meant[0]]
        locations = self.footprints.scope.processes[kind].location_index.get(asked.location, frozenset())
        here = self.memory[place.location]
        there = disjunction(*(formulas.compare("==", here, one) for one in sorted(locations)))
        return conjunction(formulas.compare("==", self.memory[place.tag], kind + 1), there)

    def _count_round(self) -> None:
        self._rounds += 1
        if self._rounds > MOST_ROUNDS:
            raise Unfollowed

    @contextmanager
    def _named(self, name: str, value: int) -> Iterator[None]:
        """A name that stands for a number."""
        outer = dict(self.temporaries)
        self.temporaries[name] = self._room(CHANNEL, (value,))
        yield
        self.temporaries = outer

    # Places

    def _room(self, kind: Type, values: tuple[Number, ...] | None = None) -> Where:
        """Cells for a temporary."""
        kinds = scalars(kind)
        self._fresh -= len(kinds)
        first = self._fresh
        for position, leaf in enumerate(kinds):
            self.memory.written[first + position] = first_value(leaf) if values is None else values[position]
        return Where(((True, first),), kind)

    def where(self, place: Place, path: Truth) -> Where:
        match place:
            case Ref(name):
                return self._root(name)
            case Field(base, name):
                outer = self.where(base, path)
                assert isinstance(outer.type, RecordType)
                before = 0
                for label, kind in outer.type.fields:
                    if label == name:
                        break
                    before += width(kind)
                moved = tuple((condition, first + before) for condition, first in outer.ways)
                return Where(moved, element_of(outer.type, place))
            case Index(base, index):
                outer = self.where(base, path)
                if not isinstance(outer.type, ArrayType):
                    raise Unfollowed  # of channels
                return self._element(outer, outer.type, self.value(index, path), path)

    def _element(self, outer: Where, kind: ArrayType, index: Number, path: Truth) -> Where:
        self._fail(path, negation(formulas.within(index, 0, kind.size - 1)))
        each = width(kind.element)
        positions = [index] if isinstance(index, int) else list(range(kind.size))
        ways = [
            (meant, first + position * each)
            for condition, first in outer.ways
            for position in positions
            if 0 <= position < kind.size
            and (meant := conjunction(condition, formulas.compare("==", index, position))) is not False
        ]
        if len(ways) > MOST_WAYS:
            raise Unfollowed
        return Where(tuple(ways), kind.element)

    def _root(self, name: str) -> Where:
        if name in self.temporaries:
            return self.temporaries[name]
        places = self.footprints
        if self.sees_locals:
            kind = places.configuration.kinds[self.number]
            slot = places.scope.processes[kind].slots.get(name)
            if slot is not None:
                return Where(((True, places.place_of(self.number, kind).locals + slot.offset),), slot.type)
        slot = places.scope.slots.get(name)
        if slot is not None:
            if slot.variable is not None and slot.variable.hidden:
                raise Unfollowed
            return Where(((True, slot.offset),), slot.type)
        if name in places.scope.channels:
            raise Unfollowed
        return self._room(CHANNEL, (places.scope.constants[name],))

    def _read(self, place: Place, path: Truth) -> Number:
        return self._read_at(self.where(place, path), 0)

    def _read_at(self, where: Where, position: int) -> Number:
        """One of the scalars of a place; whatever, where an error was noted for it."""
        found: Number | None = None
        for condition, first in reversed(where.ways):
            value = self.memory[first + position]
            found = value if found is None else formulas.choice(condition, value, found)
        return 0 if found is None else found

    def _write(self, where: Where, position: int, kind: ScalarType, value: Number, path: Truth) -> None:
        kept, wrong = formulas.stored(kind, value)
        self._fail(path, wrong)
        for condition, first in where.ways:
            cell = first + position
            self.memory.written[cell] = formulas.choice(conjunction(path, condition), kept, self.memory[cell])

    # Statements

    def run(self, body: tuple[Statement, ...], path: Truth) -> None:
        outer = dict(self.temporaries)
        for statement in body:
            going = conjunction(path, negation(self.returned))
            if going is False:
                break
            self._one(statement, going)
        self.temporaries = outer

    def _one(self, statement: Statement, path: Truth) -> None:
        match statement:
            case Assign(target, value):
                self._assign(self.where(target, path), value, path)
            case Declare(name, kind, initial):
                room = self._room(kind)
                if initial is not None:
                    self._assign(room, initial, path)
                self.temporaries[name] = room
            case If(condition, then, otherwise):
                truth = self.truth(condition, path)
                self.run(then, conjunction(path, truth))
                self.run(otherwise, conjunction(path, negation(truth)))
            case For(name, body=body):
                for number in statement.values:
                    self._count_round()
                    with self._named(name, number):
                        self.run(body, path)
            case Alias(name, place):
                self.temporaries[name] = self.where(place, path)
            case Return(value):
                if value is not None:
                    self.result = formulas.choice(path, self.value(value, path), self.result)
                self.returned = disjunction(self.returned, path)
            case Do(call):
                self._call(call, path)
            case Assert(condition):
                self._fail(path, negation(self.truth(condition, path)))
            case Cover(condition=condition):
                self.truth(condition, path)
            case Print():
                for part in statement.arguments:
                    self.value(part, path)
            case _:
                raise Unfollowed

    def _assign(self, where: Where, value: Expression, path: Truth) -> None:
        if is_scalar(where.type):
            self._write(where, 0, where.type, self.value(value, path), path)
            return
        assert isinstance(value, (Ref, Index, Field))
        copied = self.where(value, path)
        kinds = scalars(where.type)
        incoming = [self._read_at(copied, position) for position in range(len(kinds))]
        for position, kind in enumerate(kinds):
            self._write(where, position, kind, incoming[position], path)

    def _call(self, call: Call, path: Truth) -> Number:
        if self._depth == DEEPEST:
            raise Unfollowed
        function, is_own = self._function(call.function)
        inner = self._arguments(function, call, path)
        outer = self.temporaries, self.sees_locals, self.returned, self.result
        self.temporaries, self.sees_locals = inner, is_own
        self.returned, self.result = False, 0
        self._depth += 1
        self.run(function.body, path)
        self._depth -= 1
        value = self.result
        self.temporaries, self.sees_locals, self.returned, self.result = outer
        return value

    def _function(self, name: str) -> tuple[Function, bool]:
        """The function that is meant, and whether it is the process's own."""
        own: Mapping[str, Function] = {}
        if self.sees_locals:
            own = self.footprints.scope.processes[self.footprints.configuration.kinds[self.number]].functions
        return (own[name], True) if name in own else (self.footprints.scope.functions[name], False)

    def _arguments(self, function: Function, call: Call, path: Truth) -> dict[str, Where]:
        inner: dict[str, Where] = {}
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            if parameter.reference:
                assert isinstance(argument, (Ref, Index, Field))
                inner[parameter.name] = self.where(argument, path)
                continue
            room = self._room(parameter.type)
            self._assign(room, argument, path)
            inner[parameter.name] = room
        return inner
