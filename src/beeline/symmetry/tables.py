"""From the types of a network to the tables by which the engine exchanges cells and renames what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from beeline.model.expressions import Ref, walk
from beeline.model.network import Network
from beeline.model.property import Correctness, Passed, Property
from beeline.model.types import ArrayType, EnumType, RecordType, Type, scalars, width
from beeline.records import Record, field

Tables = dict[str, int | list[int] | list[list[int]]]
Key = tuple[str, int, int]  # a set: its name, the number of its first member, its size
Label = tuple[str, int | str]  # what leads into a part of a variable: a field, an index, or any member of a set
ENTRY = "entry"  # the kind of label of an index that has no type: the entries of a multiset, which are kept in order


def unsupported_reason(network: Network, asked: Property | None) -> str | None:
    """Why states cannot be folded, if so."""
    if not network.rules.opened:
        return "nothing in the model is declared to be interchangeable"
    sets = list(_sets_of(network))
    if not sets:
        return "the model has no scalarset with several members"
    unnamed = {size for name, _, size in sets if name == UNNAMED}
    if any(size in unnamed for name, _, size in sets if name != UNNAMED):
        return "a scalarset without a name has the size of another one"
    if network.rules.told_apart:
        return f"members of a scalarset are told apart: {network.rules.told_apart[0]}"
    if network.rules.stopping:
        return f"members of a scalarset are told apart: a quantifier over {network.rules.stopping[0][1]} errs"
    if asked is not None and not _is_own(network, asked) and _looks_at_sets(network, asked):
        return "the question may name a member of a scalarset"
    return None


UNNAMED = "scalarset"


def _is_own(network: Network, asked: Property) -> bool:
    """Whether the model asks it itself, and of states: what it says of one member, it says of all."""
    if asked.automaton is not None:
        return False
    stands_there = asked.source.line > 0 and asked.source.file == network.source.file
    return stands_there or isinstance(asked, (Correctness, Passed))


def _looks_at_sets(network: Network, asked: Property) -> bool:
    variables = {variable.name: variable.type for variable in network.variables}
    read = {part.name for each in asked.expressions for part in walk(each) if isinstance(part, Ref)}
    return any(name not in variables or _mentions_sets(variables[name]) for name in read)


def _mentions_sets(kind: Type) -> bool:
    match kind:
        case ArrayType(element, _, index):
            return _mentions_sets(element) or (isinstance(index, EnumType) and _mentions_sets(index))
        case RecordType(fields=fields):
            return any(_mentions_sets(part) for _, part in fields)
        case EnumType():
            return bool(list(_sets_in(kind)))
        case _:
            return False


def _sets_in(kind: EnumType) -> Iterator[Key]:
    """The sets with several members whose members a type has."""
    parts = [kind] if kind.interchangeable else [part for part in kind.parts if isinstance(part, EnumType)]
    for part in parts:
        if part.interchangeable and len(part.members) > 1:
            yield part.name, part.first, len(part.members)


def _sets_of(network: Network) -> dict[Key, int]:
    """All sets, numbered."""
    found: dict[Key, int] = {}

    def look(kind: Type) -> None:
        match kind:
            case ArrayType(element, _, index):
                if isinstance(index, EnumType):
                    look(index)
                look(element)
            case RecordType(fields=fields):
                for _, part in fields:
                    look(part)
            case EnumType():
                for key in _sets_in(kind):
                    found.setdefault(key, len(found))
            case _:
                pass

    for variable in network.variables:
        look(variable.type)
    return found


class _Shape(Record):
    """Cells that are exchanged with each other, by the members that lead to each."""

    sets: tuple[int, ...]
    kind: Type
    cells: dict[tuple[int, ...], int] = field(default_factory=dict)


def symmetry_tables(network: Network) -> Tables:
    """See `native/symmetry/canonicaliser.hpp`. Variables of a network come first among its cells."""
    numbers = _sets_of(network)
    shapes: dict[tuple[Label, ...], _Shape] = {}
    bags: list[list[int]] = []
    cell = 0
    for variable in network.variables:
        bags += _bags(variable.type, cell)
        for labels, sets, members, kind in _leaves(variable.type, numbers):
            shape = shapes.setdefault((("", variable.name), *labels), _Shape(sets, kind))
            shape.cells[members] = cell
            cell += 1
        assert cell == sum(width(one.type) for one in network.variables[: network.variables.index(variable) + 1])
    sizes = [size for _, _, size in numbers]
    values: dict[tuple[int, ...], int] = {}
    told: dict[tuple[Label, ...], int] = {}
    rows: list[list[int]] = []
    cells: list[list[int]] = []
    numbered: list[int] = []
    for way, shape in shapes.items():
        held = _held(shape.kind, numbers)
        if held is None and not shape.sets and not any(kind == ENTRY for kind, _ in way):
            continue
        alike = tuple(label if label[0] != ENTRY else (ENTRY, 0) for label in way)
        numbered.append(told.setdefault(alike, len(told)))
        number = -1 if held is None else values.setdefault(held, len(values))
        rows.append([number, *shape.sets])
        order = product(*(range(sizes[one]) for one in shape.sets))
        cells.append([shape.cells[members] for members in order])
        assert len(cells[-1]) == prod(sizes[one] for one in shape.sets)
    return {
        "sets": sizes, "values": [list(row) for row in values], "shapes": rows, "cells": cells, "labels": numbered,
        "bags": bags,
    }  # fmt: skip


def _bags(kind: Type, first: int) -> Iterator[list[int]]:
    """Of each multiset that begins at or after a cell: how many cells an entry has, and the cells of all entries; of
    those within others first."""
    match kind:
        case ArrayType(element, size, index):
            length = width(element)
            for position in range(size):
                yield from _bags(element, first + position * length)
            if index is None:
                yield [length, *range(first, first + size * length)]
        case RecordType(fields=fields):
            for _, part in fields:
                yield from _bags(part, first)
                first += width(part)
        case _:
            pass


def _leaves(
    kind: Type, numbers: dict[Key, int]
) -> Iterator[tuple[tuple[Label, ...], tuple[int, ...], tuple[int, ...], Type]]:
    """The scalars of a variable in the order of their cells: what leads there, with members of sets taken for each
    other; these sets; the members; and the type."""
    match kind:
        case ArrayType(element, size, index):
            for position in range(size):
                member = _member(index, position, numbers) if isinstance(index, EnumType) else None
                label: Label = ("index" if index is not None else ENTRY, position)
                if member is not None:
                    label = ("set", member[0])
                for labels, sets, members, leaf in _leaves(element, numbers):
                    if member is None:
                        yield (label, *labels), sets, members, leaf
                    else:
                        yield (label, *labels), (member[0], *sets), (member[1], *members), leaf
        case RecordType(fields=fields):
            for name, part in fields:
                for labels, sets, members, leaf in _leaves(part, numbers):
                    yield (("field", name), *labels), sets, members, leaf
        case _:
            assert len(scalars(kind)) == 1
            yield (), (), (), kind


def _member(kind: EnumType, position: int, numbers: dict[Key, int]) -> tuple[int, int] | None:
    """The set and the member that a value means, if it means one; values are counted from the type's first."""
    for key in _sets_in(kind):
        offset = kind.first + position - key[1]
        if 0 <= offset < key[2]:
            return numbers[key], offset
    return None


def _held(kind: Type, numbers: dict[Key, int]) -> tuple[int, ...] | None:
    """What a cell may hold: the first value, and from there on the elements that are meant. Elements are members of all
    sets, one set after the other."""
    if not isinstance(kind, EnumType) or not list(_sets_in(kind)):
        return None
    first = [0]
    for _, _, size in numbers:
        first.append(first[-1] + size)
    meant = [_member(kind, position, numbers) for position in range(len(kind.members))]
    return (kind.first, *(-1 if one is None else first[one[0]] + one[1] for one in meant))
