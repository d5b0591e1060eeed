"""Statements to bytecode. Functions are inlined at their calls; one that calls itself keeps its cells on a stack."""

from __future__ import annotations

from beeline.compile.assembler import Assembler, Constant, Label, Operand, Temporary
from beeline.compile.expressions import ERRORS, Cells, Environment, ExpressionCompiler
from beeline.compile.layout import Layout
from beeline.model.expressions import (
    Binary,
    Call,
    ChannelInfo,
    Checked,
    Expression,
    Field,
    Index,
    Poll,
    Ref,
    Remote,
    walk,
)
from beeline.model.network import Function
from beeline.model.statements import (
    Alias,
    Assert,
    Assign,
    Assume,
    Cover,
    Declare,
    Do,
    For,
    If,
    Print,
    Reset,
    Return,
    SetPriority,
    Start,
    Statement,
    Terminate,
    While,
)
from beeline.model.types import INT, ClockType, ScalarType, Type, bounds, first_value, is_scalar, scalars, width
from beeline.records import Record, field, replace


class Frame(Record):
    """The function being inlined: where its value goes and where its end is. One that calls itself begins at `entry`,
    with its parameters in `names`; what a call inside of it must keep are so many cells from `first` on."""

    result: Temporary
    end: Label
    entry: Label = field(default_factory=Label)
    names: dict[str, Cells] = field(default_factory=dict)
    first: Temporary = Temporary(0)
    cells: Label = field(default_factory=Label)
    is_repeated: bool = False


class StatementCompiler(ExpressionCompiler):
    """Emits code for statements. Without `assertions`, `Assert` emits nothing."""

    def __init__(self, layout: Layout, assembler: Assembler, assertions: bool = True) -> None:
        super().__init__(layout, assembler)
        self.assertions = assertions
        self._active: dict[int, Frame] = {}  # by function: those that are being inlined

    def statements(self, statements: tuple[Statement, ...], env: Environment, frame: Frame | None = None) -> None:
        env = env.with_names(dict(env.names))
        for statement in statements:
            self.statement(statement, env, frame)

    def statement(self, statement: Statement, env: Environment, frame: Frame | None) -> None:
        match statement:
            case Assign(target, value):
                cells = self.cells(target, env)
                self._assign(self._checked_place(cells) if _may_fail(value) else cells, value, env)
            case Declare(name, kind, initial):
                env.names[name] = self._declare(kind, initial, env)
            case If():
                self._if(statement, env, frame)
            case While():
                self._while(statement, env, frame)
            case For(name, body=body):
                for number in statement.values:
                    known = Cells(INT, values=(number,))
                    self.statements(body, env.with_names({**env.names, name: known}), frame)
            case Alias(name, place):
                env.names[name] = self._pinned(self._checked_place(self.cells(place, env)))
            case Return(value):
                assert frame is not None, "return outside a function"
                self.emit("MOVE", frame.result, self.value(value, env) if value is not None else Constant(0))
                self.emit("JUMP", frame.end)
            case Do(call):
                self.call(call, env)
            case Assert(condition):
                if self.assertions:
                    self._require(condition, "assertion", env)
            case Assume(condition, leaves):
                self._require(condition, "outside" if leaves else "assumption", env)
            case Cover(condition=condition):  # whether it is met is a question of its own, errors in it are not
                if _may_fail(condition):
                    self.value(condition, env)
            case Start():
                self._start(statement, env)
            case SetPriority(process, priority):
                self.emit("SET_PRIORITY", self.value(process, env), self.value(priority, env))
            case Print(arguments=arguments):  # printing is for replay, errors in what is printed are not
                for argument in filter(_may_fail, arguments):
                    self.value(argument, env)
            case Terminate() | Reset():
                pass  # termination belongs to the edge, resets to timed programs

    # Storing

    def store(self, cells: Cells, value: Operand) -> None:
        """Stores a value into a scalar place, under its type's overflow policy."""
        assert is_scalar(cells.type)
        kind: ScalarType = cells.type
        domain = self.assembler.domain(kind)
        assert cells.base is not None and cells.values is None, "a constant cannot be written"
        if cells.offset is None:
            self.emit("STORE", cells.base, value, domain)
        else:
            self.emit("STORE_AT", cells.base, cells.offset, value, cells.extent, domain)

    def _assign(self, target: Cells, value: Expression, env: Environment) -> None:
        # The interpreter resolves the target before the value, so that is the order of errors here, too.
        if is_scalar(target.type):
            self.store(target, self.value(value, env))
            return
        assert isinstance(value, (Ref, Index, Field))
        self._copy(target, self.cells(value, env))

    def _copy(self, target: Cells, origin: Cells) -> None:
        """Scalar by scalar, all read before any is written: the two may overlap."""
        kinds = scalars(target.type)
        read = self.assembler.temporary(len(kinds))
        for position, kind in enumerate(kinds):
            self.emit("MOVE", Temporary(read.number + position), self.load(self._part(origin, position, kind)))
        for position, kind in enumerate(kinds):
            self.store(self._part(target, position, kind), Temporary(read.number + position))

    def _declare(self, kind: Type, initial: Expression | None, env: Environment) -> Cells:
        assert not isinstance(kind, ClockType)
        cells = Cells(kind, self.assembler.temporary(max(1, width(kind))))
        if initial is not None:
            self._assign(cells, initial, env)
            return cells
        for position, leaf in enumerate(scalars(kind)):
            self.store(self._part(cells, position, leaf), Constant(first_value(leaf)))
        return cells

    # Control

    def _if(self, statement: If, env: Environment, frame: Frame | None) -> None:
        otherwise, done = Label(), Label()
        known = self.branch(statement.condition, otherwise, env, when=False)
        if known is not None:
            self.statements(statement.then if known else statement.otherwise, env, frame)
            return
        self.statements(statement.then, env, frame)
        self.emit("JUMP", done)
        self.assembler.place(otherwise)
        self.statements(statement.otherwise, env, frame)
        self.assembler.place(done)

    def _while(self, statement: While, env: Environment, frame: Frame | None) -> None:
        again, done = Label(), Label()
        self.assembler.place(again)
        known = self.branch(statement.condition, done, env, when=False)
        if known is not False:
            self.statements(statement.body, env, frame)
            self.emit("LOOP", again)
        self.assembler.place(done)

    def _require(self, condition: Expression, otherwise: str, env: Environment) -> None:
        fine = Label()
        if self.branch(condition, fine, env, when=True) is not True:
            self.emit("ERROR", ERRORS.index(otherwise))
        self.assembler.place(fine)

    def call(self, call: Call, env: Environment, owner: Environment | None = None) -> Operand:
        """Inlines a function of the process that is compiled, or of `owner`; its value is in the returned cell."""
        owner = owner or env
        function = self.function(call.function, owner)
        if id(function) in self._active:
            return self._call_again(function, call, env)
        frame = Frame(self.assembler.temporary(), Label())
        frame.first = self.assembler.temporary()
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            frame.names[parameter.name] = self._argument(parameter.type, parameter.reference, argument, env)
        self._active[id(function)] = frame
        self.assembler.place(frame.entry)
        self.emit("MOVE", frame.result, Constant(0))
        of_network = self.scope.functions.get(function.name) is function
        inner = replace(owner, kind=None if of_network else owner.kind, names=frame.names)
        self.statements(function.body, inner, frame)
        self.assembler.place(frame.end)
        del self._active[id(function)]
        if frame.is_repeated:
            frame.cells.position = self.assembler.temporaries - frame.first.number
            self.emit("UNWIND", frame.first)
        return frame.result

    def _call_again(self, function: Function, call: Call, env: Environment) -> Operand:
        """A call of a function inside of itself: runs the same code again, and comes back with its cells as they were.
        References are passed on as they are, as validation has seen to."""
        frame = self._active[id(function)]
        frame.is_repeated = True
        passed = [
            (frame.names[parameter.name], self._declare(parameter.type, argument, env))
            for parameter, argument in zip(function.parameters, call.arguments, strict=True)
            if not parameter.reference
        ]
        resume = Label()
        self.emit("SAVE", frame.first, frame.cells, resume)
        for own, given in passed:
            for position in range(width(own.type)):
                assert own.base is not None and given.base is not None
                self.emit("MOVE", self._shift(own.base, position), self._shift(given.base, position))
        self.emit("LOOP", frame.entry)
        self.assembler.place(resume)
        return self._result("MOVE", frame.result)

    def _argument(self, kind: Type, reference: bool, argument: Expression, env: Environment) -> Cells:
        if reference:
            assert isinstance(argument, (Ref, Index, Field))
            return self._pinned(self.cells(argument, env))
        if is_scalar(kind):
            value = self.value(argument, env)
            if isinstance(value, Constant):
                low, high = bounds(kind)
                if low <= value.value <= high:
                    return self._writable_constant(kind, value)
        return self._declare(kind, argument, env)

    def _writable_constant(self, kind: Type, value: Constant) -> Cells:
        """A parameter may be assigned in the body, so that a known argument still gets a cell."""
        cells = Cells(kind, self.assembler.temporary())
        assert cells.base is not None
        self.emit("MOVE", cells.base, value)
        return cells

    def _pinned(self, cells: Cells) -> Cells:
        """A reference keeps the cell it was bound to: its offset must not change with later writes."""
        if cells.offset is None or isinstance(cells.offset, Constant):
            return cells
        held = self.assembler.temporary()
        self.emit("MOVE", held, cells.offset)
        return Cells(cells.type, cells.base, held, cells.extent)

    def _checked_place(self, cells: Cells) -> Cells:
        """The same place with its offset checked now, so that errors come in the interpreter's order."""
        if cells.offset is None:
            return cells
        return Cells(cells.type, cells.base, self._result("SCALE", cells.offset, 1, cells.extent), cells.extent)

    def _start(self, statement: Start, env: Environment) -> None:
        process = self.layout.network.process(statement.process)
        count = len(process.parameters)
        first = self.assembler.temporary(max(1, count))
        for position, argument in enumerate(statement.arguments):
            self.emit("MOVE", Temporary(first.number + position), self.value(argument, env))
        priority = self.value(statement.priority, env) if statement.priority is not None else Constant(0)
        kind = self.layout.network.process_index[statement.process]
        number = self.assembler.temporary()
        self.emit("START", number, kind, first, count, priority)
        if statement.result is not None:
            self.store(self.cells(statement.result, env), number)


def _may_fail(value: Expression) -> bool:
    """Whether computing a value may end in an error, or change by a call what was computed before."""
    return any(
        isinstance(part, (Index, Call, Checked, ChannelInfo, Poll, Remote))
        or (isinstance(part, Binary) and part.operator in ("/", "%"))
        for part in walk(value)
    )
