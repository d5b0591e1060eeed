"""The smallest deterministic automata of obligations, the Boolean combinations of safety and guarantee properties.

An obligation has a weak deterministic automaton, and among those a smallest one (Löding 2001). It is found by a subset
construction without regard to acceptance, a word of each component that tells whether the component accepts, and the
minimisation of automata on finite words (Dax, Eisinger and Klaedtke 2007). For other formulas the result is wrong;
products with the automata of the formula and of its negation tell so.
"""

from __future__ import annotations

from collections.abc import Callable

from beeline.automata.formula import Formula
from beeline.automata.graph import Arc, Graph, components
from beeline.automata.product import graphs_intersect, lasso_accepted
from beeline.automata.simulation import bisimulation_classes, representatives
from beeline.automata.structure import structure
from beeline.automata.subsets import Subsets, TooManySubsets


def is_syntactic_obligation(formula: Formula) -> bool:
    """Whether the operators alone tell that a formula in negation normal form is a Boolean combination of safety and
    guarantee properties."""
    if formula.kind in ("and", "or", "X"):
        return all(map(is_syntactic_obligation, formula.children))
    return is_syntactic_safety(formula) or is_syntactic_guarantee(formula)


def is_syntactic_safety(formula: Formula) -> bool:
    """Whether the operators alone tell that each violation has a bad prefix."""
    return formula.kind not in ("F", "U", "M") and all(map(is_syntactic_safety, formula.children))


def is_syntactic_guarantee(formula: Formula) -> bool:
    """Whether the operators alone tell that each satisfaction has a good prefix."""
    return formula.kind not in ("G", "R", "W") and all(map(is_syntactic_guarantee, formula.children))


def minimal_weak(
    graph: Graph, variables: int, formula: Formula, negation: Callable[[], Graph | None], limit: int
) -> Graph | None:
    """The smallest weak deterministic graph with the language of `graph`; None if there is none, or none with at most
    `limit` subsets on the way.

    `negation` gives the graph of the complement if it is needed, in the same letters.
    """
    try:
        deterministic = Subsets(graph, variables, limit)
    except TooManySubsets:
        return None
    final = _coloured(deterministic)
    arcs: list[list[Arc]] = [
        [(guard, int(final[state]), target) for target, guard in sorted(row.items())]
        for state, row in enumerate(deterministic.rows)
    ]
    whole = Graph(graph.letters, 0, arcs, 1)
    classes = bisimulation_classes(whole, arcs, variables, [int(flag) for flag in final])
    smallest = whole.quotient(representatives(classes))
    if is_syntactic_obligation(formula):
        return smallest
    if graphs_intersect(_complement(smallest), graph):
        return None
    other = negation()
    return smallest if other is not None and not graphs_intersect(smallest, other) else None


def _complement(weak: Graph) -> Graph:
    arcs = [[(guard, 1 - marks, target) for guard, marks, target in row] for row in weak.arcs]
    return Graph(weak.letters, weak.initial, arcs, 1)


def _coloured(subsets: Subsets) -> list[bool]:
    """Which states are to count as accepting so that minimisation merges as much as possible: states on no cycle count
    like those that they lead to (Löding 2001)."""
    found = components([0], lambda state: sorted(subsets.rows[state]))
    part_of = {state: index for index, part in enumerate(found) for state in part}
    colours: list[int] = []
    for part in found:
        inside = set(part)
        lowest = 2 * len(found) + 1
        cyclic = False
        for state in part:
            for target in subsets.rows[state]:
                if target in inside:
                    cyclic = True
                else:
                    lowest = min(lowest, colours[part_of[target]])
        if cyclic and _accepts_cycle(subsets, part[0], inside) != (lowest % 2 == 0):
            lowest -= 1
        colours.append(lowest)
    return [colours[part_of[state]] % 2 == 0 for state in range(len(subsets.rows))]


def _accepts_cycle(subsets: Subsets, start: int, inside: set[int]) -> bool:
    """Whether the word of some cycle through `start` is accepted from there."""
    came: dict[int, tuple[int, int]] = {}
    queue = [start]
    for state in queue:  # grows meanwhile
        for target, guard in sorted(subsets.rows[state].items()):
            if target in inside and target not in came:
                came[target] = (state, guard)
                queue.append(target)
        if start in came:
            break
    cycle: list[int] = []
    state = start
    while not cycle or state != start:
        state, guard = came[state]
        cycle.append(subsets.graph.letters.some(guard))
    return lasso_accepted(subsets.graph, subsets.states(start), cycle[::-1])


def is_weak(graph: Graph) -> bool:
    """Whether all components of a graph are weak."""
    return all(part.weak for part in structure(graph))
