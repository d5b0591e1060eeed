"""From a formula to a small automaton: simplification, construction, reduction."""

from __future__ import annotations

from beeline.automata.alternating import TooLarge, generalised
from beeline.automata.automaton import Automaton
from beeline.automata.formula import Formula, propositions
from beeline.automata.graph import Graph
from beeline.automata.letters import Letters
from beeline.automata.obligation import is_syntactic_obligation, is_weak, minimal_weak
from beeline.automata.simplify import simplify
from beeline.automata.simulation import backward_reduced, forward_reduced, transient_merged
from beeline.automata.structure import trimmed, with_few_sets

LIMIT = 20_000  # states of the unreduced automaton

_SMALL = 40


def translate(formula: Formula, names: tuple[str, ...] | None = None, limit: int = LIMIT) -> Automaton:
    """The generalised Büchi automaton of the words on which `formula` holds.

    To find violations, translate the negation: ``translate(~formula)``. The automaton's propositions are those of the
    formula, sorted, unless `names` are given. Raises `TooLarge` beyond `limit` states.
    """
    names = propositions(formula) if names is None else names
    simple = simplify(formula)
    letters = Letters()
    graph = reduced(generalised(simple, names, letters, limit), len(names))
    return _deterministic(graph, simple, names, limit).automaton(names)


def _deterministic(graph: Graph, formula: Formula, names: tuple[str, ...], limit: int) -> Graph:
    """The smallest weak deterministic graph instead of `graph` if it is no larger."""
    if len(graph.arcs) > _SMALL and not (is_syntactic_obligation(formula) or is_weak(graph)):
        return graph  # most likely no obligation, and it takes a while to find that out

    def negation() -> Graph | None:
        try:
            return reduced(generalised(simplify(~formula), names, graph.letters, limit), len(names))
        except TooLarge:
            return None

    smallest = minimal_weak(graph, len(names), formula, negation, 8 * len(graph.arcs) + 32)
    if smallest is None:
        return graph
    smallest = with_few_sets(trimmed(smallest))
    return smallest if len(smallest.arcs) <= len(graph.arcs) else graph


def reduced(graph: Graph, variables: int) -> Graph:
    """A smaller graph of the same language; `variables` is the number of propositions."""
    graph = with_few_sets(trimmed(graph))
    while True:
        before = _size(graph)
        graph = transient_merged(forward_reduced(graph, variables))
        graph = transient_merged(backward_reduced(graph, variables))
        graph = with_few_sets(trimmed(graph))
        if _size(graph) >= before:
            return graph


def _size(graph: Graph) -> tuple[int, int]:
    return len(graph.arcs), sum(map(len, graph.arcs))
