"""What the strongly connected components tell: which states are of use, which acceptance sets, and how strong an
automaton is."""

from __future__ import annotations

from beeline.automata.graph import Arc, Graph, components
from beeline.automata.letters import ALL
from beeline.records import Record


class Component(Record, frozen=True):
    """A strongly connected component of a graph."""

    states: frozenset[int]
    cyclic: bool
    accepting: bool
    """Whether some cycle is accepting."""
    weak: bool
    """Whether all cycles are accepting, or none."""


def structure(graph: Graph) -> list[Component]:
    """The components of the reachable states, each after those that it leads to."""
    found = components([graph.initial], lambda state: [target for _, _, target in graph.arcs[state]])
    return [_component(graph, frozenset(states)) for states in found]


def inner_arcs(graph: Graph, states: frozenset[int]) -> list[tuple[int, Arc]]:
    """The arcs that stay in a component, with their sources."""
    return [(state, arc) for state in sorted(states) for arc in graph.arcs[state] if arc[2] in states]


def _component(graph: Graph, states: frozenset[int]) -> Component:
    arcs = inner_arcs(graph, states)
    union = 0
    for _, (_, marks, _) in arcs:
        union |= marks
    accepting = bool(arcs) and union == graph.full
    weak = not accepting or not any(_avoidable(arcs, states, 1 << mark) for mark in range(graph.sets))
    return Component(states, bool(arcs), accepting, weak)


def _avoidable(arcs: list[tuple[int, Arc]], states: frozenset[int], mark: int) -> bool:
    """Whether a cycle without the mark exists."""
    following: dict[int, list[int]] = {state: [] for state in states}
    for source, (_, marks, target) in arcs:
        if not marks & mark:
            if target == source:
                return True
            following[source].append(target)
    return any(len(component) > 1 for component in components(sorted(states), following.__getitem__))


def trimmed(graph: Graph) -> Graph:
    """Without states from which no word is accepted, and those that are not reachable."""
    useful: set[int] = set()
    for component in structure(graph):
        if component.accepting or any(t in useful for s in component.states for _, _, t in graph.arcs[s]):
            useful |= component.states
    return graph.restricted(useful)


def with_few_sets(graph: Graph) -> Graph:
    """The same language with as few acceptance sets as the components need.

    A run stays in one component in the end. So each has its own sets: those that contain others, or that no cycle
    avoids, are left out there, and the numbers are used again. Arcs outside of accepting components get no marks, those
    of weak ones all.
    """
    parts = structure(graph)
    needed = {part: _needed(graph, part) for part in parts if part.accepting}
    sets = max((len(marks) for marks in needed.values()), default=0)
    if any(part.cyclic and not part.accepting for part in parts):
        sets = max(sets, 1)  # else runs that stay there would be accepting
    full = (1 << sets) - 1
    arcs: list[list[Arc]] = [[] for _ in graph.arcs]
    for part in parts:
        chosen = needed.get(part)
        for state in part.states:
            for guard, marks, target in graph.arcs[state]:
                new = 0
                if chosen is not None and target in part.states:
                    new = full & ~sum(1 << place for place, mark in enumerate(chosen) if not marks & mark)
                arcs[state].append((guard, new, target))
    return Graph(graph.letters, graph.initial, arcs, sets).quotient(list(range(len(arcs))))


def _needed(graph: Graph, part: Component) -> list[int]:
    """The acceptance sets of a component that are not implied by others."""
    if part.weak:
        return []
    arcs = inner_arcs(graph, part.states)
    needed: list[int] = []
    sets = [frozenset(i for i, (_, arc) in enumerate(arcs) if arc[1] >> mark & 1) for mark in range(graph.sets)]
    for mark in range(graph.sets):
        if not _avoidable(arcs, part.states, 1 << mark):
            continue
        implied = any(
            sets[other] < sets[mark] or (sets[other] == sets[mark] and other < mark)
            for other in range(graph.sets)
            if other != mark
        )
        if not implied:
            needed.append(1 << mark)
    return needed


def strength_of(graph: Graph) -> str:
    """``terminal``, ``weak`` or ``strong``; see `beeline.automata.strength`."""
    parts = structure(graph)
    if not all(part.weak for part in parts):
        return "strong"
    for part in parts:
        if part.accepting:
            for state in part.states:
                inside = graph.letters.any(guard for guard, _, target in graph.arcs[state] if target in part.states)
                if inside != ALL:
                    return "weak"
    return "terminal"
