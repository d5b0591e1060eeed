"""Evaluation of expressions and statements on a state: the lower half of the reference interpreter."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

from beeline.model.expressions import (
    At,
    Binary,
    Bind,
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
)
from beeline.model.network import Channel, Function
from beeline.model.scope import Scope, Slot, element_of, initial_values, show
from beeline.model.source import UNKNOWN, Source
from beeline.model.state import Draft, Message, OpenProcess, ProcessState
from beeline.model.statements import (
    CALL_LIMIT,
    LOOP_LIMIT,
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
from beeline.model.types import (
    CHANNEL,
    ArrayType,
    ClockType,
    RecordType,
    ScalarType,
    Type,
    bounds,
    first_value,
    is_scalar,
    scalars,
    store_value,
    values,
    width,
    wrap32,
)
from beeline.records import Record, field


class StepError(Exception):
    """A run-time error or failed assertion during a step: a violation with a trace, not a mistake of ours.

    `kind` is one of ``assertion index range division channel processes blocked loop undefined``, or one of
    `LEFT_OUT` for a step that an assumption rules out."""

    def __init__(self, kind: str, message: str, source: Source = UNKNOWN) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.source = source


ASSUMED, OUTSIDE = LEFT_OUT = ("assumption", "outside")
"""Steps that are not possible, and steps to states that are not looked at: see `Assume`."""

DEEPEST = 100_000  # calls of Python's own, where functions of a network call themselves as often as they may


class Cells(Record, frozen=True):
    """A resolved place: `offset` into a list of scalars, and the type found there."""

    values: Sequence[int]  # a list where it may be written
    offset: int
    type: Type


class Returned(Exception):
    """Unwinds a function's body to its call."""

    def __init__(self, value: int) -> None:
        super().__init__()
        self.value = value


class Context(Record):
    """Where an expression is evaluated: a draft of the state, the process that asks, and its temporaries."""

    scope: Scope
    draft: Draft
    pid: int  # -1 for properties
    timeout: bool = False
    temporaries: dict[str, Cells] = field(default_factory=dict)
    output: list[str] = field(default_factory=list)
    enabled: Callable[[int], bool] = lambda pid: False
    deadlocked: Callable[[], bool] = lambda: False
    budget: int = LOOP_LIMIT  # iterations left
    sees_locals: bool = True  # not inside a function of the network
    calling: tuple[Function, ...] = ()  # functions that are being called, the innermost last

    def fresh(self) -> Context:
        """This context with a full budget: each guard, message and effect has its own."""
        self.budget = LOOP_LIMIT
        return self

    def kind_of(self, number: int) -> Channel:
        """The declaration behind a channel's number."""
        fixed = self.scope.channel_kinds
        if 1 <= number <= len(fixed):
            return fixed[number - 1]
        position = len(fixed)
        for process in self.draft.processes:
            for channel in self.scope.processes[process.kind].process.channels:
                position += channel.size or 1
                if 1 <= number <= position:
                    return channel
        raise StepError("channel", "use of a channel that was never set up" if number == 0 else f"no channel {number}")


ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": lambda a, b: a << (b & 31),
    ">>": lambda a, b: a >> (b & 31),
    "min": min,
    "max": max,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def evaluate(expression: Expression, context: Context) -> int:
    """The value of an expression, a 32-bit integer; raises `StepError` where it has none."""
    match expression:
        case Literal(value):
            return value
        case Ref() | Index() | Field():
            return _read(expression, context)
        case Binary():
            return _binary(expression, context)
        case Unary("!", operand):
            return int(not evaluate(operand, context))
        case Unary(sign, operand):
            value = evaluate(operand, context)
            return wrap32(-value if sign == "-" else ~value)
        case Conditional(condition, then, otherwise):
            return evaluate(then if evaluate(condition, context) else otherwise, context)
        case Checked():
            return _checked(expression, context)
        case Quantified():
            return _quantified(expression, context)
        case Call():
            return _call(expression, context)
        case ChannelInfo(what, channel):
            return _channel_info(what, evaluate(channel, context), context)
        case Poll(channel, patterns, anywhere):
            number = evaluate(channel, context)
            if context.kind_of(number).capacity == 0:
                raise StepError("channel", "a channel for handshakes cannot be polled")
            return int(find_message(context.draft.channels[number - 1], patterns, anywhere, context) is not None)
        case At(process, location):
            return _at(process, location, context)
        case Remote(process, place):
            return _remote(process, place, context)
        case Rate():
            raise TypeError("a clock's rate has no value outside an invariant")
        case Builtin():
            return _builtin(expression, context)


def _binary(expression: Binary, context: Context) -> int:
    symbol = expression.operator
    left = evaluate(expression.left, context)
    if symbol == "&&":
        return int(left != 0 and evaluate(expression.right, context) != 0)
    if symbol == "||":
        return int(left != 0 or evaluate(expression.right, context) != 0)
    if symbol == "imply":
        return int(left == 0 or evaluate(expression.right, context) != 0)
    right = evaluate(expression.right, context)
    if symbol in "/%":
        if right == 0:
            raise StepError("division", "division by zero")
        quotient = abs(left) // abs(right)
        quotient = quotient if (left < 0) == (right < 0) else -quotient
        return wrap32(quotient if symbol == "/" else left - quotient * right)
    return wrap32(ARITHMETIC[symbol](left, right))


def _checked(expression: Checked, context: Context) -> int:
    value = evaluate(expression.operand, context)
    low, high = expression.low, expression.high
    if (low is None or low <= value) and (high is None or value <= high):
        return value
    if expression.problem == "undefined":
        raise StepError("undefined", f"'{expression.text or show(expression.operand)}' has no value")
    raise StepError(expression.problem, f"value {value} outside {low}..{high}")


def _quantified(expression: Quantified, context: Context) -> int:
    saved = context.temporaries.get(expression.name)
    total, results = 0, []
    try:
        for value in range(expression.low, expression.high + 1):
            context.temporaries[expression.name] = Cells([value], 0, CHANNEL)
            result = evaluate(expression.body, context)
            if expression.kind == "sum":
                total = wrap32(total + result)
                continue
            results.append(result != 0)
            if results[-1] == (expression.kind == "exists"):
                break
    finally:
        _restore(context, expression.name, saved)
    if expression.kind == "sum":
        return total
    return int(any(results) if expression.kind == "exists" else all(results))


def _restore(context: Context, name: str, saved: Cells | None) -> None:
    if saved is None:
        context.temporaries.pop(name, None)
    else:
        context.temporaries[name] = saved


def _channel_info(what: str, number: int, context: Context) -> int:
    capacity = context.kind_of(number).capacity
    length = len(context.draft.channels[number - 1])
    full = capacity > 0 and length >= capacity
    return int(
        {
            "len": length,
            "capacity": capacity,
            "empty": length == 0,
            "nempty": length > 0,
            "full": full,
            "nfull": not full,
        }[what]
    )


def find_message(
    messages: Sequence[Message], patterns: tuple[Pattern, ...], anywhere: bool, context: Context
) -> int | None:
    """Position of the message that a receive would take. The values asked for are evaluated if there is any message."""
    if not messages:
        return None
    wanted = wanted_values(patterns, context)
    looked_at = messages if anywhere else messages[:1]
    return next((position for position, message in enumerate(looked_at) if matches(message, wanted)), None)


def wanted_values(patterns: tuple[Pattern, ...], context: Context) -> list[int | None]:
    """What each field must equal; None where anything will do."""
    return [evaluate(pattern.value, context) if isinstance(pattern, Match) else None for pattern in patterns]


def matches(message: Message, wanted: Sequence[int | None]) -> bool:
    """Whether all values asked for are there; a message and a pattern list need not have the same length."""
    return all(want is None or want == value for value, want in zip(message, wanted, strict=False))


def _process_number(process: ProcessRef, context: Context) -> int | None:
    """The number of the process meant, if it is alive and of the kind asked for."""
    draft, network = context.draft, context.scope.network
    if isinstance(process, Instance):
        number = network.instance_numbers[process.name]
        kind = network.process_index[network.initial[number].process]
    elif process.number is not None:
        number, kind = evaluate(process.number, context), network.process_index[process.process]
    else:
        kind = network.process_index[process.process]
        number = next((pid for pid, found in enumerate(draft.processes) if found.kind == kind), -1)
    alive = 0 <= number < len(draft.processes) and draft.processes[number].kind == kind
    return number if alive else None


def _at(process: ProcessRef, location: str, context: Context) -> int:
    number = _process_number(process, context)
    if number is None:
        return 0
    found = context.draft.processes[number]
    return int(found.location in context.scope.processes[found.kind].location_index[location])


def _remote(process: ProcessRef, place: Place | Call, context: Context) -> int:
    """Another process's local, or the value of its function; reads as zero while there is no such process."""
    number = _process_number(process, context)
    if number is None:
        return 0
    if isinstance(place, Call):
        return _call(place, context, number)
    cells = resolve(place, context, owner=number, reading=True)
    return cells.values[cells.offset]


def _builtin(expression: Builtin, context: Context) -> int:
    draft = context.draft
    argument = evaluate(expression.argument, context) if expression.argument is not None else 0
    match expression.name:
        case "pid":
            return context.pid
        case "processes":  # a monitor is one of them, as in SPIN
            return len(draft.processes) + context.scope.network.watchers
        case "last":
            return draft.last
        case "timeout":
            return int(context.timeout)
        case "nonprogress":
            return int(not any(_progress(process, context) for process in draft.processes))
        case "enabled":
            return int(context.enabled(argument))
        case "deadlock":
            return int(context.deadlocked())
        case "location":
            return draft.processes[argument].location if 0 <= argument < len(draft.processes) else 0
        case "priority":
            return draft.processes[argument].priority if 0 <= argument < len(draft.processes) else 0
        case name:
            raise AssertionError(f"unknown builtin {name}")


def _progress(process: ProcessState | OpenProcess, context: Context) -> bool:
    return context.scope.network.processes[process.kind].locations[process.location].progress


# Places


def resolve(place: Place, context: Context, owner: int | None = None, reading: bool = False) -> Cells:
    """The cells behind a place. With `owner`, its root is a local of that process and indices are the reader's. When
    `reading`, the cells are not to be written."""
    if isinstance(place, Ref):
        return _root(place.name, context, owner, reading)
    base = resolve(place.base, context, owner, reading)
    if isinstance(place, Field):
        assert isinstance(base.type, RecordType)
        offset = base.offset
        for name, kind in base.type.fields:
            if name == place.name:
                break
            offset += width(kind)
        return Cells(base.values, offset, element_of(base.type, place))
    index = evaluate(place.index, context)
    assert isinstance(base.type, ArrayType)
    if not 0 <= index < base.type.size:
        first = values(base.type.index)[0] if base.type.index is not None else 0
        raise StepError("index", f"index {first + index} outside {first}..{first + base.type.size - 1}")
    return Cells(base.values, base.offset + index * width(base.type.element), base.type.element)


def _root(name: str, context: Context, owner: int | None, reading: bool) -> Cells:
    if owner is None and name in context.temporaries:
        return context.temporaries[name]
    pid, draft = context.pid if owner is None else owner, context.draft
    if 0 <= pid < len(draft.processes) and (context.sees_locals or owner is not None):
        slot = context.scope.processes[draft.processes[pid].kind].slots.get(name)
        if slot is not None:
            process = draft.processes[pid] if reading else draft.open_process(pid)
            return Cells(process.locals, slot.offset, slot.type)
    slot = context.scope.slots.get(name)
    if slot is not None:
        return Cells(draft.variables if reading else draft.open_variables(), slot.offset, slot.type)
    return _constant_root(name, context)


def _constant_root(name: str, context: Context) -> Cells:
    channel = context.scope.channels.get(name)
    if channel is None:
        return Cells([context.scope.constants[name]], 0, CHANNEL)
    numbers = context.scope.numbers_of_channels[name]
    return Cells(numbers, 0, CHANNEL if channel.size is None else ArrayType(CHANNEL, channel.size))


def _read(place: Place, context: Context) -> int:
    cells = resolve(place, context, reading=True)
    return cells.values[cells.offset]


def write(place: Place, value: int, context: Context) -> None:
    """Stores a value into a scalar place under its type's overflow policy."""
    store(resolve(place, context), value)


def store(cells: Cells, value: int) -> None:
    """Stores a value into resolved cells of a scalar type."""
    assert is_scalar(cells.type)
    kind: ScalarType = cells.type
    stored = store_value(kind, value)
    if stored is None:
        low, high = bounds(kind)
        raise StepError("range", f"value {value} outside {low}..{high}")
    _list_of(cells)[cells.offset] = stored


def _list_of(cells: Cells) -> list[int]:
    assert isinstance(cells.values, list)
    return cells.values


# Statements


def execute(statements: Sequence[Statement], context: Context) -> None:
    """Runs statements in order on the context's draft."""
    saved = dict(context.temporaries)
    for statement in statements:
        try:
            _execute_one(statement, context)
        except StepError as error:
            if error.source == UNKNOWN:
                error.source = statement.source
            raise
    for name in context.temporaries.keys() - saved.keys():
        del context.temporaries[name]
    context.temporaries.update(saved)


def _execute_one(statement: Statement, context: Context) -> None:
    match statement:
        case Assign(target, value):
            _assign(resolve(target, context), value, context)
        case Declare(name, kind, initial):
            _declare(name, kind, initial, context)
        case If(condition, then, otherwise):
            execute(then if evaluate(condition, context) else otherwise, context)
        case While(condition, body):
            while evaluate(condition, context):
                context.budget -= 1
                if context.budget < 0:
                    raise StepError("loop", f"more than {LOOP_LIMIT} iterations in one guard or effect")
                execute(body, context)
        case For(name, body=body):
            _repeat(name, statement.values, body, context)
        case Alias(name, place):
            context.temporaries[name] = resolve(place, context)
        case Return(value):
            raise Returned(evaluate(value, context) if value is not None else 0)
        case Do(call):
            _call(call, context)
        case Assert(condition, message):
            if not evaluate(condition, context):
                raise StepError("assertion", message or "assertion violated")
        case Assume(condition, leaves):
            if not evaluate(condition, context):
                raise StepError(OUTSIDE if leaves else ASSUMED, "an assumption does not hold")
        case Cover(condition=condition):
            evaluate(condition, context)  # whether it is met is a question of its own, errors in it are not
        case Start():
            _start(statement, context)
        case Terminate() | Reset():
            pass  # done by the step itself: the process goes after its last effect, clocks belong to timed steps
        case Print(text, arguments):
            context.output.append(format_text(text, [evaluate(part, context) for part in arguments]))
        case SetPriority(process, priority):
            pid, wanted = evaluate(process, context), evaluate(priority, context)
            if context.scope.network.rules.priorities and 0 <= pid < len(context.draft.processes):
                context.draft.open_process(pid).priority = min(max(0, wanted), 255)


def _repeat(name: str, values: Sequence[int], body: Sequence[Statement], context: Context) -> None:
    saved = context.temporaries.get(name)
    for value in values:
        context.temporaries[name] = Cells([value], 0, CHANNEL)
        execute(body, context)
    _restore(context, name, saved)


def _assign(cells: Cells, value: Expression, context: Context) -> None:
    """Stores a value, or copies a whole array or record, scalar by scalar."""
    if is_scalar(cells.type):
        store(cells, evaluate(value, context))
        return
    assert isinstance(value, (Ref, Index, Field))
    copied = resolve(value, context, reading=True)
    count = width(cells.type)
    kinds = scalars(cells.type)
    incoming = copied.values[copied.offset : copied.offset + count]
    for position in range(count):
        stored = store_value(kinds[position], incoming[position])
        if stored is None:
            raise StepError("range", f"value {incoming[position]} outside the range of {kinds[position]}")
        _list_of(cells)[cells.offset + position] = stored


def _declare(name: str, kind: Type, initial: Expression | None, context: Context) -> None:
    assert not isinstance(kind, ClockType)
    cells = Cells(_default(kind), 0, kind)
    if initial is not None:
        _assign(cells, initial, context)
    context.temporaries[name] = cells


def _default(kind: Type) -> list[int]:
    """Zero, or the nearest value that the type has."""
    return [first_value(leaf) for leaf in scalars(kind)]


def _call(call: Call, context: Context, owner: int | None = None) -> int:
    """The value of a function of the process that asks, or of process `owner`."""
    if owner is None:
        function, owner = _function(call.function, context), context.pid
    else:
        function = context.scope.processes[context.draft.processes[owner].kind].functions[call.function]
    outer, saw_locals, asking, calling = context.temporaries, context.sees_locals, context.pid, context.calling
    python_calls = sys.getrecursionlimit()
    if any(active is function for active in calling):
        _count_call(function, context)
        sys.setrecursionlimit(max(python_calls, DEEPEST))
    context.calling = (*calling, function)
    context.temporaries = _arguments(function, call, context)
    context.sees_locals = context.scope.functions.get(function.name) is not function
    context.pid = owner
    value = 0
    try:
        execute(function.body, context)
    except Returned as returned:
        value = returned.value
    finally:
        context.temporaries, context.sees_locals, context.pid = outer, saw_locals, asking
        context.calling = calling
        sys.setrecursionlimit(python_calls)
    return value


def _count_call(function: Function, context: Context) -> None:
    """A call of a function inside of itself counts as one more round of a loop, and there may not be too many."""
    context.budget -= 1
    different = {id(active) for active in context.calling}
    if context.budget < 0 or len(context.calling) - len(different) >= CALL_LIMIT:
        raise StepError("loop", f"'{function.name}' calls itself too often")


def _function(name: str, context: Context) -> Function:
    if 0 <= context.pid < len(context.draft.processes) and context.sees_locals:
        own = context.scope.processes[context.draft.processes[context.pid].kind].functions.get(name)
        if own is not None:
            return own
    return context.scope.functions[name]


def _arguments(function: Function, call: Call, context: Context) -> dict[str, Cells]:
    inner: dict[str, Cells] = {}
    for parameter, argument in zip(function.parameters, call.arguments, strict=True):
        if parameter.reference:
            assert isinstance(argument, (Ref, Index, Field))
            inner[parameter.name] = resolve(argument, context)
            continue
        inner[parameter.name] = Cells(_default(parameter.type), 0, parameter.type)
        _assign(inner[parameter.name], argument, context)
    return inner


def _start(statement: Start, context: Context) -> None:
    arguments = [evaluate(argument, context) for argument in statement.arguments]
    priority = min(max(0, evaluate(statement.priority, context)), 255) if statement.priority is not None else 0
    pid = start_process(context.scope, context.draft, statement.process, arguments, priority)
    if statement.result is not None:
        write(statement.result, pid, context)


def start_process(scope: Scope, draft: Draft, name: str, arguments: Sequence[int], priority: int) -> int:
    """Adds a process with its channels and locals to the draft and returns its number."""
    network = scope.network
    limit = max(network.rules.max_processes, len(network.initial))
    if len(draft.processes) >= limit:
        raise StepError("processes", f"more than {limit} processes at once")
    kind = network.process_index[name]
    own = scope.processes[kind]
    values = [value for variable in own.declared for value in initial_values(variable)]
    made = OpenProcess(kind, own.process.initial, values, priority if network.rules.priorities else 0)
    pid = draft.add_process(made)
    context = Context(scope, draft, pid)
    for variable, value in zip(own.process.parameters, arguments, strict=True):
        write(Ref(variable.name), value, context)
    _make_channels(own.slots, own.process.channels, draft, made)
    for variable in own.process.variables:
        if variable.expression is not None:
            write(Ref(variable.name), evaluate(variable.expression, context), context)
    return pid


def _make_channels(slots: Mapping[str, Slot], channels: tuple[Channel, ...], draft: Draft, owner: OpenProcess) -> None:
    for channel in channels:
        for position in range(channel.size or 1):
            owner.locals[slots[channel.name].offset + position] = draft.add_channel()


def format_text(text: str, values: list[int]) -> str:
    """`text` with its ``%d %i %u %c %x %o %e`` places filled in order.

    >>> format_text("x is %d%%", [3])
    'x is 3%'
    """
    parts: list[str] = []
    remaining = iter(values)
    position = 0
    while position < len(text):
        character = text[position]
        if character == "%" and position + 1 < len(text):
            letter = text[position + 1]
            position += 2
            parts.append(_format_one(letter, remaining))
        else:
            parts.append(character)
            position += 1
    return "".join(parts)


def _format_one(letter: str, values: Iterator[int]) -> str:
    if letter == "%":
        return "%"
    value = next(values, 0)
    return {
        "c": lambda v: chr(v & 255),
        "x": lambda v: format(v & 0xFFFFFFFF, "x"),
        "o": lambda v: format(v, "o"),
    }.get(letter, str)(value)


def bind(patterns: tuple[Pattern, ...], message: Message, context: Context) -> None:
    """Stores the received fields, left to right."""
    for pattern, value in zip(patterns, message, strict=False):
        if isinstance(pattern, Bind):
            write(pattern.place, value, context)
