"""Records: plain values with named fields, from syntax trees to results.

They are the `Struct`s of msgspec, which are made in C. A command has some two hundred kinds of records, and each would
take Python half a millisecond to define as a dataclass; each of the many nodes of a large model is made several times
faster. A record with cached properties says ``dict=True``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct as Record
from msgspec import field
from msgspec.structs import asdict, replace


def show(record: Record, *hidden: str) -> str:
    """The usual representation without fields that are too long to read.

    >>> class Point(Record):
    ...     x: int
    ...     notes: str
    >>> show(Point(1, "long"), "notes")
    'Point(x=1)'
    """
    shown = (f"{name}={getattr(record, name)!r}" for name in record.__struct_fields__ if name not in hidden)
    return f"{type(record).__qualname__}({', '.join(shown)})"


def rebuilt(node: Any, change: Callable[[Record], Any]) -> Any:
    """A record, or a tuple of them, with every record in it changed, the innermost first. What stays the same is the
    same object.

    >>> class Leaf(Record, frozen=True):
    ...     value: int
    >>> rebuilt((Leaf(1), Leaf(2)), lambda leaf: Leaf(5) if leaf.value == 2 else leaf)
    (Leaf(value=1), Leaf(value=5))
    """
    if isinstance(node, tuple):
        parts = tuple(rebuilt(part, change) for part in node)
        return node if all(new is old for new, old in zip(parts, node, strict=True)) else parts
    if not isinstance(node, Record):
        return node
    changed = {}
    for name in node.__struct_fields__:
        part = getattr(node, name)
        if isinstance(part, (tuple, Record)):
            other = rebuilt(part, change)
            if other is not part:
                changed[name] = other
    return change(replace(node, **changed) if changed else node)


__all__ = ["Record", "asdict", "field", "rebuilt", "replace", "show"]
