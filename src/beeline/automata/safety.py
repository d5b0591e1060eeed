"""Safety formulas: a violation shows after finitely many letters, so a search for a state finds it, and a shortest one.

The closure of a language has the same good prefixes and is accepted by the trimmed automaton when all its runs are
accepting. A formula is a safety formula if its closure adds nothing (Alpern and Schneider 1987). A prefix is bad if it
leaves no run: the subset construction finds every bad prefix as soon as there is one (Kupferman and Vardi 2001).
"""

from __future__ import annotations

from beeline.automata.automaton import Edge
from beeline.automata.formula import Formula, propositions
from beeline.automata.graph import Graph, merged
from beeline.automata.letters import ALL, Letters
from beeline.automata.obligation import is_syntactic_safety
from beeline.automata.product import graphs_intersect
from beeline.automata.simplify import simplify
from beeline.automata.simulation import bisimulation_classes, representatives
from beeline.automata.structure import structure, trimmed
from beeline.automata.subsets import Subsets, TooManySubsets
from beeline.automata.translate import translate
from beeline.records import Record

LIMIT = 4096  # subsets of the exact monitor


class Monitor(Record, frozen=True):
    """An automaton on finite words: a prefix that can lead to `bad` violates the formula, whatever follows."""

    propositions: tuple[str, ...]
    initial: int
    edges: tuple[tuple[Edge, ...], ...]
    bad: int | None
    """The only state without edges; None if no prefix is bad."""
    exact: bool
    """Whether every bad prefix leads to `bad`; the monitor is deterministic then. Else only prefixes do that tell by
    themselves why the formula is violated, and there may be several runs."""

    def first_bad(self, word: list[int]) -> int | None:
        """The length of the shortest prefix of `word`, a list of letters, that leads to `bad`."""
        states = {self.initial}
        for length in range(len(word) + 1):
            if self.bad in states:
                return length
            if length < len(word):
                states = {e.target for s in states for e in self.edges[s] if e.reads(word[length])}
        return None


def is_safety(formula: Formula) -> bool:
    """Whether every violation of `formula` has a bad prefix; exact.

    >>> from beeline.automata.parser import parse_ltl
    >>> is_safety(parse_ltl("p W q")), is_safety(parse_ltl("p U q"))
    (True, False)
    """
    if is_syntactic_safety(simplify(formula)):
        return True
    names = propositions(formula)
    letters = Letters()
    closure = _closure(Graph.of(translate(formula, names), letters))
    return not graphs_intersect(closure, Graph.of(translate(~formula, names), letters))


def bad_prefix_monitor(formula: Formula, names: tuple[str, ...] | None = None, limit: int = LIMIT) -> Monitor:
    """The monitor of the bad prefixes of `formula`: exact, unless that takes more than `limit` subsets.

    If `is_safety(formula)`, each violation has a bad prefix; else some violations have none.
    """
    names = propositions(formula) if names is None else names
    letters = Letters()
    try:
        return _exact(_closure(Graph.of(translate(formula, names), letters)), names, limit)
    except TooManySubsets:
        return _informative(trimmed(Graph.of(translate(~formula, names), letters)), names)


def _closure(graph: Graph) -> Graph:
    graph = trimmed(graph)
    live = any(part.accepting for part in structure(graph))
    arcs = [merged(graph.letters, [(guard, 0, target) for guard, _, target in row]) for row in graph.arcs]
    return Graph(graph.letters, graph.initial, arcs if live else [[] for _ in arcs], 0)


def _exact(closure: Graph, names: tuple[str, ...], limit: int) -> Monitor:
    live = any(closure.arcs[closure.initial])
    subsets = Subsets(closure, len(names), limit)
    bad = [not subset or not live for subset in subsets.subsets]
    arcs = [
        [] if bad[state] else [(guard, 0, target) for target, guard in sorted(row.items())]
        for state, row in enumerate(subsets.rows)
    ]
    whole = Graph(closure.letters, 0, arcs, 0)
    classes = bisimulation_classes(whole, arcs, len(names), [int(flag) for flag in bad])
    chosen = representatives(classes)
    kept = [state for state in range(len(arcs)) if chosen[state] == state]
    return _monitor(whole.quotient(chosen), names, [kept.index(s) for s in kept if bad[s]], exact=True)


def _informative(violations: Graph, names: tuple[str, ...]) -> Monitor:
    """Prefixes after which the automaton of the negation is where it accepts every continuation."""
    letters = violations.letters
    bad: set[int] = set()
    for part in structure(violations):
        inside = part.states | bad
        if (
            part.accepting
            and part.weak
            and all(
                letters.any(guard for guard, _, target in violations.arcs[state] if target in inside) == ALL
                for state in part.states
            )
        ):
            bad |= part.states
    first = min(bad, default=None)
    chosen = [first if first is not None and state in bad else state for state in range(len(violations.arcs))]
    arcs = [[] if state in bad else row for state, row in enumerate(violations.arcs)]
    graph = Graph(letters, violations.initial, arcs, violations.sets).quotient(chosen)
    kept = [state for state in range(len(arcs)) if chosen[state] == state]
    return _monitor(graph, names, [] if first is None else [kept.index(first)], exact=False)


def _monitor(graph: Graph, names: tuple[str, ...], bad: list[int], exact: bool) -> Monitor:
    order = graph.reachable()
    number = {state: index for index, state in enumerate(order)}
    plain = [merged(graph.letters, [(guard, 0, target) for guard, _, target in graph.arcs[state]]) for state in order]
    rows = (sorted((number[target], guard) for guard, _, target in row) for row in plain)
    edges = tuple(tuple(Edge(graph.letters.cubes(guard), 0, target) for target, guard in row) for row in rows)
    return Monitor(names, 0, edges, next((number[state] for state in bad if state in number), None), exact)
