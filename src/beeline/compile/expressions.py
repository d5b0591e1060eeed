"""Expressions to bytecode, with constants folded: what an instance's parameters decide is decided here."""

from __future__ import annotations

from collections.abc import Sequence

from beeline.compile.assembler import Address, Assembler, Constant, Label, Operand, Temporary
from beeline.compile.layout import ChannelPlace, Layout
from beeline.model.evaluate import ARITHMETIC
from beeline.model.expressions import (
    At,
    Binary,
    Builtin,
    Call,
    ChannelInfo,
    Checked,
    Conditional,
    Expression,
    Field,
    Index,
    Instance,
    Literal,
    Match,
    Pattern,
    Place,
    Poll,
    ProcessRef,
    Quantified,
    Rate,
    Ref,
    Remote,
    Unary,
    walk,
)
from beeline.model.network import Function
from beeline.model.types import CHANNEL, INT, ArrayType, RecordType, Type, is_scalar, width, wrap32
from beeline.records import Record, field, replace

# Names of the errors that the machine reports, in the order of their codes.
ERRORS = (
    "assertion", "index", "range", "division", "channel", "processes", "blocked", "loop", "undefined", "assumption",
    "outside",
)  # fmt: skip

INSTRUCTION = {
    "+": "ADD",
    "-": "SUBTRACT",
    "*": "MULTIPLY",
    "/": "DIVIDE",
    "%": "MODULO",
    "&": "AND",
    "|": "OR",
    "^": "XOR",
    "<<": "SHIFT_LEFT",
    ">>": "SHIFT_RIGHT",
    "min": "MINIMUM",
    "max": "MAXIMUM",
    "==": "EQUAL",
    "!=": "NOT_EQUAL",
    "<": "LESS",
    "<=": "LESS_EQUAL",
}


class Cells(Record, frozen=True):
    """A resolved place: a first cell plus a computed offset, the values if they are known now, or both. A constant
    `base` stands for itself: the place is then a number in a row of numbers, not a cell."""

    type: Type
    base: Operand | None = None  # Address or Temporary of the whole thing's first cell
    offset: Operand | None = None  # added at run time
    extent: int = 0  # how far the offset may reach
    values: Sequence[int] | None = None  # known contents


class Environment(Record):
    """Who is compiled: a process number and kind (None for properties), and the temporaries in sight."""

    number: int | None = None
    kind: int | None = None
    names: dict[str, Cells] = field(default_factory=dict)

    def with_names(self, names: dict[str, Cells]) -> Environment:
        return replace(self, names=names)


class ExpressionCompiler:
    """Emits code for expressions into an assembler."""

    def __init__(self, layout: Layout, assembler: Assembler) -> None:
        self.layout = layout
        self.scope = layout.scope
        self.assembler = assembler
        # The engine sets this cell before it looks for steps.
        self.timeout_cell = assembler.temporary()

    def emit(self, operation: str, *arguments: Operand | Label | int) -> None:
        self.assembler.emit(operation, *arguments)

    # Values

    def value(self, expression: Expression, env: Environment) -> Operand:
        """The operand that holds the expression's value."""
        match expression:
            case Literal(value):
                return Constant(value)
            case Ref() | Index() | Field():
                return self.load(self.cells(expression, env))
            case Binary(operator="&&" | "||" | "imply"):
                return self._truth_value(expression, env)
            case Binary():
                return self._binary(expression, env)
            case Unary(operator, operand):
                return self._unary(operator, operand, env)
            case Conditional():
                return self._conditional(expression, env)
            case Checked():
                return self._checked(expression, env)
            case Quantified():
                return self._quantified(expression, env)
            case Call():
                return self.call(expression, env)
            case ChannelInfo():
                return self._channel_info(expression, env)
            case Poll():
                return self._poll(expression, env)
            case At():
                return self._at(expression, env)
            case Remote():
                return self._remote(expression, env)
            case Rate():
                raise TypeError("a clock's rate has no value outside an invariant")
            case Builtin():
                return self._builtin(expression, env)

    def _unary(self, operator: str, operand: Expression, env: Environment) -> Operand:
        inner = self.value(operand, env)
        if isinstance(inner, Constant):
            folded = {"!": int(not inner.value), "-": -inner.value, "~": ~inner.value}[operator]
            return Constant(wrap32(folded))
        return self._result({"!": "NOT", "-": "NEGATE", "~": "INVERT"}[operator], inner)

    def _result(self, operation: str, *operands: Operand | int) -> Temporary:
        target = self.assembler.temporary()
        self.emit(operation, target, *operands)
        return target

    def _binary(self, expression: Binary, env: Environment) -> Operand:
        operator, left, right = expression.operator, expression.left, expression.right
        if operator in (">", ">="):
            # Operands keep their order of evaluation; only the comparison is turned round.
            first, second = self._both(left, right, env)
            return self._arithmetic("<" if operator == ">" else "<=", second, first)
        return self._arithmetic(operator, *self._both(left, right, env))

    def _both(self, left: Expression, right: Expression, env: Environment) -> tuple[Operand, Operand]:
        """Two values, the left one as it is before the right one is computed: a call there may write what it reads."""
        first = self.value(left, env)
        if not isinstance(first, Constant) and any(isinstance(part, Call) for part in walk(right)):
            first = self._result("MOVE", first)
        return first, self.value(right, env)

    def _arithmetic(self, operator: str, left: Operand, right: Operand) -> Operand:
        if isinstance(left, Constant) and isinstance(right, Constant) and operator in ARITHMETIC:
            return Constant(wrap32(ARITHMETIC[operator](left.value, right.value)))
        return self._result(INSTRUCTION[operator], left, right)

    def _truth_value(self, expression: Expression, env: Environment) -> Operand:
        target, no, done = self.assembler.temporary(), Label(), Label()
        known = self.branch(expression, no, env, when=False)
        if known is not None:
            return Constant(int(known))
        self.emit("MOVE", target, Constant(1))
        self.emit("JUMP", done)
        self.assembler.place(no)
        self.emit("MOVE", target, Constant(0))
        self.assembler.place(done)
        return target

    def _conditional(self, expression: Conditional, env: Environment) -> Operand:
        otherwise, done = Label(), Label()
        known = self.branch(expression.condition, otherwise, env, when=False)
        if known is not None:
            return self.value(expression.then if known else expression.otherwise, env)
        target = self.assembler.temporary()
        self.emit("MOVE", target, self.value(expression.then, env))
        self.emit("JUMP", done)
        self.assembler.place(otherwise)
        self.emit("MOVE", target, self.value(expression.otherwise, env))
        self.assembler.place(done)
        return target

    def _checked(self, expression: Checked, env: Environment) -> Operand:
        value = self.value(expression.operand, env)
        low, high = expression.low, expression.high
        if (
            isinstance(value, Constant)
            and (low is None or low <= value.value)
            and (high is None or value.value <= high)
        ):
            return value
        bad, fine = Label(), Label()
        if low is not None and high is not None:
            self.emit("JUMP_LT", value, Constant(low), bad)
        if high is not None:
            self.emit("JUMP_LE", value, Constant(high), fine)
        elif low is not None:
            self.emit("JUMP_LE", Constant(low), value, fine)
        self.assembler.place(bad)
        self.emit("ERROR", ERRORS.index(expression.problem))
        self.assembler.place(fine)
        return value

    # Conditions

    def branch(self, expression: Expression, target: Label, env: Environment, when: bool) -> bool | None:
        """Jumps if the truth of the condition is `when`, else falls through. Returns its truth instead if that is known
        now; then no code was emitted for it."""
        match expression:
            case Binary("&&" | "||" as operator, left, right) if (operator == "||") is when:
                first = self.branch(left, target, env, when)
                if first is when:
                    return when
                second = self.branch(right, target, env, when)
                return self._second(first, second, target, jump_when=when)
            case Binary("&&" | "||", left, right):
                past = Label()
                first = self.branch(left, past, env, not when)
                if first is not None and first is not when:
                    return first
                second = self.branch(right, target, env, when)
                if first is None and second is when:
                    self.emit("JUMP", target)
                self.assembler.place(past)
                return second if first is when else None
            case Binary("imply", left, right):
                return self.branch(Binary("||", Unary("!", left), right), target, env, when)
            case Unary("!", operand):
                known = self.branch(operand, target, env, not when)
                return None if known is None else not known
            case Binary(operator, left, right) if operator in ("==", "!=", "<", "<=", ">", ">="):
                return self._compare(operator, left, right, target, env, jump_when=when)
            case _:
                return self._test(expression, target, env, "JUMP_IF" if when else "JUMP_IF_NOT")

    def _second(self, first: bool | None, second: bool | None, target: Label, jump_when: bool) -> bool | None:
        """Joins the halves of a connective whose first half did not decide it."""
        if first is None and second is jump_when:
            self.emit("JUMP", target)
        return second if first is not None else None

    def _test(self, expression: Expression, target: Label, env: Environment, jump: str) -> bool | None:
        value = self.value(expression, env)
        if isinstance(value, Constant):
            return value.value != 0
        self.emit(jump, value, target)
        return None

    def _compare(
        self, operator: str, left: Expression, right: Expression, target: Label, env: Environment, jump_when: bool
    ) -> bool | None:
        first, second = self._both(left, right, env)
        if isinstance(first, Constant) and isinstance(second, Constant):
            return bool(ARITHMETIC[operator](first.value, second.value))
        if not jump_when:
            operator = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}[operator]
        if operator in (">", ">="):
            first, second, operator = second, first, {">": "<", ">=": "<="}[operator]
        jump = {"==": "JUMP_EQ", "!=": "JUMP_NE", "<": "JUMP_LT", "<=": "JUMP_LE"}[operator]
        self.emit(jump, first, second, target)
        return None

    # Quantifiers and calls

    def _quantified(self, expression: Quantified, env: Environment) -> Operand:
        """Unrolled: the range is constant, and each copy folds its own index."""
        bodies = [
            (env.with_names({**env.names, expression.name: Cells(INT, values=(value,))}))
            for value in range(expression.low, expression.high + 1)
        ]
        if expression.kind == "sum":
            total: Operand = Constant(0)
            for inner in bodies:
                total = self._arithmetic("+", total, self.value(expression.body, inner))
            return total
        exists = expression.kind == "exists"
        target, decided, done = self.assembler.temporary(), Label(), Label()
        for inner in bodies:
            known = self.branch(expression.body, decided, inner, when=exists)
            if known is exists:
                self.emit("JUMP", decided)
                break
        self.emit("MOVE", target, Constant(int(not exists)))
        self.emit("JUMP", done)
        self.assembler.place(decided)
        self.emit("MOVE", target, Constant(int(exists)))
        self.assembler.place(done)
        return target

    def function(self, name: str, env: Environment) -> Function:
        if env.kind is not None and name in self.scope.processes[env.kind].functions:
            return self.scope.processes[env.kind].functions[name]
        return self.scope.functions[name]

    def call(self, call: Call, env: Environment, owner: Environment | None = None) -> Operand:
        raise NotImplementedError  # bodies are statements: see StatementCompiler

    # Places

    def cells(self, place: Place, env: Environment) -> Cells:
        """Where a place is."""
        return self._remote_cells(place, env, env)

    def _root(self, name: str, env: Environment) -> Cells:
        if name in env.names:
            return env.names[name]
        if env.number is not None and env.kind is not None:
            kind = self.layout.processes[env.number].kinds[env.kind]
            slot = kind.scope.slots.get(name)
            if slot is not None:
                return Cells(slot.type, Address(kind.locals + slot.offset), values=kind.constants.get(name))
        slot = self.scope.slots.get(name)
        if slot is not None:
            return Cells(slot.type, Address(slot.offset), values=self.layout.constants.get(name))
        channel = self.scope.channels.get(name)
        if channel is None:
            return Cells(INT, values=(self.scope.constants[name],))
        first = self.scope.channel_numbers[name]
        if channel.size is None:
            return Cells(CHANNEL, values=(first,))
        return Cells(ArrayType(CHANNEL, channel.size), values=range(first, first + channel.size))

    def _field(self, base: Cells, name: str) -> Cells:
        assert isinstance(base.type, RecordType)
        skipped = 0
        for label, kind in base.type.fields:
            if label == name:
                return self._part(base, skipped, kind)
            skipped += width(kind)
        raise AssertionError(name)

    def _part(self, base: Cells, skipped: int, kind: Type) -> Cells:
        """The sub-range that starts `skipped` cells into `base`."""
        if base.offset is None:
            known = None if base.values is None else base.values[skipped : skipped + width(kind)]
            return Cells(kind, None if base.base is None else self._shift(base.base, skipped), values=known)
        offset = self._arithmetic("+", base.offset, Constant(skipped)) if skipped else base.offset
        return Cells(kind, base.base, offset, base.extent)

    def _shift(self, base: Operand, by: int) -> Operand:
        match base:
            case Address(cell):
                return Address(cell + by)
            case Temporary(number):
                return Temporary(number + by)
            case Constant(value):
                return Constant(value + by)

    def _index(self, base: Cells, index: Operand) -> Cells:
        assert isinstance(base.type, ArrayType)
        element, size = base.type.element, base.type.size
        step = width(element)
        if isinstance(index, Constant) and 0 <= index.value < size:
            return self._part(base, index.value * step, element)
        if base.base is None:
            # Only channel arrays have values but no cells, and their numbers follow one another.
            assert base.values is not None
            base = Cells(base.type, Constant(base.values[0]))
        if base.offset is None and step == 1 and not isinstance(base.base, Constant):
            return Cells(element, base.base, index, size)
        scaled = self._result("SCALE", index, step, size)
        whole = base.extent if base.offset is not None else step * size
        offset = scaled if base.offset is None else self._arithmetic("+", base.offset, scaled)
        return Cells(element, base.base, offset, whole)

    def load(self, cells: Cells) -> Operand:
        """The value of a scalar place."""
        assert is_scalar(cells.type), cells
        if cells.values is not None:
            return Constant(cells.values[0])
        assert cells.base is not None
        if cells.offset is None:
            return cells.base
        if isinstance(cells.base, Constant):
            return self._arithmetic("+", cells.base, cells.offset)
        return self._result("LOAD_AT", cells.offset, cells.base, cells.extent)

    # Channels

    def channel_place(self, channel: Operand) -> ChannelPlace | None:
        """The cells of a channel whose number is known now and belongs to the network itself."""
        if isinstance(channel, Constant) and 1 <= channel.value <= len(self.layout.channels):
            return self.layout.channels[channel.value - 1]
        return None

    def _channel_info(self, expression: ChannelInfo, env: Environment) -> Operand:
        channel = self.value(expression.channel, env)
        place = self.channel_place(channel)
        length: Operand = Address(place.length) if place else self._result("CHANNEL_LENGTH", channel)
        what = expression.what
        if what == "len":
            return length
        if what in ("empty", "nempty"):
            return self._arithmetic("==" if what == "empty" else "!=", length, Constant(0))
        capacity: Operand = Constant(place.channel.capacity) if place else self._result("CHANNEL_CAPACITY", channel)
        if what == "capacity":
            return capacity
        # A handshake channel is never full: its capacity is 0 and so is its length.
        reached = self._arithmetic("<=", capacity, length)
        full = self._arithmetic("&", reached, self._arithmetic("!=", capacity, Constant(0)))
        return full if what == "full" else self._arithmetic("==", full, Constant(0))

    def pattern_values(self, patterns: tuple[Pattern, ...], env: Environment) -> tuple[Temporary, int]:
        """Evaluates what fields are compared with into consecutive cells; returns the first and the list's index."""
        first = self.assembler.temporary(max(1, len(patterns)))
        for position, pattern in enumerate(patterns):
            if isinstance(pattern, Match):
                self.emit("MOVE", Temporary(first.number + position), self.value(pattern.value, env))
        shape = tuple(int(isinstance(pattern, Match)) for pattern in patterns)
        return first, self.assembler.pattern_list(shape)

    def _check_buffered(self, channel: Operand, place: ChannelPlace | None) -> None:
        """A channel for handshakes cannot be polled."""
        if place is not None and place.channel.capacity > 0:
            return
        fine = Label()
        if place is None:
            self.emit("JUMP_IF", self._result("CHANNEL_CAPACITY", channel), fine)
        self.emit("ERROR", ERRORS.index("channel"))
        self.assembler.place(fine)

    def _poll(self, expression: Poll, env: Environment) -> Operand:
        channel = self.value(expression.channel, env)
        target, done = self.assembler.temporary(), Label()
        self.emit("MOVE", target, Constant(0))
        place = self.channel_place(channel)
        self._check_buffered(channel, place)
        length: Operand = Address(place.length) if place else self._result("CHANNEL_LENGTH", channel)
        self.emit("JUMP_IF_NOT", length, done)
        first, shape = self.pattern_values(expression.patterns, env)
        self.emit("POLL", target, channel, first, shape, int(expression.anywhere))
        self.assembler.place(done)
        return target

    # Other processes

    def _fixed_instance(self, process: ProcessRef) -> tuple[int, int] | None:
        """Number and kind of an initial process that lives for ever."""
        if not isinstance(process, Instance):
            return None
        network = self.layout.network
        number = network.instance_numbers[process.name]
        place = self.layout.processes[number]
        kind = network.process_index[network.initial[number].process]
        tag = self.layout.cells[place.tag]
        return (number, kind) if tag.low == tag.high else None

    def _process_number(self, process: ProcessRef, env: Environment) -> tuple[Operand, int]:
        network = self.layout.network
        if isinstance(process, Instance):
            number = network.instance_numbers[process.name]
            return Constant(number), network.process_index[network.initial[number].process]
        kind = network.process_index[process.process]
        if process.number is not None:
            return self.value(process.number, env), kind
        return self._result("FIND", kind), kind

    def _at(self, expression: At, env: Environment) -> Operand:
        fixed = self._fixed_instance(expression.process)
        if fixed is not None:
            number, kind = fixed
            places = self.scope.processes[kind].location_index[expression.location]
            location = Address(self.layout.processes[number].location)
            if len(places) == 1:
                return self._arithmetic("==", location, Constant(next(iter(places))))
            return self._result("IN_SET", location, self.assembler.location_set(places))
        number_operand, kind = self._process_number(expression.process, env)
        places = self.scope.processes[kind].location_index[expression.location]
        return self._result("AT", number_operand, kind, self.assembler.location_set(places))

    def _remote(self, expression: Remote, env: Environment) -> Operand:
        fixed = self._fixed_instance(expression.process)
        if fixed is not None:
            own = Environment(*fixed, names={})
            if isinstance(expression.place, Call):
                return self.call(expression.place, env, own)
            return self.load(self._remote_cells(expression.place, own, env))
        assert not isinstance(expression.place, Call), "functions are called of named processes"
        number, kind = self._process_number(expression.process, env)
        scope = self.scope.processes[kind]
        names = {name: Cells(slot.type, Address(0), Constant(slot.offset), 1) for name, slot in scope.slots.items()}
        offset = self._remote_offset(expression.place, names, env)
        return self._result("REMOTE", number, offset, kind, max(1, len(scope.types)))

    def _remote_cells(self, place: Place, owner: Environment, reader: Environment) -> Cells:
        """The place with its root in the owner's scope and its indices in the reader's."""
        if isinstance(place, Ref):
            return self._root(place.name, owner)
        base = self._remote_cells(place.base, owner, reader)
        if isinstance(place, Field):
            return self._field(base, place.name)
        return self._index(base, self.value(place.index, reader))

    def _remote_offset(self, place: Place, names: dict[str, Cells], reader: Environment) -> Operand:
        """The offset of a place within its process's locals."""
        cells = self._offset_cells(place, names, reader)
        assert cells.offset is not None
        return cells.offset

    def _offset_cells(self, place: Place, names: dict[str, Cells], reader: Environment) -> Cells:
        if isinstance(place, Ref):
            return names[place.name]
        base = self._offset_cells(place.base, names, reader)
        if isinstance(place, Field):
            return self._field(base, place.name)
        index = self.value(place.index, reader)
        assert isinstance(base.type, ArrayType) and base.offset is not None
        step = width(base.type.element)
        scaled = self._result("SCALE", index, step, base.type.size)
        return Cells(base.type.element, base.base, self._arithmetic("+", base.offset, scaled), 1)

    # Builtins

    def _builtin(self, expression: Builtin, env: Environment) -> Operand:
        layout = self.layout
        match expression.name:
            case "pid":
                return Constant(-1 if env.number is None else env.number)
            case "last":
                return Address(layout.last)
            case "timeout":
                return self.timeout_cell
            case "processes":
                return self._process_count()
            case "nonprogress":
                return self._result("NONPROGRESS")
            case _:
                pass
        argument = self.value(expression.argument, env) if expression.argument is not None else Constant(0)
        operation = {"enabled": "ENABLED", "location": "LOCATION_OF", "priority": "PRIORITY_OF"}[expression.name]
        return self._result(operation, argument)

    def _process_count(self) -> Operand:
        """Live processes are the lowest numbers, so a process is alive exactly if its tag is set. A monitor
        is one of them."""
        total: Operand = Constant(self.layout.network.watchers)
        for place in self.layout.processes:
            tag = self.layout.cells[place.tag]
            alive = Constant(1) if tag.low > 0 else self._arithmetic("!=", Address(place.tag), Constant(0))
            total = self._arithmetic("+", total, alive)
        return total
