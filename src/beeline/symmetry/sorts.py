"""Sorts: which places of a model hold names of the same things, such as numbers of processes.

What is assigned, sent or compared for equality has the same sort. Where code computes with a value, its sort is plain:
such values are numbers and nothing else, and are never renamed.
"""

from __future__ import annotations

from collections.abc import Iterator

from beeline.model.types import (
    ArrayType,
    ChannelType,
    ClockType,
    RecordType,
    ScalarType,
    Type,
    bounds,
)
from beeline.records import Record

LARGEST = 256
"""Things of one sort; what numbers more is taken for plain numbers."""


class Sort:
    """A class of places that hold names of the same things, as a set in a union-find forest. What is known is kept at
    the root: see `root`."""

    __slots__ = ("_above", "bounds", "channel", "pid", "plain", "sizes", "spans", "values")

    def __init__(self, plain: bool = False) -> None:
        self._above: Sort | None = None
        self.plain = plain
        self.pid = False  # numbers of processes are among them
        self.channel = False  # numbers of channels are
        self.sizes: set[int] = set()  # of the arrays that they number
        self.values: set[int] = set()  # that the model writes down
        self.spans: set[tuple[int, int]] = set()  # that may come from the beginning of a run
        self.bounds: set[tuple[int, int]] = set()  # in which they must fit

    @property
    def root(self) -> Sort:
        root = self
        while root._above is not None:
            root = root._above
        return root

    def join(self, other: Sort) -> None:
        """From now on the two are one."""
        one, two = self.root, other.root
        if one is two:
            return
        two._above = one
        one.plain |= two.plain
        one.pid |= two.pid
        one.channel |= two.channel
        one.sizes |= two.sizes
        one.values |= two.values
        one.spans |= two.spans
        one.bounds |= two.bounds

    def make_plain(self) -> None:
        self.root.plain = True


class Scalar(Record, frozen=True):
    """A single value."""

    sort: Sort
    type: ScalarType | None = None


class Many(Record, frozen=True):
    """An array: how it is numbered, and what it has."""

    index: Sort
    size: int
    element: Shape


class Parts(Record, frozen=True):
    """A record."""

    fields: dict[str, Shape]


Shape = Scalar | Many | Parts
Step = tuple[Sort, int] | str  # into an array or a record


def shape_of(kind: Type, channels: Sort) -> Shape:
    """The shape of a variable, with sorts of its own but for channels."""
    match kind:
        case ArrayType(element, size):
            index = Sort()
            index.sizes.add(size)
            return Many(index, size, shape_of(element, channels))
        case RecordType(fields=fields):
            return Parts({name: shape_of(part, channels) for name, part in fields})
        case ChannelType():
            return Scalar(channels, kind)
        case ClockType():
            raise ValueError("clocks have no sort")
        case _:
            sort = Sort()
            sort.bounds.add(bounds(kind))
            return Scalar(sort, kind)


def join(one: Shape, other: Shape) -> None:
    """Makes the sorts of two shapes the same, part by part."""
    match one, other:
        case Scalar(sort), Scalar(further):
            sort.join(further)
        case Many(index, _, element), Many(numbered, _, elements):
            index.join(numbered)
            join(element, elements)
        case Parts(fields), Parts(others):
            for name in fields.keys() & others.keys():
                join(fields[name], others[name])
        case _:
            raise ValueError("shapes differ")


def leaves(shape: Shape) -> Iterator[tuple[tuple[Step, ...], Scalar]]:
    """The scalars of a shape in the order of their cells, with the way to each."""
    match shape:
        case Scalar():
            yield (), shape
        case Many(index, size, element):
            for position in range(size):
                for way, leaf in leaves(element):
                    yield ((index, position), *way), leaf
        case Parts(fields):
            for name, part in fields.items():
                for way, leaf in leaves(part):
                    yield (name, *way), leaf
