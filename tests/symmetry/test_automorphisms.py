"""Automorphisms of graphs: groups that are known, and those that nauty finds, where pynauty is installed."""

from __future__ import annotations

from collections.abc import Iterable
from math import factorial
from random import Random

import pytest

from beeline.symmetry.automorphisms import Graph, Group, automorphisms

Edges = Iterable[tuple[int, int]]


def graph_of(size: int, edges: Edges, colours: list[int] | None = None) -> Graph:
    graph = Graph()
    for vertex in range(size):
        graph.add(0 if colours is None else colours[vertex])
    for one, other in edges:
        graph.connect(one, other)
    return graph


def ring(size: int) -> list[tuple[int, int]]:
    return [(i, (i + 1) % size) for i in range(size)]


def cube(dimensions: int) -> list[tuple[int, int]]:
    vertices = range(2**dimensions)
    return [(v, v | 1 << i) for v in vertices for i in range(dimensions) if not v & 1 << i]


def grid(side: int) -> list[tuple[int, int]]:
    across = [(side * y + x, side * y + x + 1) for y in range(side) for x in range(side - 1)]
    return across + [(side * y + x, side * (y + 1) + x) for y in range(side - 1) for x in range(side)]


@pytest.mark.parametrize(
    ("size", "edges", "order"),
    [(7, [], factorial(7)), (9, ring(9), 18), (8, cube(3), 48), (16, grid(4), 8), (6, ring(3), 6 * factorial(3))],
)
def test_orders_that_are_known(size: int, edges: Edges, order: int) -> None:
    assert automorphisms(graph_of(size, edges), size).order == order


def found_by_nauty(size: int, edges: Edges, colours: list[int]) -> tuple[int, list[tuple[int, ...]]]:
    """The group's order and its generators."""
    pynauty = pytest.importorskip("pynauty", reason="pynauty is not installed, which pip compiles from its source")
    near: dict[int, list[int]] = {}
    for one, other in edges:
        near.setdefault(one, []).append(other)
    classes = [{v for v in range(size) if colours[v] == colour} for colour in sorted(set(colours))]
    graph = pynauty.Graph(size, adjacency_dict=near, vertex_coloring=classes)
    generators, mantissa, exponent, _, _ = pynauty.autgrp(graph)
    return round(mantissa * 10**exponent), [tuple(one) for one in generators]


def random_edges(random: Random, size: int) -> list[tuple[int, int]]:
    """A sparse graph, often with parts that are alike: some edges, and copies of them."""
    part = random.randint(2, max(2, size // 2))
    edges = {(random.randrange(part), random.randrange(part)) for _ in range(random.randint(1, 2 * part))}
    shifts = range(0, size - part + 1, part)
    return sorted({(min(a, b) + s, max(a, b) + s) for a, b in edges if a != b for s in shifts})


@pytest.mark.parametrize("seed", range(60))
def test_groups_are_those_that_nauty_finds(seed: int) -> None:
    random = Random(seed)
    size = random.randint(2, 12)
    edges, colours = random_edges(random, size), [random.randrange(4) // 3 for _ in range(size)]
    order, generators = found_by_nauty(size, edges, colours)
    group: Group = automorphisms(graph_of(size, edges, colours), size)
    assert group.order == order
    if order <= factorial(7):
        assert set(generators) <= set(group.members())
