"""Automata while they are worked on: edges that can be changed, guards as numbers of a `Letters`, strongly connected
components."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from beeline.automata.automaton import Automaton, Edge
from beeline.automata.letters import NONE, Letters

Node = TypeVar("Node", bound=Hashable)
Arc = tuple[int, int, int]
"""A guard, acceptance marks, a target."""


class Graph:
    """A generalised Büchi automaton with guards of `letters`; at most one arc of a state has given marks and target."""

    def __init__(self, letters: Letters, initial: int, arcs: list[list[Arc]], sets: int) -> None:
        self.letters = letters
        self.initial = initial
        self.arcs = arcs
        self.sets = sets

    @staticmethod
    def of(automaton: Automaton, letters: Letters) -> Graph:
        """The graph of an automaton."""
        arcs = [[(letters.of(edge.guard), edge.marks, edge.target) for edge in edges] for edges in automaton.edges]
        return Graph(letters, automaton.initial, [merged(letters, row) for row in arcs], automaton.sets)

    def automaton(self, propositions: tuple[str, ...], state_based: bool = False) -> Automaton:
        """The automaton of this graph, with states in the order in which a breadth-first search meets them."""
        order = self.reachable()
        number = {state: index for index, state in enumerate(order)}
        rows = []
        for state in order:
            arcs = sorted((number[target], marks, guard) for guard, marks, target in self.arcs[state])
            rows.append(tuple(Edge(self.letters.cubes(guard), marks, target) for target, marks, guard in arcs))
        return Automaton(propositions, 0, tuple(rows), self.sets, state_based)

    @property
    def full(self) -> int:
        """The mask of all acceptance sets."""
        return (1 << self.sets) - 1

    def reachable(self) -> list[int]:
        """The reachable states, breadth first."""
        seen = {self.initial}
        order = [self.initial]
        for state in order:
            for _, _, target in self.arcs[state]:
                if target not in seen:
                    seen.add(target)
                    order.append(target)
        return order

    def restricted(self, kept: Iterable[int]) -> Graph:
        """The graph on some of its states; the initial one stays in any case."""
        order = sorted({self.initial, *kept})
        number = {state: index for index, state in enumerate(order)}
        arcs = [[(g, marks, number[target]) for g, marks, target in self.arcs[s] if target in number] for s in order]
        return Graph(self.letters, number[self.initial], arcs, self.sets)

    def quotient(self, representative: list[int]) -> Graph:
        """The graph on the states that represent themselves: others' arcs are gone, arcs to them are redirected."""
        order = [state for state, chosen in enumerate(representative) if state == chosen]
        number = {state: index for index, state in enumerate(order)}
        arcs = [
            merged(self.letters, [(g, marks, number[representative[target]]) for g, marks, target in self.arcs[state]])
            for state in order
        ]
        return Graph(self.letters, number[representative[self.initial]], arcs, self.sets)


def merged(letters: Letters, arcs: Iterable[Arc]) -> list[Arc]:
    """The same arcs, those with equal marks and target as one; without those that no letter fits."""
    found: dict[tuple[int, int], int] = {}
    for guard, marks, target in arcs:
        if guard != NONE:
            found[marks, target] = letters.either(found.get((marks, target), NONE), guard)
    return [(guard, marks, target) for (marks, target), guard in sorted(found.items())]


def components(roots: Iterable[Node], successors: Callable[[Node], Iterable[Node]]) -> list[list[Node]]:
    """The strongly connected components of what the roots reach, each after those that it leads to (Tarjan)."""
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    on_stack: set[Node] = set()
    stack: list[Node] = []
    found: list[list[Node]] = []
    for root in roots:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        path = [(root, iter(successors(root)))]
        while path:
            state, targets = path[-1]
            for target in targets:
                if target not in number:
                    number[target] = low[target] = len(number)
                    stack.append(target)
                    on_stack.add(target)
                    path.append((target, iter(successors(target))))
                    break
                if target in on_stack:
                    low[state] = min(low[state], number[target])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[state])
                if low[state] == number[state]:
                    place = stack.index(state)
                    found.append(stack[place:])
                    on_stack.difference_update(stack[place:])
                    del stack[place:]
    return found
