"""The syntax tree of UPPAAL's language: what was written and where, before any name is looked up."""

from __future__ import annotations

from functools import cached_property

from beeline.model.source import UNKNOWN, Source
from beeline.records import Record

# Expressions


class Number(Record, frozen=True):
    value: int
    source: Source = UNKNOWN


class Decimal(Record, frozen=True):
    """A number of type double."""

    value: float
    source: Source = UNKNOWN


class Boolean(Record, frozen=True):
    value: bool
    source: Source = UNKNOWN


class Name(Record, frozen=True):
    name: str
    source: Source = UNKNOWN


class Unary(Record, frozen=True):
    """`operator` is one of ``- + !`` (the word `not` is written ``!`` here)."""

    operator: str
    operand: Expression
    source: Source = UNKNOWN


class Binary(Record, frozen=True):
    """Arithmetic, comparison or logic; `and`, `or` are written ``&&``, ``||``; `xor` and `imply` stay words."""

    operator: str
    left: Expression
    right: Expression
    source: Source = UNKNOWN


class Conditional(Record, frozen=True):
    condition: Expression
    then: Expression
    otherwise: Expression
    source: Source = UNKNOWN


class Assign(Record, frozen=True):
    """`operator` is ``=`` or ``+=`` and its like (``:=`` is written ``=``)."""

    operator: str
    target: Expression
    value: Expression
    source: Source = UNKNOWN


class Step(Record, frozen=True):
    """``++`` or ``--`` before (`prefix`) or after its operand."""

    operator: str
    prefix: bool
    target: Expression
    source: Source = UNKNOWN


class Index(Record, frozen=True):
    base: Expression
    index: Expression
    source: Source = UNKNOWN


class Member(Record, frozen=True):
    """A field of a struct, or a location or variable of a process (in queries)."""

    base: Expression
    name: str
    source: Source = UNKNOWN


class Call(Record, frozen=True):
    """A function call, or in queries one process of a set: ``Train(2)``."""

    function: Expression
    arguments: tuple[Expression, ...]
    source: Source = UNKNOWN


class Quantified(Record, frozen=True):
    """`kind` is ``forall``, ``exists`` or ``sum``."""

    kind: str
    name: str
    domain: TypeExpression
    body: Expression
    source: Source = UNKNOWN


class Rate(Record, frozen=True):
    """``clock'``, how fast a clock runs."""

    clock: Expression
    source: Source = UNKNOWN


class Deadlock(Record, frozen=True):
    source: Source = UNKNOWN


class Braces(Record, frozen=True):
    """An initialiser ``{1, 2}`` or ``{x: 1, y: 2}``; a field name is empty where none is written."""

    parts: tuple[tuple[str, Expression], ...]
    source: Source = UNKNOWN


Expression = (
    Number
    | Decimal
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
    | Rate
    | Deadlock
    | Braces
)

# Types and declarations


class TypeExpression(Record, frozen=True):
    """A type as written. `base` is ``int bool double clock chan scalar struct void string`` or ``named``.

    `low` and `high` bound an ``int`` (both None without bounds); `high` is the size of a ``scalar``.
    `prefixes` holds of ``const meta urgent broadcast hybrid`` what was written.
    """

    base: str
    prefixes: frozenset[str] = frozenset()
    name: str = ""
    low: Expression | None = None
    high: Expression | None = None
    fields: tuple[Declarator, ...] = ()
    source: Source = UNKNOWN


Dimension = Expression | TypeExpression


class Declarator(Record, frozen=True):
    """A declared name with its type, array dimensions (outermost first) and initial value."""

    kind: TypeExpression
    name: str
    dimensions: tuple[Dimension, ...] = ()
    value: Expression | None = None
    reference: bool = False
    source: Source = UNKNOWN


class Typedef(Record, frozen=True):
    kind: TypeExpression
    name: str
    dimensions: tuple[Dimension, ...] = ()
    source: Source = UNKNOWN


class Function(Record, frozen=True):
    result: TypeExpression
    name: str
    parameters: tuple[Declarator, ...]
    body: Block
    source: Source = UNKNOWN


class ChannelPriority(Record, frozen=True):
    """Levels from low to high; each a list of channel expressions, None standing for ``default``."""

    levels: tuple[tuple[Expression | None, ...], ...]
    source: Source = UNKNOWN


class Instantiation(Record, frozen=True):
    """``name(parameters) = template(arguments)``."""

    name: str
    parameters: tuple[Declarator, ...]
    template: str
    arguments: tuple[Expression, ...]
    source: Source = UNKNOWN


# Statements


class Block(Record, frozen=True):
    declarations: tuple[Declarator | Typedef, ...]
    statements: tuple[Statement, ...]
    source: Source = UNKNOWN


class Evaluate(Record, frozen=True):
    """An expression as a statement; several stand for a comma list."""

    expressions: tuple[Expression, ...]
    source: Source = UNKNOWN


class If(Record, frozen=True):
    condition: Expression
    then: Statement
    otherwise: Statement | None
    source: Source = UNKNOWN


class While(Record, frozen=True):
    """With `first` the body runs once before the first test (``do .. while``)."""

    condition: Expression
    body: Statement
    first: bool = False
    source: Source = UNKNOWN


class For(Record, frozen=True):
    start: tuple[Expression, ...]
    condition: Expression | None
    step: tuple[Expression, ...]
    body: Statement
    source: Source = UNKNOWN


class ForEach(Record, frozen=True):
    """``for (i : type) body``."""

    name: str
    domain: TypeExpression
    body: Statement
    source: Source = UNKNOWN


class Return(Record, frozen=True):
    value: Expression | None
    source: Source = UNKNOWN


class Assert(Record, frozen=True):
    condition: Expression
    source: Source = UNKNOWN


Statement = Block | Evaluate | If | While | For | ForEach | Return | Assert

# Templates and systems


class Location(Record, frozen=True):
    """`key` identifies the location inside its template; `name` is empty where the file gives none."""

    key: str
    name: str
    invariant: Expression | None = None
    urgent: bool = False
    committed: bool = False
    source: Source = UNKNOWN


class Synchronisation(Record, frozen=True):
    """``channel!`` or ``channel?``."""

    channel: Expression
    direction: str
    source: Source = UNKNOWN


class Edge(Record, frozen=True):
    """`origin` and `target` are keys of locations. A place is kept for each of guard and update lists.

    `weights` are those of the branches that it takes: whatever they are, if positive, it is possible.
    """

    origin: str
    target: str
    select: tuple[tuple[str, TypeExpression], ...] = ()
    guard: Expression | None = None
    sync: Synchronisation | None = None
    updates: tuple[Expression, ...] = ()
    weights: tuple[Expression, ...] = ()
    controllable: bool = True
    source: Source = UNKNOWN


class Template(Record, frozen=True, dict=True):
    name: str
    parameters: tuple[Declarator, ...]
    declarations: tuple[Declaration, ...]
    locations: tuple[Location, ...]
    initial: str
    edges: tuple[Edge, ...]
    source: Source = UNKNOWN
    refusal: str = ""  # what it has that goes beyond timed automata; then it has nothing else

    @cached_property
    def _names(self) -> dict[str, str]:
        return {place.key: place.name or place.key for place in self.locations}

    def between(self, edge: Edge) -> str:
        """The locations that an edge connects, for messages."""
        return f"{self._names[edge.origin]} -> {self._names[edge.target]}"


Declaration = Declarator | Typedef | Function | ChannelPriority | Instantiation | Template


class Query(Record, frozen=True):
    """A query as written; `path` is ``E<> A[] E[] A<> -->`` and `then` the right side of ``-->``, or it is ``sup``,
    ``inf`` or ``bounds`` of `values` in the states that satisfy `formula`.

    A query of another kind has an empty `path` and says in `refusal` what it is; one that cannot be read says in
    `mistake` why not, and `source` is where.
    """

    text: str
    path: str
    formula: Expression | None
    then: Expression | None = None
    values: tuple[Expression, ...] = ()
    refusal: str = ""
    mistake: str = ""
    comment: str = ""
    source: Source = UNKNOWN


class Document(Record, frozen=True):
    """A whole file. `system` lists the composed processes with the priority of each (greater goes first).

    `notes` says what was read and set aside because it does not change the set of runs.
    """

    file: str
    declarations: tuple[Declaration, ...]
    system: tuple[tuple[str, int, Source], ...]
    queries: tuple[Query, ...] = ()
    notes: tuple[tuple[str, Source], ...] = ()
