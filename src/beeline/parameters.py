"""What a person may say of a record's field in a command: a field says so in its annotation,

    threads: Annotated[int, Parameter("Threads that share the work.", least=1, most=64)] = 1

and the command has an option with its name, type, default and help. Nothing about it is written down a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from beeline.records import Record


class Parameter(Record, frozen=True):
    """How a field is said."""

    help: str | Callable[[], str] = ""
    """A function if the text takes long to make."""
    metavar: str | None = None
    """What stands for the value in the help."""
    name: str = ""
    """Of the option, if it is not the field's own name."""
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 2**62
    kind: str = ""
    """"size": a number of bytes such as 2G; "file": the name of one; else what the type of the field says."""


class Field(Record, frozen=True):
    """A field of a record that a person may say."""

    name: str
    type: Any
    """A class, or a union of some."""
    default: Any
    parameter: Parameter | None
    """None: the type is a record again, each of whose fields is said."""

    @property
    def option(self) -> str:
        """The name of the option, without dashes in front."""
        assert self.parameter is not None
        return self.parameter.name or self.name.replace("_", "-")


def fields_said(record: type[Record]) -> Iterator[Field]:
    """The fields that a person may say, in their order.

    >>> from typing import Annotated
    >>> Size = type("Size", (Record,), {"__annotations__": {"rows": Annotated[int, Parameter("How many.")]}, "rows": 3})
    >>> [(field.option, field.default) for field in fields_said(Size)]
    [('rows', 3)]
    """
    defaults = record()
    for name in record.__struct_fields__:
        said = record.__annotations__[name]
        for note in getattr(said, "__metadata__", ()):
            if isinstance(note, Parameter):
                yield Field(name, said.__origin__, getattr(defaults, name), note)
            elif isinstance(note, type) and issubclass(note, Record):
                yield Field(name, note, getattr(defaults, name), None)
