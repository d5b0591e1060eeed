"""The syntax tree of a DVE model, as written: names unresolved, every node with its place in the source."""

from __future__ import annotations

from dataclasses import dataclass

from beeline.model.source import UNKNOWN, Source


@dataclass(frozen=True, slots=True)
class Number:
    """A literal; `true` and `false` are 1 and 0."""

    value: int
    at: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Reference:
    """``name``, ``name[index]``, or the same of another process: ``process->name``."""

    name: str
    index: Expression | None = None
    process: str | None = None
    at: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class InState:
    """``process.state``: 1 while that process is in that state."""

    process: str
    state: str
    at: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Unary:
    """`operator` is one of ``- ~ not``."""

    operator: str
    operand: Expression
    at: Source = UNKNOWN


@dataclass(frozen=True, slots=True)
class Binary:
    """`operator` is one of ``imply or and | ^ & == != < <= > >= << >> + - * / %``."""

    operator: str
    left: Expression
    right: Expression
    at: Source = UNKNOWN


Expression = Number | Reference | InState | Unary | Binary


@dataclass(frozen=True, slots=True)
class Variable:
    """One declared variable; `size` is None for a scalar, `initial` None where nothing was written."""

    name: str
    kind: str  # "byte" or "int"
    size: int | None
    initial: tuple[Expression, ...] | None
    constant: bool
    at: Source


@dataclass(frozen=True, slots=True)
class Channel:
    """`fields` is None for an untyped channel; `capacity` 0 means a handshake."""

    name: str
    fields: tuple[str, ...] | None
    capacity: int
    at: Source


@dataclass(frozen=True, slots=True)
class Sync:
    """``channel!values`` or ``channel?targets``."""

    channel: str
    sends: bool
    values: tuple[Expression, ...]
    at: Source


@dataclass(frozen=True, slots=True)
class Assignment:
    target: Reference
    value: Expression
    at: Source


@dataclass(frozen=True, slots=True)
class Transition:
    """`text` is what stands between the braces, on one line."""

    source: str
    target: str
    guard: Expression | None
    sync: Sync | None
    effects: tuple[Assignment, ...]
    text: str
    at: Source


@dataclass(frozen=True, slots=True)
class Assertion:
    """`condition` must be true whenever the process is in `state`."""

    state: str
    condition: Expression
    at: Source


@dataclass(frozen=True, slots=True)
class StateName:
    """A state's name where it was written: in `state`, `init`, `commit` or `accept`."""

    name: str
    at: Source


@dataclass(frozen=True, slots=True)
class Process:
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


@dataclass(frozen=True, slots=True)
class Model:
    """A whole file. `property_process` names the process after ``system async property``."""

    variables: tuple[Variable, ...]
    channels: tuple[Channel, ...]
    processes: tuple[Process, ...]
    synchronous: bool
    property_process: str | None
    property_at: Source
    file: str
    text: str
