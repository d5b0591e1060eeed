"""Statements of the IR: what an edge's effect does, in order, within one indivisible step."""

from __future__ import annotations

from collections.abc import Callable

from beeline.model.expressions import Call, Expression, Place
from beeline.model.source import UNKNOWN, Source
from beeline.model.types import Type
from beeline.records import Record, replace


class Assign(Record, frozen=True):
    """``target = value``. Whole arrays and records can be copied: the value is then a place of the same type."""

    target: Place
    value: Expression
    source: Source = UNKNOWN


class Declare(Record, frozen=True):
    """A temporary, alive to the end of the enclosing statement list; starts at `initial` or zero."""

    name: str
    type: Type
    initial: Expression | None = None
    source: Source = UNKNOWN


class If(Record, frozen=True):
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()
    source: Source = UNKNOWN


class While(Record, frozen=True):
    """Repeats `body` while `condition`; more than `LOOP_LIMIT` iterations in one guard or effect are an error."""

    condition: Expression
    body: tuple[Statement, ...]
    source: Source = UNKNOWN


LOOP_LIMIT = 100_000
CALL_LIMIT = 500
"""Calls of a function inside of itself."""


class For(Record, frozen=True):
    """`body` once for each of ``first``, ``first + step``, .. up to ``last``, which `name` stands for in it. All are
    constants: every value becomes code of its own."""

    name: str
    first: int
    last: int
    step: int
    body: tuple[Statement, ...]
    source: Source = UNKNOWN

    @property
    def values(self) -> range:
        return range(self.first, self.last + (1 if self.step > 0 else -1), self.step)


class Alias(Record, frozen=True):
    """Another name for a place, to the end of the enclosing statement list. Indices are evaluated now."""

    name: str
    place: Place
    source: Source = UNKNOWN


class Return(Record, frozen=True):
    """Leaves the function, with a value or without."""

    value: Expression | None = None
    source: Source = UNKNOWN


class Do(Record, frozen=True):
    """A function called for what it writes."""

    call: Call
    source: Source = UNKNOWN


class Assert(Record, frozen=True):
    """A violation with a trace if `condition` is false."""

    condition: Expression
    message: str = ""
    source: Source = UNKNOWN


class Assume(Record, frozen=True):
    """The step is not possible if `condition` is false here; where it `leaves` the states that are looked at, it still
    counts as one where somebody asks for deadlocks."""

    condition: Expression
    leaves: bool = False
    source: Source = UNKNOWN


class Cover(Record, frozen=True):
    """A place that some step should pass while `condition` holds; it does nothing unless that is asked."""

    name: str
    condition: Expression
    source: Source = UNKNOWN


class Start(Record, frozen=True):
    """Starts a process on the next free number and stores that number into `result`; a full table is an error."""

    process: str
    arguments: tuple[Expression, ...] = ()
    result: Place | None = None
    priority: Expression | None = None
    source: Source = UNKNOWN


class Terminate(Record, frozen=True):
    """Ends this process and gives up the channels made since its start. An edge with it is enabled only while its
    process has the highest number: processes die in the opposite order of their birth."""

    source: Source = UNKNOWN


class Print(Record, frozen=True):
    """Text for traces and simulation, with ``%d``-like places; no effect on the state."""

    text: str
    arguments: tuple[Expression, ...] = ()
    source: Source = UNKNOWN


class Reset(Record, frozen=True):
    """Sets a clock to a whole number."""

    clock: Place
    value: Expression
    source: Source = UNKNOWN


class SetPriority(Record, frozen=True):
    """Changes the priority of a process; nothing where the network's rules take no account of priorities."""

    process: Expression
    priority: Expression
    source: Source = UNKNOWN


Statement = (
    Assign | Declare | Alias | If | While | For | Return | Do | Assert | Assume | Cover | Start | Terminate | Print
    | Reset | SetPriority
)  # fmt: skip


def nested(statements: tuple[Statement, ...]) -> list[Statement]:
    """All statements, those inside branches and loops included."""
    found: list[Statement] = []
    for statement in statements:
        found.append(statement)
        match statement:
            case If(then=then, otherwise=otherwise):
                found.extend(nested(then) + nested(otherwise))
            case While(body=body) | For(body=body):
                found.extend(nested(body))
            case _:
                pass
    return found


def mapped(statements: tuple[Statement, ...], change: Callable[[Statement], Statement]) -> tuple[Statement, ...]:
    """The statements with each of them changed, those inside branches and loops first."""

    def one(statement: Statement) -> Statement:
        match statement:
            case If(then=then, otherwise=otherwise):
                return change(replace(statement, then=mapped(then, change), otherwise=mapped(otherwise, change)))
            case While(body=body) | For(body=body):
                return change(replace(statement, body=mapped(body, change)))
            case _:
                return change(statement)

    return tuple(map(one, statements))


def expressions(statement: Statement) -> list[Expression]:
    """The expressions directly in a statement: places written first, then what is read."""
    match statement:
        case Assign(target, value):
            return [target, value]
        case Declare(initial=initial):
            return [] if initial is None else [initial]
        case Alias(place=place):
            return [place]
        case (
            If(condition=condition)
            | While(condition=condition)
            | Assert(condition=condition)
            | Assume(condition=condition)
            | Cover(condition=condition)
        ):
            return [condition]
        case Return(value):
            return [] if value is None else [value]
        case Do(call):
            return [call]
        case Start(arguments=arguments, result=result, priority=priority):
            return [part for part in (result, *arguments, priority) if part is not None]
        case Print(arguments=arguments):
            return list(arguments)
        case Reset(clock, value):
            return [clock, value]
        case SetPriority(process, priority):
            return [process, priority]
        case _:
            return []
