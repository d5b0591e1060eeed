"""The syntax tree of UPPAAL's language: what was written and where, before any name is looked up."""

from __future__ import annotations

from dataclasses import dataclass

from beeline.model.source import UNKNOWN, Source

# Expressions


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Boolean:
    value: bool
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Unary:
    """`operator` is one of ``- + !`` (the word `not` is written ``!`` here)."""

    operator: str
    operand: Expression
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Binary:
    """Arithmetic, comparison or logic; `and`, `or` are written ``&&``, ``||``; `xor` and `imply` stay words."""

    operator: str
    left: Expression
    right: Expression
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: Expression
    then: Expression
    otherwise: Expression
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Assign:
    """`operator` is ``=`` or ``+=`` and its like (``:=`` is written ``=``)."""

    operator: str
    target: Expression
    value: Expression
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Step:
    """``++`` or ``--`` before (`prefix`) or after its operand."""

    operator: str
    prefix: bool
    target: Expression
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Index:
    base: Expression
    index: Expression
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Member:
    """A field of a struct, or a location or variable of a process (in queries)."""

    base: Expression
    name: str
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Call:
    """A function call, or in queries one process of a set: ``Train(2)``."""

    function: Expression
    arguments: tuple[Expression, ...]
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Quantified:
    """`kind` is ``forall``, ``exists`` or ``sum``."""

    kind: str
    name: str
    domain: TypeExpression
    body: Expression
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Deadlock:
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Braces:
    """An initialiser ``{1, 2}`` or ``{x: 1, y: 2}``; a field name is empty where none is written."""

    parts: tuple[tuple[str, Expression], ...]
    source: Source = UNKNOWN


Expression = (
    Number
    | Boolean
    | Name
    | Unary
    | Binary
    | Conditional
    | Assign
    | Step
    | Index
    | Member
    | Call
    | Quantified
    | Deadlock
    | Braces
)

# Types and declarations


@dataclass(frozen=True, slots=True)
class TypeExpression:
    """A type as written. `base` is ``int bool clock chan scalar struct void`` or ``named``.

    `low` and `high` bound an ``int`` (both None without bounds); `high` is the size of a ``scalar``.
    `prefixes` holds of ``const meta urgent broadcast`` what was written.
    """

    base: str
    prefixes: frozenset[str] = frozenset()
    name: str = ""
    low: Expression | None = None
    high: Expression | None = None
    fields: tuple[Declarator, ...] = ()
    source: Source = UNKNOWN


Dimension = Expression | TypeExpression


@dataclass(frozen=True, slots=True)
class Declarator:
    """A declared name with its type, array dimensions (outermost first) and initial value."""

    kind: TypeExpression
    name: str
    dimensions: tuple[Dimension, ...] = ()
    value: Expression | None = None
    reference: bool = False
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Typedef:
    kind: TypeExpression
    name: str
    dimensions: tuple[Dimension, ...] = ()
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Function:
    result: TypeExpression
    name: str
    parameters: tuple[Declarator, ...]
    body: Block
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class ChannelPriority:
    """Levels from low to high; each a list of channel expressions, None standing for ``default``."""

    levels: tuple[tuple[Expression | None, ...], ...]
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Instantiation:
    """``name(parameters) = template(arguments)``."""

    name: str
    parameters: tuple[Declarator, ...]
    template: str
    arguments: tuple[Expression, ...]
    source: Source = UNKNOWN


# Statements


@dataclass(frozen=True, slots=True)
class Block:
    declarations: tuple[Declarator | Typedef, ...]
    statements: tuple[Statement, ...]
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression as a statement; several stand for a comma list."""

    expressions: tuple[Expression, ...]
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class If:
    condition: Expression
    then: Statement
    otherwise: Statement | None
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class While:
    """With `first` the body runs once before the first test (``do .. while``)."""

    condition: Expression
    body: Statement
    first: bool = False
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class For:
    start: tuple[Expression, ...]
    condition: Expression | None
    step: tuple[Expression, ...]
    body: Statement
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class ForEach:
    """``for (i : type) body``."""

    name: str
    domain: TypeExpression
    body: Statement
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Return:
    value: Expression | None
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Assert:
    condition: Expression
    source: Source = UNKNOWN


Statement = Block | Evaluate | If | While | For | ForEach | Return | Assert

# Templates and systems


@dataclass(frozen=True, slots=True)
class Location:
    """`key` identifies the location inside its template; `name` is empty where the file gives none."""

    key: str
    name: str
    invariant: Expression | None = None
    urgent: bool = False
    committed: bool = False
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Synchronisation:
    """``channel!`` or ``channel?``."""

    channel: Expression
    direction: str
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Edge:
    """`origin` and `target` are keys of locations. A place is kept for each of guard and update lists."""

    origin: str
    target: str
    select: tuple[tuple[str, TypeExpression], ...] = ()
    guard: Expression | None = None
    sync: Synchronisation | None = None
    updates: tuple[Expression, ...] = ()
    controllable: bool = True
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Template:
    name: str
    parameters: tuple[Declarator, ...]
    declarations: tuple[Declaration, ...]
    locations: tuple[Location, ...]
    initial: str
    edges: tuple[Edge, ...]
    source: Source = UNKNOWN


Declaration = Declarator | Typedef | Function | ChannelPriority | Instantiation | Template


@dataclass(frozen=True, slots=True)
class Query:
    """A query as written; `path` is ``E<> A[] E[] A<> -->`` and `then` the right side of ``-->``.

    A query of another kind has an empty `path` and says in `refusal` what it is.
    """

    text: str
    path: str
    formula: Expression | None
    then: Expression | None = None
    refusal: str = ""
    comment: str = ""
    source: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Document:
    """A whole file. `system` lists the composed processes with the priority of each (greater goes first).

    `notes` says what was read and set aside because it does not change the set of runs.
    """

    file: str
    declarations: tuple[Declaration, ...]
    system: tuple[tuple[str, int, Source], ...]
    queries: tuple[Query, ...] = ()
    notes: tuple[tuple[str, Source], ...] = ()
