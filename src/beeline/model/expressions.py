"""Expressions of the IR: side-effect free, valued in 32-bit integers, with names resolved by scope.

A name is looked up among the temporaries of the running statement list, then the process's parameters and locals,
then the network's variables, channels, constants and enumeration members. Truth is "not zero". `&&`, `||`, `imply`
and `?:` evaluate only what they need, so that a guard can protect an index.
"""

from __future__ import annotations

from beeline.records import Record


class Literal(Record, frozen=True):
    """A constant."""

    value: int


class Ref(Record, frozen=True):
    """A variable, temporary, channel (its number), or enumeration member, by name."""

    name: str


class Index(Record, frozen=True):
    """``base[index]``; outside the bounds is a run-time error. On a channel array it yields the channel's number."""

    base: Place
    index: Expression


class Field(Record, frozen=True):
    """``base.name`` of a record."""

    base: Place
    name: str


class Unary(Record, frozen=True):
    """`operator` is one of ``- ! ~``."""

    operator: str
    operand: Expression


class Binary(Record, frozen=True):
    """`operator` is one of `BINARY_OPERATORS`. Division truncates towards zero, as in C; a shift's amount is taken
    modulo 32; ``>>`` keeps the sign. ``min`` and ``max`` are operators too."""

    operator: str
    left: Expression
    right: Expression


ARITHMETIC = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "min", "max")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
LOGIC = ("&&", "||", "imply")
BINARY_OPERATORS = ARITHMETIC + COMPARISONS + LOGIC


class Conditional(Record, frozen=True):
    """``condition ? then : otherwise``."""

    condition: Expression
    then: Expression
    otherwise: Expression


class Checked(Record, frozen=True):
    """The value of `operand`; if it is below `low` or above `high` (None: no such limit), an error of kind `problem`:
    ``range`` for a value that is to be stored, ``undefined`` for a variable that has none."""

    operand: Expression
    low: int | None
    high: int | None
    problem: str = "range"
    text: str = ""  # of the operand, as written


class Quantified(Record, frozen=True):
    """``forall``, ``exists`` or ``sum`` of `body` with `name` running over ``low .. high``, which are constants."""

    kind: str
    name: str
    low: int
    high: int
    body: Expression


class Call(Record, frozen=True):
    """A call of one of the network's functions. In a guard the function must not write outside itself."""

    function: str
    arguments: tuple[Expression, ...]


class ChannelInfo(Record, frozen=True):
    """`what` of a channel: ``len`` (messages in it), ``empty``, ``full``, ``nempty``, ``nfull`` or ``capacity``.

    A handshake channel is always empty and never full."""

    what: str
    channel: Expression


class Bind(Record, frozen=True):
    """Pattern: store the field into a place."""

    place: Place


class Match(Record, frozen=True):
    """Pattern: the field must equal a value."""

    value: Expression


class Skip(Record, frozen=True):
    """Pattern: any value, not stored."""


Pattern = Bind | Match | Skip


class Poll(Record, frozen=True):
    """Whether a receive with these patterns would be possible now: at the head, or anywhere if `anywhere`.
    `Bind` patterns match anything. Always false on a handshake channel."""

    channel: Expression
    patterns: tuple[Pattern, ...]
    anywhere: bool = False


class Instance(Record, frozen=True):
    """A process by the name of an initial instance, such as ``philosopher[2]`` or ``Gate``."""

    name: str


class Numbered(Record, frozen=True):
    """A process by its number (Promela's ``P[pid]``); the process must be a `process` or the step fails.

    With `number` None: the only live instance of that process."""

    process: str
    number: Expression | None


ProcessRef = Instance | Numbered


class At(Record, frozen=True):
    """Whether a process is alive and at a location with this name or label."""

    process: ProcessRef
    location: str


class Remote(Record, frozen=True):
    """A local variable of another process; `place` is resolved in that process's scope, indices in the reader's.

    Or what a function of a named process returns that writes nothing; its arguments are the reader's, too."""

    process: ProcessRef
    place: Place | Call


class Rate(Record, frozen=True):
    """``clock'``: how fast a clock runs, 0 or 1. Only invariants say so, as ``clock' == value``."""

    clock: Place


class Builtin(Record, frozen=True):
    """A value that the network keeps by itself; see `BUILTINS`."""

    name: str
    argument: Expression | None = None


BUILTINS = {
    "pid": "number of the process that evaluates it",
    "processes": "how many processes are alive",
    "last": "number of the process that moved last (0 at the start)",
    "timeout": "no step that does not itself depend on timeout is possible in the whole network",
    "nonprogress": "no process is at a location marked progress",
    "enabled": "whether process `argument` can move",
    "location": "index of the current location of process `argument`",
    "priority": "current priority of process `argument`",
    "deadlock": "no step is possible and the state is not a valid end; in properties only",
}

Expression = (
    Literal | Ref | Index | Field | Unary | Binary | Conditional | Checked | Quantified | Call | ChannelInfo | Poll
    | At | Remote | Rate | Builtin
)  # fmt: skip
Place = Ref | Index | Field

TRUE = Literal(1)
FALSE = Literal(0)

LONGEST_CHAIN = 64


def conjunction(parts: list[Expression]) -> Expression:
    """All of `parts`; `TRUE` for none. Many become a tree, so that it is not nested deeply."""
    if len(parts) > LONGEST_CHAIN:
        half = len(parts) // 2
        return Binary("&&", conjunction(parts[:half]), conjunction(parts[half:]))
    result: Expression | None = None
    for part in parts:
        result = part if result is None else Binary("&&", result, part)
    return TRUE if result is None else result


def conjuncts(expression: Expression) -> list[Expression]:
    """The parts of a nested conjunction, left to right; none for `TRUE`."""
    found: list[Expression] = []
    waiting = [expression]  # not by recursion: conjunctions may be long
    while waiting:
        part = waiting.pop()
        if isinstance(part, Binary) and part.operator == "&&":
            waiting += (part.right, part.left)
        elif part != TRUE:
            found.append(part)
    return found


def negate(expression: Expression) -> Expression:
    return Unary("!", expression)


def children(expression: Expression) -> list[Expression]:
    """Direct sub-expressions, the process references' and patterns' included."""
    match expression:  # the most frequent first
        case Literal() | Ref():
            return []
        case Binary(_, left, right):
            return [left, right]
        case Index(base, index):
            return [base, index]
        case Unary(_, operand) | Checked(operand):
            return [operand]
        case Field(base, _):
            return [base]
        case Conditional(condition, then, otherwise):
            return [condition, then, otherwise]
        case Quantified(body=body):
            return [body]
        case Call(_, arguments):
            return list(arguments)
        case ChannelInfo(_, channel):
            return [channel]
        case Poll(channel, patterns, _):
            return [channel, *pattern_parts(patterns)]
        case At(process, _):
            return _process_parts(process)
        case Remote(process, place):
            return [*_process_parts(process), *children(place)]
        case Rate(clock):
            return [clock]
        case Builtin(_, argument):
            return [] if argument is None else [argument]
        case _:
            return []


def pattern_parts(patterns: tuple[Pattern, ...]) -> list[Expression]:
    """The expressions inside patterns."""
    parts: list[Expression] = []
    for pattern in patterns:
        if isinstance(pattern, Match):
            parts.append(pattern.value)
        elif isinstance(pattern, Bind):
            parts.append(pattern.place)
    return parts


def _process_parts(process: ProcessRef) -> list[Expression]:
    return [process.number] if isinstance(process, Numbered) and process.number is not None else []


def walk(expression: Expression) -> list[Expression]:
    """The expression and everything below it, parents first."""
    found: list[Expression] = []
    waiting = [expression]
    while waiting:
        found.append(waiting.pop())
        waiting.extend(reversed(children(found[-1])))
    return found
