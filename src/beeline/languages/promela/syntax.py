"""The syntax tree of a Promela model, close to the text: what was written, before names are resolved."""

from __future__ import annotations

from dataclasses import dataclass, field

from beeline.model.source import Source

# Expressions


@dataclass(slots=True)
class Number:
    """A constant; `text` is how it was written (``true``, ``'a'``, the name of an mtype member)."""

    value: int
    source: Source
    text: str = ""


@dataclass(slots=True)
class Reference:
    """``name[index].field``. What the name stands for is filled in by the resolver."""

    name: str
    source: Source
    index: Expression | None = None
    field: Reference | None = None


@dataclass(slots=True)
class Unary:
    """``- ~ !`` and, in formulas, ``[] <> X``."""

    operator: str
    operand: Expression
    source: Source


@dataclass(slots=True)
class Binary:
    """Operators as written; in formulas also ``U V W -> <->``."""

    operator: str
    left: Expression
    right: Expression
    source: Source


@dataclass(slots=True)
class Conditional:
    """``(condition -> then : otherwise)``."""

    condition: Expression
    then: Expression
    otherwise: Expression
    source: Source


@dataclass(slots=True)
class Run:
    """``run process(arguments) priority n``."""

    process: str
    arguments: list[Expression]
    priority: int | None
    source: Source


@dataclass(slots=True)
class ChannelTest:
    """``len empty nempty full nfull`` of a channel."""

    what: str
    channel: Reference
    source: Source


@dataclass(slots=True)
class Poll:
    """``channel?[patterns]`` and ``channel??[patterns]``."""

    channel: Reference
    patterns: list[Pattern]
    anywhere: bool
    source: Source


@dataclass(slots=True)
class Builtin:
    """``timeout np_ enabled(e) pc_value(e) get_priority(e)``."""

    name: str
    argument: Expression | None
    source: Source


@dataclass(slots=True)
class RemoteLabel:
    """``process[pid]@label``."""

    process: str
    pid: Expression | None
    label: str
    source: Source


@dataclass(slots=True)
class RemoteVariable:
    """``process[pid]:name[index]``."""

    process: str
    pid: Expression | None
    variable: Reference
    source: Source


Expression = (
    Number | Reference | Unary | Binary | Conditional | Run | ChannelTest | Poll | Builtin | RemoteLabel
    | RemoteVariable
)  # fmt: skip


@dataclass(slots=True)
class Eval:
    """``eval(expression)`` in a receive: the field must have this value."""

    value: Expression
    source: Source


Pattern = Number | Reference | Eval

# Declarations


@dataclass(slots=True)
class ChannelInit:
    """``[capacity] of { fields }``; a field is a type's name, with the mtype set after a colon."""

    capacity: Expression
    fields: list[str]
    source: Source


@dataclass(slots=True)
class Declarator:
    """One name of a declaration. `size` is None unless it is an array."""

    name: str
    source: Source
    size: Expression | None = None
    bits: int | None = None
    initial: Expression | list[Expression] | ChannelInit | None = None


@dataclass(slots=True)
class Declaration:
    """``visibility type names``. `at_start`: it stands before every statement and outside every inner block of its
    proctype, so that its initial values belong to the process's birth and are no steps of their own."""

    type: str
    declarators: list[Declarator]
    source: Source
    visibility: str | None = None
    mtype_set: str | None = None
    at_start: bool = True


@dataclass(slots=True)
class MtypeMembers:
    """``mtype:name = { members }`` with the number of each member."""

    set: str | None
    members: dict[str, int]
    source: Source


@dataclass(slots=True)
class Typedef:
    name: str
    fields: list[Declaration]
    source: Source


# Statements


@dataclass(slots=True)
class Assign:
    target: Reference
    value: Expression
    source: Source


@dataclass(slots=True)
class Condition:
    """An expression as a statement: waits until it is true. ``skip`` is one."""

    expression: Expression
    source: Source


@dataclass(slots=True)
class Send:
    channel: Reference
    values: list[Expression]
    sorted: bool
    source: Source


@dataclass(slots=True)
class Receive:
    channel: Reference
    patterns: list[Pattern]
    anywhere: bool
    keep: bool
    source: Source


@dataclass(slots=True)
class Assert:
    condition: Expression
    source: Source


@dataclass(slots=True)
class Print:
    """``printf`` and ``printm`` (then with the text ``%e``)."""

    text: str
    arguments: list[Expression]
    source: Source


@dataclass(slots=True)
class SetPriority:
    process: Expression
    priority: Expression
    source: Source


@dataclass(slots=True)
class Else:
    source: Source


@dataclass(slots=True)
class Goto:
    label: str
    source: Source


@dataclass(slots=True)
class Break:
    source: Source


@dataclass(slots=True)
class Choice:
    """``if`` or, with `repeats`, ``do``."""

    options: list[list[Step]]
    repeats: bool
    source: Source


@dataclass(slots=True)
class For:
    """``for (index : low .. high) { body }``."""

    index: Reference
    low: Expression
    high: Expression
    body: list[Step]
    source: Source


@dataclass(slots=True)
class ForIn:
    """``for (index in array) { body }``, or with a record and a channel."""

    index: Reference
    over: Reference
    body: list[Step]
    source: Source


@dataclass(slots=True)
class Select:
    """``select (index : low .. high)``. `listed`: SPIN writes this one out as one option for each value."""

    index: Reference
    low: Expression
    high: Expression
    source: Source
    listed: bool = False


@dataclass(slots=True)
class Block:
    """``{ }``, ``atomic { }`` or ``d_step { }`` by `kind` (``plain``, ``atomic``, ``d_step``)."""

    kind: str
    body: list[Step]
    source: Source


@dataclass(slots=True)
class Unless:
    body: Statement
    escape: Statement
    source: Source


@dataclass(slots=True)
class Labelled:
    label: str
    statement: Statement
    source: Source


@dataclass(slots=True)
class Exclusive:
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


@dataclass(slots=True)
class Proctype:
    """A proctype, or ``init`` under the name ``:init:``. `active` is how many start by themselves; None: none."""

    name: str
    parameters: list[Declaration]
    body: list[Step]
    source: Source
    active: Expression | None = None
    deterministic: bool = False
    priority: int | None = None
    provided: Expression | None = None


@dataclass(slots=True)
class Never:
    name: str
    body: list[Step]
    source: Source


@dataclass(slots=True)
class Formula:
    """An ``ltl`` block: its name, its text, and the formula."""

    name: str
    text: str
    formula: Expression
    source: Source


Unit = Declaration | MtypeMembers | Typedef | Proctype | Never


@dataclass(slots=True)
class Model:
    """A whole model. `units` keeps the order in which everything but formulas was written."""

    file: str
    units: list[Unit] = field(default_factory=list)
    formulas: list[Formula] = field(default_factory=list)
