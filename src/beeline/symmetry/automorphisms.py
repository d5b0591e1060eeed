"""Automorphisms of coloured graphs, found as nauty finds them: by refining colours and trying vertices that stay alike
(McKay, Practical graph isomorphism, 1981). The graphs of models are small; what takes too long is given up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from random import Random

from beeline.records import Record

Permutation = tuple[int, ...]
Colours = list[int]

MOST_WORK = 8_000_000
"""Vertices that are looked at: some seconds."""


class TooHard(Exception):
    """The search for automorphisms was given up."""


class Graph:
    """Vertices with colours, and edges between them."""

    def __init__(self) -> None:
        self.colours: Colours = []
        self.neighbours: list[list[int]] = []
        self._numbers: dict[object, int] = {}
        self.work = 0

    def add(self, colour: object) -> int:
        """A new vertex."""
        self.colours.append(self._numbers.setdefault(colour, len(self._numbers)))
        self.neighbours.append([])
        return len(self.colours) - 1

    def connect(self, one: int, other: int) -> None:
        self.neighbours[one].append(other)
        self.neighbours[other].append(one)

    def refine(self, one: Colours, other: Colours) -> tuple[Colours, Colours] | None:
        """Two colourings made finer together as long as neighbours tell vertices apart; None if they come to differ."""
        classes = len(set(one))
        while True:
            self.work += len(one)
            if self.work > MOST_WORK:
                raise TooHard
            random = Random(classes)
            weights = [random.getrandbits(60) for _ in range(max(max(one), max(other)) + 1)]
            signs = [
                [(colour, sum([weights[colours[w]] for w in near])) for colour, near in zip(colours, self.neighbours)]  # noqa: B905
                for colours in (one, other)
            ]
            if sorted(signs[0]) != sorted(signs[1]):
                return None
            numbers = {sign: number for number, sign in enumerate(sorted(set(signs[0])))}
            one, other = [numbers[sign] for sign in signs[0]], [numbers[sign] for sign in signs[1]]
            if len(numbers) == classes:
                return one, other
            classes = len(numbers)

    def isomorphism(self, one: Colours, other: Colours) -> Permutation | None:
        """An automorphism of the edges that takes one colouring to the other; what can stay, stays."""
        refined = self.refine(one, other)
        if refined is None:
            return None
        one, other = refined
        chosen = _first_of_many(one)
        if chosen is None:
            return self._read(one, other)
        vertex = one.index(chosen)
        candidates = [v for v, colour in enumerate(other) if colour == chosen]
        candidates.sort(key=lambda v: v != vertex)
        for candidate in candidates:
            found = self.isomorphism(_alone(one, vertex), _alone(other, candidate))
            if found is not None:
                return found
        return None

    def _read(self, one: Colours, other: Colours) -> Permutation | None:
        to = {colour: vertex for vertex, colour in enumerate(other)}
        image = tuple(to[colour] for colour in one)
        for vertex, near in enumerate(self.neighbours):
            if sorted(image[w] for w in near) != sorted(self.neighbours[image[vertex]]):
                return None
        return image


def _first_of_many(colours: Colours) -> int | None:
    """The colour of the first vertex that is not alone with its colour."""
    counts: dict[int, int] = {}
    for colour in colours:
        counts[colour] = counts.get(colour, 0) + 1
    return next((colour for colour in colours if counts[colour] > 1), None)


def _alone(colours: Colours, vertex: int) -> Colours:
    """Colours with one vertex told apart from all others."""
    changed = list(colours)
    changed[vertex] = max(colours) + 1
    return changed


class Group(Record, frozen=True):
    """A group of permutations of the first vertices of a graph: every member is one product of one permutation of each
    of the `transversals`, the last applied first."""

    size: int
    generators: tuple[Permutation, ...]
    transversals: tuple[tuple[Permutation, ...], ...]

    @property
    def order(self) -> int:
        return prod(map(len, self.transversals))

    def within(self, most: int) -> Group:
        """The largest of the groups that leave more and more of the first vertices alone with no more members."""
        transversals = self.transversals
        while prod(map(len, transversals)) > most:
            transversals = transversals[1:]
        generators = tuple(one for transversal in transversals for one in transversal[1:])
        return Group(self.size, self.generators if transversals == self.transversals else generators, transversals)

    def members(self) -> Iterator[Permutation]:
        """All of them, that which changes nothing first."""
        yield from _products(self.transversals, tuple(range(self.size)))


def _products(transversals: tuple[tuple[Permutation, ...], ...], inner: Permutation) -> Iterator[Permutation]:
    if not transversals:
        yield inner
        return
    for outer in transversals[-1]:
        yield from _products(transversals[:-1], composed(outer, inner))


def composed(outer: Permutation, inner: Permutation) -> Permutation:
    """First `inner`, then `outer`."""
    return tuple([outer[one] for one in inner])


def automorphisms(graph: Graph, size: int) -> Group:
    """The group of a graph's automorphisms, as they move the first `size` vertices."""
    generators: list[Permutation] = []
    transversals = _stabiliser(graph, graph.colours, generators, size)
    identity = tuple(range(size))
    cut = tuple({g[:size] for g in generators} - {identity})
    return Group(size, tuple(sorted(cut)), tuple(tuple(t) for t in transversals if len(t) > 1))


def _stabiliser(graph: Graph, colours: Colours, generators: list[Permutation], size: int) -> list[list[Permutation]]:
    """Transversals of the automorphisms that keep colours, those of the whole first; adds to the generators."""
    refined = graph.refine(colours, colours)
    assert refined is not None
    colours = refined[0]
    chosen = _first_of_many(colours)
    if chosen is None:
        return []
    base = colours.index(chosen)
    if base >= size:
        return []
    own: list[Permutation] = []
    inner = _stabiliser(graph, _alone(colours, base), own, size)
    orbit = _orbit(base, own, len(colours))
    for vertex in [v for v, colour in enumerate(colours) if colour == chosen]:
        if vertex not in orbit:
            found = graph.isomorphism(_alone(colours, base), _alone(colours, vertex))
            if found is not None:
                own.append(found)
                orbit = _orbit(base, own, len(colours))
    generators += own
    return [[p[:size] for p in orbit.values()], *inner]


def _orbit(base: int, generators: Sequence[Permutation], size: int) -> dict[int, Permutation]:
    """For each vertex that the base can be taken to, a permutation that does it."""
    found = {base: tuple(range(size))}
    waiting = [base]
    while waiting:
        vertex = waiting.pop()
        for generator in generators:
            if generator[vertex] not in found:
                found[generator[vertex]] = composed(generator, found[vertex])
                waiting.append(generator[vertex])
    return found
