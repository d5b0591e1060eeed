"""Checks that a network is well formed, so that nothing behind it has to: names, types, shapes, limits."""

from __future__ import annotations

from collections.abc import Iterable

from beeline.model.expressions import (
    At,
    Bind,
    Builtin,
    Call,
    ChannelInfo,
    Expression,
    Field,
    Index,
    Instance,
    Literal,
    Match,
    Numbered,
    Pattern,
    Place,
    Poll,
    ProcessRef,
    Quantified,
    Rate,
    Ref,
    Remote,
    children,
    walk,
)
from beeline.model.names import unknown_name
from beeline.model.network import Channel, Edge, Function, Network, Process, Receive, Send, Variable
from beeline.model.scope import ProcessScope, Scope, element_of, root_of
from beeline.model.source import ModelError, Source
from beeline.model.statements import (
    Alias,
    Assert,
    Assign,
    Declare,
    Do,
    For,
    If,
    Print,
    Reset,
    Return,
    Start,
    Statement,
    While,
    expressions,
    nested,
)
from beeline.model.types import (
    CHANNEL,
    CHANNEL_MAX,
    INT,
    INT_MAX,
    INT_MIN,
    ArrayType,
    ClockType,
    IntType,
    Overflow,
    RecordType,
    Type,
    bounds,
    excess,
    is_scalar,
    scalars,
    width,
)
from beeline.records import Record, field, replace

SMALLER = "make arrays, channels or the number of processes smaller"
MAX_RANGE = 1 << 16  # of a quantifier: every value becomes code of its own


def validate(network: Network) -> None:
    """Raises `ModelError` at the first thing that is not as it should be."""
    for channel in network.channels:
        _check_channel(channel)
    check_size(network)
    scope = Scope(network)
    _unique("processes", (process.name for process in network.processes), network.source)
    _unique("instances", (start.name for start in network.initial), network.source)
    names = [v.name for v in network.variables] + [c.name for c in network.channels] + list(network.constants)
    _unique("variables or channels", names, network.source)
    for variable in network.variables:
        _check_variable(variable)
    _check_limits(network)
    _check_instances(network)
    for function in network.functions:
        _Checker(scope, None).check_function(function)
    for process in (*network.processes, *((network.monitor,) if network.monitor else ())):
        _check_process(scope, process)
    for asked in network.properties:
        for expression in asked.expressions:
            _Checker(scope, None, source=asked.source, watching=True).check(expression)
    _check_recursion(network)


def validate_property(network: Network, expression: Expression) -> None:
    """Raises `ModelError` if an expression is none that could be asked about the network's states."""
    _Checker(Scope(network), None, watching=True).check(expression)


def _unique(what: str, names: Iterable[str], source: Source) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ModelError(f"two {what} are called '{name}'", source, "give one of them another name")
        seen.add(name)


def _check_variable(variable: Variable) -> None:
    if _has_empty_array(variable.type):
        raise ModelError(f"an array in '{variable.name}' has no elements", variable.source, "give it a size from 1 on")
    kinds = scalars(variable.type)
    for kind in set(kinds):
        low, high = bounds(kind)
        if not INT_MIN <= low <= high <= INT_MAX:
            raise ModelError(f"variable '{variable.name}' has no valid range {low}..{high}", variable.source)
        span = high - low + 1
        if isinstance(kind, IntType) and kind.overflow is Overflow.WRAP and span & (span - 1):
            raise ModelError(
                f"'{variable.name}' cannot wrap: {low}..{high} is not a power of two wide", variable.source
            )
    if variable.initial and len(variable.initial) != len(kinds):
        raise ModelError(
            f"'{variable.name}' needs {len(kinds)} initial values, not {len(variable.initial)}",
            variable.source,
        )
    for value, kind in zip(variable.initial, kinds, strict=False):
        low, high = bounds(kind)
        if not low <= value <= high:
            raise ModelError(f"initial value {value} of '{variable.name}' is outside {low}..{high}", variable.source)


def _has_empty_array(kind: Type) -> bool:
    match kind:
        case ArrayType(element, size):
            return size < 1 or _has_empty_array(element)
        case RecordType(_, fields):
            return any(_has_empty_array(part) for _, part in fields)
    return False


def _check_channel(channel: Channel) -> None:
    if channel.size is not None and channel.size < 1:
        raise ModelError(f"'{channel.name}' has {channel.size} channels", channel.source, "give it a size from 1 on")
    if not 0 <= channel.capacity <= 255:
        raise ModelError(f"channel '{channel.name}' has capacity {channel.capacity}, not 0..255", channel.source)
    if channel.broadcast and channel.capacity:
        raise ModelError(f"broadcast channel '{channel.name}' cannot have a capacity", channel.source)
    if any(not is_scalar(kind) for kind in channel.fields):
        raise ModelError(f"channel '{channel.name}' has a field that is no scalar", channel.source)
    for kind in channel.fields:
        low, high = bounds(scalars(kind)[0])
        if not INT_MIN <= low <= high <= INT_MAX:
            raise ModelError(f"a field of channel '{channel.name}' has no valid range {low}..{high}", channel.source)


def check_size(network: Network) -> None:
    """Raises `ModelError` for states that are too large; each process that is there at the start counts."""
    kinds = [network.process_index.get(start.process) for start in network.initial]
    started = [network.processes[kind] for kind in kinds if kind is not None]
    variables = [*network.variables, *(v for process in started for v in (*process.parameters, *process.variables))]
    channels = [*network.channels, *(channel for process in started for channel in process.channels)]
    for variable in variables:
        if why := excess(f"variable '{variable.name}'", width(variable.type)):
            raise ModelError(why, variable.source, SMALLER)
    values = sum(width(variable.type) for variable in variables) + sum(map(_cells, channels))
    if why := excess("the model", values):
        raise ModelError(why, network.source, SMALLER)


def _cells(channel: Channel) -> int:
    """The length of each channel, and its messages."""
    return (channel.size or 1) * (1 + max(0, channel.capacity) * sum(map(width, channel.fields)))


def _check_limits(network: Network) -> None:
    if max(network.rules.max_processes, len(network.initial)) > 65535:
        raise ModelError("more than 65535 processes", network.source)
    if network.channel_count > CHANNEL_MAX and any(
        CHANNEL in scalars(v.type) for p in network.processes for v in (*p.parameters, *p.variables)
    ):
        raise ModelError(f"more than {CHANNEL_MAX} channels together with channel variables", network.source)


def _check_instances(network: Network) -> None:
    for start in network.initial:
        if start.process not in network.process_index:
            raise unknown_name("process", start.process, network.process_index)
        process = network.process(start.process)
        if len(start.arguments) != len(process.parameters):
            raise ModelError(
                f"'{start.name}' gets {len(start.arguments)} arguments, '{process.name}' takes"
                f" {len(process.parameters)}",
                process.source,
            )
        for value, parameter in zip(start.arguments, process.parameters, strict=True):
            if not is_scalar(parameter.type):
                raise ModelError(f"parameter '{parameter.name}' of '{process.name}' is no scalar", process.source)
            low, high = bounds(parameter.type)
            if not low <= value <= high:
                raise ModelError(f"argument {value} of '{start.name}' is outside {low}..{high}", process.source)


def _check_process(scope: Scope, process: Process) -> None:
    own = ProcessScope(process)
    _unique(f"locals of '{process.name}'", [variable.name for variable in own.declared], process.source)
    for variable in own.declared:
        _check_variable(variable)
    for parameter in process.parameters:
        if not is_scalar(parameter.type):
            raise ModelError(f"parameter '{parameter.name}' of '{process.name}' is no scalar", process.source)
    for channel in process.channels:
        _check_channel(channel)
    if not 0 <= process.initial < len(process.locations):
        raise ModelError(f"process '{process.name}' has no initial location", process.source)
    checker = _Checker(scope, own, source=process.source)
    checker.check(process.provided)
    for variable in process.variables:
        if variable.expression is not None:
            checker.check(variable.expression)
    for function in process.functions:
        checker.check_function(function)
    for edge in process.edges:
        _check_edge(scope, own, edge, watching=process is scope.network.monitor)


def _check_edge(scope: Scope, own: ProcessScope, edge: Edge, watching: bool) -> None:
    count = len(own.process.locations)
    if not (0 <= edge.source_location < count and 0 <= edge.target_location < count):
        raise ModelError(f"an edge of '{own.process.name}' leads nowhere", edge.source)
    checker = _Checker(scope, own, source=edge.source, watching=watching)
    if watching and (edge.sync is not None or not all(isinstance(s, (Assert, Print)) for s in edge.effect)):
        raise ModelError(f"the monitor '{own.process.name}' changes something", edge.source, "a monitor can only watch")
    checker.check(edge.guard)
    match edge.sync:
        case Send(channel, values, _):
            checker.check_channel(channel, len(values), sending=True)
            for value in values:
                checker.check(value)
        case Receive(channel, patterns, _, _):
            checker.check_channel(channel, len(patterns), sending=False)
            checker.check_patterns(patterns)
        case _:
            pass
    checker.check_statements(edge.effect)


class _Checker(Record):
    """Types and names of expressions and statements in one scope."""

    scope: Scope
    process: ProcessScope | None
    temporaries: dict[str, Type] = field(default_factory=dict)
    source: Source = Source()
    watching: bool = False  # a property or the monitor, which may ask what processes can do
    in_function: bool = False

    def fail(self, message: str, remedy: str = "", word: str = "") -> ModelError:
        return ModelError(message, self.source, remedy, word=word)

    def check(self, expression: Expression) -> None:
        """Checks that an expression has a scalar value."""
        match expression:
            case Ref() | Index() | Field():
                kind = self.place_type(expression)
                if not is_scalar(kind) and not isinstance(kind, ClockType):
                    root = root_of(expression)
                    remedy = f"say which element, as in {root}[0]" if isinstance(kind, ArrayType) else "say which field"
                    raise self.fail(f"'{root}' is used as a number but is of type {kind}", remedy, root)
            case Literal(value) if not INT_MIN <= value <= INT_MAX:
                raise self.fail("a number does not fit into 32 bits")
            case Quantified(name=name, body=body):
                if expression.high - expression.low >= MAX_RANGE:
                    raise self.fail(f"'{name}' runs over more than {MAX_RANGE} values", "make its range smaller", name)
                replace(self, temporaries={**self.temporaries, name: INT}).check(body)
            case Call():
                self.check_call(expression)
            case At() | Remote():
                self.check_remote(expression)
            case ChannelInfo(channel=channel):
                self.check_channel(channel)
            case Poll(channel, patterns, _):
                self.check_channel(channel)
                self.check_patterns(patterns)
            case Rate():
                raise self.fail("the rate of a clock can be given in an invariant only")
            case Builtin("pid") if self.process is None:
                raise self.fail("_pid has no meaning outside a process")
            case Builtin("enabled" | "deadlock" as name) if not self.watching:
                raise self.fail(f"'{name}' can be asked in properties only, not inside the model")
            case _:
                for child in children(expression):
                    self.check(child)

    def place_type(self, place: Place, root: Type | None = None) -> Type:
        """The type of what a place denotes; indices are checked on the way."""
        if isinstance(place, Ref):
            return root if root is not None else self.root_type(place.name)
        base = self.place_type(place.base, root)
        if isinstance(place, Index):
            self.check(place.index)
        try:
            return element_of(base, place)
        except ModelError as error:
            raise ModelError(error.message, self.source, error.remedy) from None

    def root_type(self, name: str) -> Type:
        if name in self.temporaries:
            return self.temporaries[name]
        if self.process is not None and name in self.process.slots:
            return self.process.slots[name].type
        if name in self.scope.slots:
            return self.scope.slots[name].type
        if name in self.scope.channels:
            size = self.scope.channels[name].size
            return CHANNEL if size is None else ArrayType(CHANNEL, size)
        if name in self.scope.constants:
            return INT
        error = unknown_name(
            "variable",
            name,
            [
                *self.temporaries,
                *(self.process.slots if self.process else ()),
                *self.scope.slots,
                *self.scope.channels,
            ],
        )
        raise ModelError(error.message, self.source, error.remedy)

    def check_channel(self, channel: Expression, count: int | None = None, sending: bool = False) -> None:
        """A channel used by an edge must be one, and a declared one gets as many values as it has fields."""
        self.check(channel)
        if not isinstance(channel, (Ref, Index)) or count is None:
            return
        declared = self.scope.channels.get(root_of(channel))
        known_here = self.process is not None and root_of(channel) in self.process.slots
        if declared is None or known_here:
            return
        if count > len(declared.fields) and not (sending and not declared.fields):
            raise self.fail(f"'{declared.name}' carries {len(declared.fields)} fields, not {count}")

    def check_patterns(self, patterns: tuple[Pattern, ...]) -> None:
        for pattern in patterns:
            if isinstance(pattern, Match):
                self.check(pattern.value)
            elif isinstance(pattern, Bind):
                self.check_written(pattern.place)
                self.check(pattern.place)

    def process_scope(self, process: ProcessRef) -> ProcessScope:
        network = self.scope.network
        if isinstance(process, Instance):
            if process.name not in network.instance_numbers:
                raise unknown_name("instance", process.name, network.instance_numbers)
            name = network.initial[network.instance_numbers[process.name]].process
        else:
            name = process.process
        if name not in network.process_index:
            raise unknown_name("process", name, network.process_index)
        return self.scope.processes[network.process_index[name]]

    def check_remote(self, expression: At | Remote) -> None:
        other = self.process_scope(expression.process)
        if isinstance(expression.process, Numbered) and expression.process.number is not None:
            self.check(expression.process.number)
        if isinstance(expression, At):
            if expression.location not in other.location_index:
                raise unknown_name("location or label", expression.location, other.location_index)
            return
        if isinstance(expression.place, Call):
            self.check_remote_call(expression.process, expression.place, other)
            return
        root = root_of(expression.place)
        if root not in other.slots:
            raise unknown_name(f"local of '{other.process.name}'", root, other.slots)
        kind = self.place_type(expression.place, other.slots[root].type)
        if not is_scalar(kind) and not isinstance(kind, ClockType):
            raise self.fail(f"'{root}' of '{other.process.name}' is used as a number but is not one")

    def check_remote_call(self, process: ProcessRef, call: Call, other: ProcessScope) -> None:
        if not isinstance(process, Instance):
            raise self.fail(f"'{call.function}' can be called of a named process only")
        if call.function not in other.functions:
            raise unknown_name(f"function of '{other.process.name}'", call.function, other.functions)
        self.check_arguments(other.functions[call.function], call)

    def find_function(self, name: str) -> Function:
        if self.process is not None and name in self.process.functions:
            return self.process.functions[name]
        if name not in self.scope.functions:
            raise unknown_name("function", name, self.scope.functions)
        return self.scope.functions[name]

    def check_call(self, call: Call) -> None:
        self.check_arguments(self.find_function(call.function), call)

    def check_arguments(self, function: Function, call: Call) -> None:
        if len(call.arguments) != len(function.parameters):
            raise self.fail(f"'{function.name}' takes {len(function.parameters)} arguments, not {len(call.arguments)}")
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            if not parameter.reference and is_scalar(parameter.type):
                self.check(argument)
                continue
            if not isinstance(argument, (Ref, Index, Field)):
                raise self.fail(f"argument '{parameter.name}' of '{function.name}' must be a variable")
            if width(self.place_type(argument)) != width(parameter.type):
                raise self.fail(f"argument '{parameter.name}' of '{function.name}' has another shape")

    def check_function(self, function: Function) -> None:
        parameters = {parameter.name: parameter.type for parameter in function.parameters}
        inner = _Checker(self.scope, self.process, parameters, function.source, in_function=True)
        inner.check_statements(function.body)

    def check_statements(self, statements: tuple[Statement, ...]) -> None:
        saved = dict(self.temporaries)
        for statement in statements:
            self.check_statement(statement)
        self.temporaries = saved

    def check_statement(self, statement: Statement) -> None:
        match statement:
            case Assign(target, value):
                self.check_assign(target, value)
            case Declare(name, kind, initial):
                if initial is not None:
                    self.check_value(initial, kind)
                self.temporaries[name] = kind
            case If(condition, then, otherwise):
                self.check(condition)
                self.check_statements(then)
                self.check_statements(otherwise)
            case While(condition, body):
                self.check(condition)
                self.check_statements(body)
            case For(name, body=body):
                if not statement.step or len(statement.values) > MAX_RANGE:
                    raise self.fail(f"'{name}' runs over more than {MAX_RANGE} values", "make its range smaller", name)
                replace(self, temporaries={**self.temporaries, name: INT}).check_statements(body)
            case Alias(name, place):
                self.temporaries[name] = self.place_type(place)
            case Do(call):
                self.check_call(call)
            case Return() if not self.in_function:
                raise self.fail("'return' outside a function")
            case Start():
                self.check_start(statement)
            case Reset(clock, value):
                if not isinstance(self.place_type(clock), ClockType):
                    raise self.fail(f"'{root_of(clock)}' is no clock")
                self.check(value)
            case _:
                for part in expressions(statement):
                    self.check(part)

    def check_assign(self, target: Place, value: Expression) -> None:
        self.check_written(target)
        self.check_value(value, self.place_type(target))

    def check_written(self, target: Place) -> None:
        root = root_of(target)
        local = root in self.temporaries or (self.process is not None and root in self.process.slots)
        if not local and root not in self.scope.slots:
            self.root_type(root)
            raise self.fail(f"'{root}' cannot be assigned to", "only variables can", root)

    def check_value(self, value: Expression, kind: Type) -> None:
        if is_scalar(kind):
            self.check(value)
        elif not isinstance(value, (Ref, Index, Field)) or width(self.place_type(value)) != width(kind):
            raise self.fail(f"a value of type {kind} can only be copied from a variable of that type")

    def check_start(self, statement: Start) -> None:
        network = self.scope.network
        if statement.process not in network.process_index:
            raise unknown_name("process", statement.process, network.process_index)
        wanted = len(network.process(statement.process).parameters)
        if len(statement.arguments) != wanted:
            raise self.fail(f"'{statement.process}' takes {wanted} arguments, not {len(statement.arguments)}")
        for argument in statement.arguments:
            self.check(argument)
        if statement.result is not None:
            self.check_written(statement.result)
            self.check(statement.result)


def _check_recursion(network: Network) -> None:
    """A function may call itself, but no other that calls it; what it is given by reference, it passes on."""
    functions = network.every_function
    calls = {f.name: _calls(f) for f in functions}
    state: dict[str, int] = {}

    def visit(name: str) -> None:
        state[name] = 1
        for other in {call.function for call in calls.get(name, ())} - {name}:
            if state.get(other) == 1:
                message = f"function '{name}' calls itself through '{other}'"
                raise ModelError(message, remedy="a function can call itself directly only")
            if other not in state:
                visit(other)
        state[name] = 2

    for function in functions:
        if function.name not in state:
            visit(function.name)
        for call in calls[function.name]:
            if call.function == function.name:
                _check_passed_on(function, call)


def _check_passed_on(function: Function, call: Call) -> None:
    for parameter, argument in zip(function.parameters, call.arguments, strict=True):
        if parameter.reference and argument != Ref(parameter.name):
            raise ModelError(
                f"'{function.name}' calls itself with another variable for '{parameter.name}'",
                function.source,
                "a function that calls itself passes on what it is given by reference",
            )


def _calls(function: Function) -> list[Call]:
    roots = [part for statement in nested(function.body) for part in expressions(statement)]
    return [part for root in roots for part in walk(root) if isinstance(part, Call)]
