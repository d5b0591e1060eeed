"""The tree of an SMV text."""

from __future__ import annotations

from beeline.model.source import Source
from beeline.records import Record


class Tree(Record, frozen=True):
    """An expression or a formula. `kind` is ``number``, ``name``, ``dot``, ``index``, ``set``, ``case`` (conditions and
    values in turns), ``if``, ``next``, ``count``, or an operator as it is written; `text` is a name or a number."""

    kind: str
    at: Source
    parts: tuple[Tree, ...] = ()
    text: str = ""

    def __str__(self) -> str:
        parts = [str(part) for part in self.parts]
        match self.kind:
            case "number" | "truth" | "name":
                return self.text
            case "self":
                return "self"
            case "dot":
                return f"{parts[0]}.{self.text}"
            case "index":
                return f"{parts[0]}[{parts[1]}]"
            case "set":
                return "{" + ", ".join(parts) + "}"
            case "case":
                return (
                    "case " + "; ".join(f"{c} : {v}" for c, v in zip(parts[::2], parts[1::2], strict=True)) + "; esac"
                )
            case "if":
                return f"({parts[0]} ? {parts[1]} : {parts[2]})"
            case "next" | "count":
                return f"{self.kind}({', '.join(parts)})"
            case "minus":
                return f"-{parts[0]}"
            case "!":
                return f"!{parts[0]}"
            case "AU" | "EU":
                return f"{self.kind[0]}[{parts[0]} U {parts[1]}]"
        return f"{self.kind} {parts[0]}" if len(parts) == 1 else f"({f' {self.kind} '.join(parts)})"


class Type(Record, frozen=True):
    """The type of a variable: ``boolean``, ``range`` (two bounds), ``enumeration``, ``array`` (two bounds and
    `element`), or ``module`` (called `name` with arguments, as a process or not)."""

    kind: str
    at: Source
    parts: tuple[Tree, ...] = ()
    element: Type | None = None
    name: str = ""
    is_process: bool = False


class Variable(Record, frozen=True):
    """`section` is ``VAR``, ``IVAR`` or ``FROZENVAR``."""

    section: str
    name: str
    type: Type
    at: Source


class Define(Record, frozen=True):
    name: str
    value: Tree
    at: Source


class Assignment(Record, frozen=True):
    """`kind` is ``init``, ``next`` or ``now``."""

    kind: str
    target: Tree
    value: Tree
    at: Source


class Constraint(Record, frozen=True):
    """`section` is ``INIT``, ``TRANS``, ``INVAR``, ``JUSTICE`` or ``COMPASSION`` (two formulas)."""

    section: str
    parts: tuple[Tree, ...]
    at: Source


class Specification(Record, frozen=True):
    """`section` is ``CTLSPEC``, ``LTLSPEC`` or ``INVARSPEC``."""

    section: str
    formula: Tree
    name: str
    text: str
    at: Source


Item = Variable | Define | Assignment | Constraint | Specification


class Module(Record, frozen=True):
    name: str
    parameters: tuple[str, ...]
    items: tuple[Item, ...]
    at: Source


class Model(Record, frozen=True):
    """A whole file."""

    modules: dict[str, Module]
    symbols: tuple[str, ...]
    """Constants that nothing else declares."""
    file: str
    text: str
