"""Products of automata, and whether they accept anything."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from beeline.automata.automaton import Automaton
from beeline.automata.graph import Graph, components
from beeline.automata.letters import NONE, Letters

Node = TypeVar("Node", bound=Hashable)


def intersect(left: Automaton, right: Automaton) -> bool:
    """Whether some word is accepted by both automata, which must have the same propositions."""
    if left.propositions != right.propositions:
        raise ValueError("automata with different propositions cannot be compared")
    letters = Letters()
    return graphs_intersect(Graph.of(left, letters), Graph.of(right, letters))


def graphs_intersect(one: Graph, two: Graph) -> bool:
    """Whether some word is accepted by both graphs, whose guards are of the same letters."""
    letters = one.letters

    def steps(node: tuple[int, int]) -> Iterable[tuple[int, tuple[int, int]]]:
        for guard, marks, target in one.arcs[node[0]]:
            for other_guard, other_marks, other in two.arcs[node[1]]:
                if letters.both(guard, other_guard) != NONE:
                    yield marks | other_marks << one.sets, (target, other)

    return not is_empty((one.initial, two.initial), steps, one.full | two.full << one.sets)


def lasso_accepted(graph: Graph, states: list[int], cycle: list[int]) -> bool:
    """Whether the word that repeats `cycle`, a list of letters, is accepted from one of the states."""
    letters = graph.letters

    def steps(node: tuple[int, int]) -> Iterable[tuple[int, tuple[int, int]]]:
        state, place = node
        for guard, marks, target in graph.arcs[state]:
            if letters.holds(guard, cycle[place]):
                yield marks, (target, (place + 1) % len(cycle))

    return any(not is_empty((state, 0), steps, graph.full) for state in states)


def is_empty(initial: Node, steps: Callable[[Node], Iterable[tuple[int, Node]]], full: int) -> bool:
    """Whether no cycle that `initial` reaches has all marks of `full`; `steps` gives marks and targets."""
    numbers: dict[Node, int] = {initial: 0}
    nodes = [initial]
    arcs: list[list[tuple[int, int]]] = []
    for node in nodes:  # grows meanwhile
        row = []
        for marks, target in steps(node):
            if target not in numbers:
                numbers[target] = len(nodes)
                nodes.append(target)
            row.append((marks, numbers[target]))
        arcs.append(row)
    for component in components([0], lambda state: [target for _, target in arcs[state]]):
        inside = set(component)
        seen = [marks for state in component for marks, target in arcs[state] if target in inside]
        union = 0
        for marks in seen:
            union |= marks
        if seen and union == full:
            return False
    return True
