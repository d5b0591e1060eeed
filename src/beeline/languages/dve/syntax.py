"""The syntax tree of a DVE model, as written: names unresolved, every node with its place in the source."""

from __future__ import annotations

from beeline.model.source import UNKNOWN, Source
from beeline.records import Record


class Number(Record, frozen=True):
    """A literal; `true` and `false` are 1 and 0."""

    value: int
    at: Source = UNKNOWN


class Reference(Record, frozen=True):
    """``name``, ``name[index]``, or the same of another process: ``process->name``."""

    name: str
    index: Expression | None = None
    process: str | None = None
    at: Source = UNKNOWN


class InState(Record, frozen=True):
    """``process.state``: 1 while that process is in that state."""

    process: str
    state: str
    at: Source = UNKNOWN


class Unary(Record, frozen=True):
    """`operator` is one of ``- ~ not``."""

    operator: str
    operand: Expression
    at: Source = UNKNOWN


class Binary(Record, frozen=True):
    """`operator` is one of ``imply or and | ^ & == != < <= > >= << >> + - * / %``."""

    operator: str
    left: Expression
    right: Expression
    at: Source = UNKNOWN


Expression = Number | Reference | InState | Unary | Binary


class Variable(Record, frozen=True):
    """One declared variable; `size` is None for a scalar, `initial` None where nothing was written."""

    name: str
    kind: str  # "byte" or "int"
    size: int | None
    initial: tuple[Expression, ...] | None
    constant: bool
    at: Source


class Channel(Record, frozen=True):
    """`fields` is None for an untyped channel; `capacity` 0 means a handshake."""

    name: str
    fields: tuple[str, ...] | None
    capacity: int
    at: Source


class Sync(Record, frozen=True):
    """``channel!values`` or ``channel?targets``."""

    channel: str
    sends: bool
    values: tuple[Expression, ...]
    at: Source


class Assignment(Record, frozen=True):
    target: Reference
    value: Expression
    at: Source


class Transition(Record, frozen=True):
    """`text` is what stands between the braces, on one line."""

    source: str
    target: str
    guard: Expression | None
    sync: Sync | None
    effects: tuple[Assignment, ...]
    text: str
    at: Source


class Assertion(Record, frozen=True):
    """`condition` must be true whenever the process is in `state`."""

    state: str
    condition: Expression
    at: Source


class StateName(Record, frozen=True):
    """A state's name where it was written: in `state`, `init`, `commit` or `accept`."""

    name: str
    at: Source


class Process(Record, frozen=True):
    """`initial` is the state named by `init`; `accepting` is empty unless the process is a property."""

    name: str
    variables: tuple[Variable, ...]
    states: tuple[StateName, ...]
    initial: StateName
    committed: tuple[StateName, ...]
    accepting: tuple[StateName, ...]
    assertions: tuple[Assertion, ...]
    transitions: tuple[Transition, ...]
    at: Source


class Model(Record, frozen=True):
    """A whole file. `property_process` names the process after ``system async property``."""

    variables: tuple[Variable, ...]
    channels: tuple[Channel, ...]
    processes: tuple[Process, ...]
    synchronous: bool
    property_process: str | None
    property_at: Source
    file: str
    text: str
