"""The syntax tree of a Promela model, close to the text: what was written, before names are resolved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from beeline.model.source import Source
from beeline.records import Record, field

# Expressions


class Number(Record):
    """A constant; `text` is how it was written (``true``, ``'a'``, the name of an mtype member)."""

    value: int
    source: Source
    text: str = ""


class Reference(Record):
    """``name[index].field``. What the name stands for is filled in by the resolver."""

    name: str
    source: Source
    index: Expression | None = None
    field: Reference | None = None


class Unary(Record):
    """``- ~ !`` and, in formulas, ``[] <> X``."""

    operator: str
    operand: Expression
    source: Source


class Binary(Record):
    """Operators as written; in formulas also ``U V W -> <->``."""

    operator: str
    left: Expression
    right: Expression
    source: Source


class Conditional(Record):
    """``(condition -> then : otherwise)``."""

    condition: Expression
    then: Expression
    otherwise: Expression
    source: Source


class Run(Record):
    """``run process(arguments) priority n``."""

    process: str
    arguments: list[Expression]
    priority: int | None
    source: Source


class ChannelTest(Record):
    """``len empty nempty full nfull`` of a channel."""

    what: str
    channel: Reference
    source: Source


class Poll(Record):
    """``channel?[patterns]`` and ``channel??[patterns]``."""

    channel: Reference
    patterns: list[Pattern]
    anywhere: bool
    source: Source


class Builtin(Record):
    """``timeout np_ enabled(e) pc_value(e) get_priority(e)``."""

    name: str
    argument: Expression | None
    source: Source


class RemoteLabel(Record):
    """``process[pid]@label``."""

    process: str
    pid: Expression | None
    label: str
    source: Source


class RemoteVariable(Record):
    """``process[pid]:name[index]``."""

    process: str
    pid: Expression | None
    variable: Reference
    source: Source


Expression = (
    Number | Reference | Unary | Binary | Conditional | Run | ChannelTest | Poll | Builtin | RemoteLabel
    | RemoteVariable
)  # fmt: skip


class Eval(Record):
    """``eval(expression)`` in a receive: the field must have this value."""

    value: Expression
    source: Source


Pattern = Number | Reference | Eval

# Declarations


class ChannelInit(Record):
    """``[capacity] of { fields }``; a field is a type's name, with the mtype set after a colon."""

    capacity: Expression
    fields: list[str]
    source: Source


class Declarator(Record):
    """One name of a declaration. `size` is None unless it is an array."""

    name: str
    source: Source
    size: Expression | None = None
    bits: int | None = None
    initial: Expression | list[Expression] | ChannelInit | None = None


class Declaration(Record):
    """``visibility type names``. `at_start`: it stands before every statement and outside every inner block of its
    proctype, so that its initial values belong to the process's birth and are no steps of their own."""

    type: str
    declarators: list[Declarator]
    source: Source
    visibility: str | None = None
    mtype_set: str | None = None
    at_start: bool = True


class MtypeMembers(Record):
    """``mtype:name = { members }`` with the number of each member."""

    set: str | None
    members: dict[str, int]
    source: Source


class Typedef(Record):
    name: str
    fields: list[Declaration]
    source: Source


# Statements


class Assign(Record):
    target: Reference
    value: Expression
    source: Source


class Condition(Record):
    """An expression as a statement: waits until it is true. ``skip`` is one."""

    expression: Expression
    source: Source


class Send(Record):
    channel: Reference
    values: list[Expression]
    sorted: bool
    source: Source


class Receive(Record):
    channel: Reference
    patterns: list[Pattern]
    anywhere: bool
    keep: bool
    source: Source


class Assert(Record):
    condition: Expression
    source: Source


class Print(Record):
    """``printf`` and ``printm`` (then with the text ``%e``)."""

    text: str
    arguments: list[Expression]
    source: Source


class SetPriority(Record):
    process: Expression
    priority: Expression
    source: Source


class Else(Record):
    source: Source


class Goto(Record):
    label: str
    source: Source


class Break(Record):
    source: Source


class Choice(Record):
    """``if`` or, with `repeats`, ``do``."""

    options: list[list[Step]]
    repeats: bool
    source: Source


class For(Record):
    """``for (index : low .. high) { body }``."""

    index: Reference
    low: Expression
    high: Expression
    body: list[Step]
    source: Source


class ForIn(Record):
    """``for (index in array) { body }``, or with a record and a channel."""

    index: Reference
    over: Reference
    body: list[Step]
    source: Source


class Select(Record):
    """``select (index : low .. high)``. `listed`: SPIN writes this one out as one option for each value."""

    index: Reference
    low: Expression
    high: Expression
    source: Source
    listed: bool = False


class Block(Record):
    """``{ }``, ``atomic { }`` or ``d_step { }`` by `kind` (``plain``, ``atomic``, ``d_step``)."""

    kind: str
    body: list[Step]
    source: Source


class Unless(Record):
    body: Statement
    escape: Statement
    source: Source


class Labelled(Record):
    label: str
    statement: Statement
    source: Source


class Exclusive(Record):
    """``xr`` and ``xs`` assertions; they matter to partial-order reduction only."""

    kind: str
    channels: list[Reference]
    source: Source


Statement = (
    Assign | Condition | Send | Receive | Assert | Print | SetPriority | Else | Goto | Break | Choice | For | ForIn
    | Select | Block | Unless | Labelled
)  # fmt: skip
Step = Statement | Declaration | Exclusive

# Units


class Proctype(Record):
    """A proctype, or ``init`` under the name ``:init:``. `active` is how many start by themselves; None: none."""

    name: str
    parameters: list[Declaration]
    body: list[Step]
    source: Source
    active: Expression | None = None
    deterministic: bool = False
    priority: int | None = None
    provided: Expression | None = None


class Never(Record):
    name: str
    body: list[Step]
    source: Source


class Formula(Record):
    """An ``ltl`` block: its name, its text, and the formula."""

    name: str
    text: str
    formula: Expression
    source: Source


Unit = Declaration | MtypeMembers | Typedef | Proctype | Never


class Model(Record):
    """A whole model. `units` keeps the order in which everything but formulas was written."""

    file: str
    units: list[Unit] = field(default_factory=list)
    formulas: list[Formula] = field(default_factory=list)


def walk(node: Any) -> Iterator[Any]:
    """Every node of a syntax tree, parents first."""
    if isinstance(node, list):
        for part in node:
            yield from walk(part)
    elif isinstance(node, Record) and not isinstance(node, Source):
        yield node
        for label in node.__struct_fields__:
            value = getattr(node, label)
            if isinstance(value, list | Record):
                yield from walk(value)


def references(node: Any) -> Iterator[Reference]:
    """The variables of the own scope that a part of a syntax tree names; not the fields behind them."""
    if isinstance(node, Reference):
        yield node
        inner: Reference | None = node
        while inner is not None:
            yield from references(inner.index)
            inner = inner.field
    elif isinstance(node, RemoteVariable):
        yield from references(node.pid)
    elif isinstance(node, list):
        for part in node:
            yield from references(part)
    elif isinstance(node, Record) and not isinstance(node, Source):
        for label in node.__struct_fields__:
            yield from references(getattr(node, label))
