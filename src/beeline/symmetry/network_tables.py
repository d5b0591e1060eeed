"""From the symmetries of a network to the tables by which the engine exchanges cells and renames what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, cast

from beeline.compile.layout import ChannelPlace, Layout
from beeline.records import Record
from beeline.symmetry.automorphisms import Permutation
from beeline.symmetry.found import Role, Sets, Symmetries
from beeline.symmetry.sorts import Scalar, Shape, Sort, leaves
from beeline.symmetry.tables import Tables

if TYPE_CHECKING:
    from beeline.heuristics.alike import Exchange

Meaning = tuple[int | None, ...]
"""For each value from 0 on the symbol that it names, if it names one."""


MOST_MEMBERS = 40_320
"""Members of a group that are listed."""


class Place(Record, frozen=True):
    """A cell: what it is called but for the symbols that lead to it, these symbols, what its values name, and for a
    part of a message the cell with the channel's length and the position in the channel."""

    cell: int
    label: tuple[object, ...]
    symbols: tuple[int, ...]
    names: Meaning | None = None
    length: int = -1
    slot: int = 0


class NetworkTables:
    """The cells of a layout that a network's symmetries move or rename. `clocks` are cells that stand for clocks, in
    their order: then states have a zone, whose bounds are moved as well."""

    def __init__(self, found: Symmetries, layout: Layout, clocks: Sequence[int] = ()) -> None:
        self.found, self.layout = found, layout
        self.configuration = found.configuration
        self.text = found.text
        self.dimension = len(clocks) + 1 if clocks else 0
        every = list(self._places())
        every += self._bounds({place.cell: place for place in every}, clocks)
        self.places = [place for place in every if place.symbols or place.names is not None]

    # Cells

    def _bounds(self, cells: Mapping[int, Place], clocks: Sequence[int]) -> Iterator[Place]:
        """The bound on what each clock, and the one that is always zero, is ahead of each other one."""
        known = [Place(-1, (), ()), *(cells[cell] for cell in clocks)]
        for number, (one, other) in enumerate(product(known, known)):
            if clocks:
                label = ("bound", one.label, other.label)
                yield Place(len(self.layout.cells) + number, label, (*one.symbols, *other.symbols))

    def _places(self) -> Iterator[Place]:
        slots = self.layout.scope.slots
        for variable in self.found.network.variables:
            shape = self.text.variables[variable.name]
            yield from self._variable(slots[variable.name].offset, ("variable",), self._named(variable.name), shape)
        channels = list(self.layout.channels)
        for number, kind in enumerate(self.configuration.kinds):
            channels += self.layout.processes[number].kinds[kind].channels
        for number, place in enumerate(channels, 1):
            yield from self._channel(number, place)
        processes = self._meaning(self.text.pid, len(self.configuration))
        for name, cell in (("control", self.layout.control), ("last", self.layout.last)):
            if cell >= 0:
                yield Place(cell, (name,), (), processes)
        for number in range(len(self.configuration)):
            yield from self._process(number)

    def _process(self, number: int) -> Iterator[Place]:
        kind, place = self.configuration.kinds[number], self.layout.processes[number]
        own = self._symbols((self.text.pid, number))
        count = len(self.found.network.processes[kind].locations)
        rooms = tuple(self.found.location(kind, location) for location in range(count))
        yield self._place(place.location, ("location",), own, rooms)
        if place.priority >= 0:
            yield self._place(place.priority, ("priority",), own)
        scope, first = self.layout.scope.processes[kind], place.kinds[kind].locals
        for name, shape in self.text.locals[kind].items():
            yield from self._variable(first + scope.slots[name].offset, ("local", name), own, shape)

    def _variable(
        self, first: int, label: tuple[object, ...], own: tuple[object, ...], shape: Shape
    ) -> Iterator[Place]:
        for cell, (way, leaf) in enumerate(leaves(shape), first):
            path: list[object] = []
            for step in way:
                path += (step,) if isinstance(step, str) else self._symbols(step)
            yield self._place(cell, label, (*own, *path), self._held(leaf))

    def _channel(self, number: int, place: ChannelPlace) -> Iterator[Place]:
        own = self._symbols((self.text.channel, number))
        yield self._place(place.length, ("length",), own)
        fields = self.text.message(place.channel)
        for slot in range(place.channel.capacity):
            for position, leaf in enumerate(fields):
                cell = place.base + slot * len(fields) + position
                made = self._place(cell, ("message", slot, position), own, self._held(leaf))
                yield Place(cell, made.label, made.symbols, made.names, place.length, slot)

    def _symbols(self, thing: tuple[Sort, int]) -> tuple[object, ...]:
        """The symbol of a thing, marked as one; or its number."""
        position = self.found.position(*thing)
        return (thing[1] if position is None else _Symbol(position),)

    def _named(self, name: str) -> tuple[object, ...]:
        position = self.found.variable(name)
        return (name if position is None else _Symbol(position),)

    def _place(
        self, cell: int, label: tuple[object, ...], path: tuple[object, ...], names: Meaning | None = None
    ) -> Place:
        symbols = tuple(part.position for part in path if isinstance(part, _Symbol))
        rest = tuple(None if isinstance(part, _Symbol) else part for part in path)
        named = names if names is not None and any(one is not None for one in names) else None
        return Place(cell, (*label, *rest), symbols, named)

    def _held(self, leaf: Scalar) -> Meaning | None:
        root = leaf.sort.root
        return None if root.plain else self._meaning(root, max(self.text.domain(root), default=-1) + 1)

    def _meaning(self, sort: Sort, count: int) -> Meaning:
        return tuple(self.found.position(sort, value) for value in range(count))

    # Tables

    def conditions(self) -> list[list[int]]:
        """States in which all processes are there, and none will start another."""
        rows: list[list[int]] = []
        for number, place in enumerate(self.layout.processes):
            there = number < len(self.configuration)
            tag, cell = self.configuration.kinds[number] + 1 if there else 0, self.layout.cells[place.tag]
            if (cell.low, cell.high) != (tag, tag):
                rows.append([place.tag, tag])
            if there:
                resting = self.configuration.resting[number]
                if len(resting) < len(self.found.network.processes[tag - 1].locations):
                    rows.append([place.location, *sorted(resting)])
        return rows

    def by_members(self, members: Iterable[Permutation]) -> Tables:
        """Tables for members of a group that are listed, see `native/symmetry/group.hpp`."""
        moved = {i for generator in self.found.group.generators for i, to in enumerate(generator) if i != to}
        places = [p for p in self.places if moved & {*p.symbols, *(p.names or ())}]
        numbers = {(place.label, place.symbols): i for i, place in enumerate(places)}
        meanings: dict[Meaning | None, int] = {}
        meaning = [meanings.setdefault(place.names, len(meanings)) for place in places]
        maps: dict[tuple[int, ...], int] = {}
        rows: list[list[int]] = []
        for member in members:
            row = [0] * (2 * len(places))
            known: dict[tuple[int, int], int] = {}  # most places hold values of few meanings
            for source, place in enumerate(places):
                target = numbers[place.label, tuple(member[one] for one in place.symbols)]
                both = meaning[source], meaning[target]
                if both not in known:
                    known[both] = self._map(place, places[target], member, maps)
                row[2 * target : 2 * target + 2] = source, known[both]
            rows.append(row)
        return {
            "places": [[place.cell, place.length, place.slot] for place in places],
            "maps": [[0, *images] for images in maps],
            "members": rows,
            "when": self.conditions(),
            "clocks": self.dimension,
        }

    def exchanges(self) -> tuple[Exchange, ...]:
        """What each generator does with the cells of a state."""
        made = self.by_members(self.found.group.generators)
        places, maps, members = (cast("list[list[int]]", made[name]) for name in ("places", "maps", "members"))
        found: list[Exchange] = []
        for member in members:
            pairs = zip(member[::2], member[1::2], places, strict=True)
            found.append(
                tuple(
                    (places[source][0], target, () if number < 0 else tuple(maps[number][1:]))
                    for source, number, (target, _, _) in pairs
                    if target < len(self.layout.cells)
                )
            )
        return tuple(found)

    def _map(self, source: Place, target: Place, member: Permutation, maps: dict[tuple[int, ...], int]) -> int:
        if source.names is None:
            return -1
        assert target.names is not None
        values = {one: value for value, one in enumerate(target.names) if one is not None}
        images = tuple(value if one is None else values[member[one]] for value, one in enumerate(source.names))
        return -1 if images == tuple(range(len(images))) else maps.setdefault(images, len(maps))

    def by_sets(self, sets: Sets) -> Tables | None:
        """Tables for sets of which all orders are possible, see `native/symmetry/sets.hpp`; none where the same value
        has another meaning in cells that are exchanged."""
        roles = {symbol: (role, member) for role in sets.roles for member, symbol in enumerate(role.symbols)}
        number_of = {role: number for number, role in enumerate(sets.roles)}
        first = [sum(sets.sizes[:number]) for number in range(len(sets.sizes))]
        shapes: dict[object, tuple[tuple[Role, ...], dict[tuple[int, ...], Place]]] = {}
        for place in self.places:
            met = [roles[one] for one in place.symbols if one in roles]
            key = (place.label, tuple(number_of[roles[s][0]] if s in roles else (s,) for s in place.symbols))
            shape = shapes.setdefault(key, (tuple(role for role, _ in met), {}))
            shape[1][tuple(member for _, member in met)] = place
        values: dict[tuple[tuple[int, int], ...], int] = {}
        rows: list[list[int]] = []
        cells: list[list[int]] = []
        lengths: list[list[int]] = []
        for indices, found in shapes.values():
            some, shared = next(iter(found.values())), _shared_names(found, indices, roles)
            if shared is None:
                return None
            meant = tuple(
                (first[roles[one][0].set] + roles[one][1], number_of[roles[one][0]]) if one in roles else (-1, 0)
                for one in shared
            )
            names = any(element >= 0 for element, _ in meant)
            if not indices and not names:
                continue
            order = [found[key] for key in product(*(range(sets.sizes[role.set]) for role in indices))]
            rows.append([values.setdefault(meant, len(values)) if names else -1, *(role.set for role in indices)])
            cells.append([place.cell for place in order])
            lengths.append([] if some.length < 0 else [some.slot, *(place.length for place in order)])
        return {
            "sets": list(sets.sizes),
            "values": [[0, *(element for element, _ in row)] for row in values],
            "roles": [[role for _, role in row] for row in values],
            "shapes": rows,
            "cells": cells,
            "lengths": lengths,
            "when": self.conditions(),
            "clocks": self.dimension,
        }


def _shared_names(
    found: Mapping[tuple[int, ...], Place], indices: tuple[Role, ...], roles: Mapping[int, tuple[Role, int]]
) -> Meaning | None:
    """What values mean in all cells that are exchanged; nothing where each means something of its own member, such as
    the locations of processes each of which is of a kind of its own: the cell tells whose they are. None where the same
    value has another meaning in some cells."""
    shared: list[int | None] = []
    every = [place.names or () for place in found.values()]
    if len({len(names) for names in every}) > 1:
        return None
    for symbols in zip(*every, strict=True):
        if len(set(symbols)) == 1:
            shared.append(symbols[0])
            continue
        if not any(_is_own(symbols, found, at, role, roles) for at, role in enumerate(indices)):
            return None
        shared.append(None)
    return tuple(shared)


def _is_own(
    symbols: Iterable[int | None],
    keys: Iterable[tuple[int, ...]],
    at: int,
    index: Role,
    roles: Mapping[int, tuple[Role, int]],
) -> bool:
    """Whether each of the symbols goes with the member that stands at a place of its cell's key, all in one role."""
    met = [roles.get(-1 if one is None else one) for one in symbols]
    role = met[0][0] if met[0] is not None else None
    return (
        role is not None
        and role.set == index.set
        and all(one is not None and one == (role, key[at]) for one, key in zip(met, keys, strict=True))
    )


class _Symbol(Record, frozen=True):
    position: int
