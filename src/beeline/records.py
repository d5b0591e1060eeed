"""Records: plain values with named fields, from syntax trees to results.

They are the `Struct`s of msgspec, which are made in C. A command has some two hundred kinds of records, and each would
take Python half a millisecond to define as a dataclass; each of the many nodes of a large model is made several times
faster. A record with cached properties says ``dict=True``.
"""

from __future__ import annotations

from msgspec import Struct as Record
from msgspec import field
from msgspec.structs import asdict, replace


def show(record: Record, *hidden: str) -> str:
    """The usual representation without fields that nobody wants to read.

    >>> class Point(Record):
    ...     x: int
    ...     notes: str
    >>> show(Point(1, "long"), "notes")
    'Point(x=1)'
    """
    shown = (f"{name}={getattr(record, name)!r}" for name in record.__struct_fields__ if name not in hidden)
    return f"{type(record).__qualname__}({', '.join(shown)})"


__all__ = ["Record", "asdict", "field", "replace", "show"]
