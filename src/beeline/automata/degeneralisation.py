"""From several acceptance sets to one: Büchi automata with accepting states, or with accepting transitions.

A state remembers how many sets have been met since the last time that all were (its level). Levels matter only inside a
component that is neither rejecting nor weak, so they are forgotten wherever a component is left (Babiak et al. 2013).
"""

from __future__ import annotations

from itertools import islice, permutations

from beeline.automata.automaton import Automaton
from beeline.automata.graph import Arc, Graph, merged
from beeline.automata.letters import Letters
from beeline.automata.simulation import backward_reduced, forward_reduced, transient_merged
from beeline.automata.structure import Component, structure, trimmed, with_few_sets

_ORDERS = 24  # orders of the acceptance sets that are tried
_REDUCED = 3  # how many of the smallest results are reduced
_SMALL = 40  # states up to which more than one order is tried


def degeneralise(automaton: Automaton, state_based: bool = True) -> Automaton:
    """A Büchi automaton of the same language, reduced: one acceptance set.

    With `state_based`, all edges of a state are accepting or none is.
    """
    graph = with_few_sets(trimmed(Graph.of(automaton, Letters())))
    count = _ORDERS if graph.sets > 1 and len(graph.arcs) <= _SMALL else 1
    orders = islice(permutations(range(graph.sets)), count)
    made = sorted((_Levels(graph, order, state_based).graph() for order in orders), key=_size)
    reduce = reduced_by_states if state_based else _reduced_by_arcs
    tried = _REDUCED if len(made[0].arcs) <= _SMALL else 1
    smaller = [reduce(candidate, len(automaton.propositions)) for candidate in made[:tried]]
    return min(smaller, key=_size).automaton(automaton.propositions, state_based)


def _size(graph: Graph) -> tuple[int, int]:
    return len(graph.arcs), sum(map(len, graph.arcs))


class _Levels:
    def __init__(self, graph: Graph, order: tuple[int, ...], state_based: bool) -> None:
        self.graph_before = graph
        self.marks = [1 << mark for mark in order]
        self.top = len(order)
        self.state_based = state_based
        self.part: dict[int, Component] = {state: part for part in structure(graph) for state in part.states}
        self.common = {state: self._common_marks(state) for state in self.part}
        self.numbers: dict[tuple[int, int], int] = {}
        self.nodes: list[tuple[int, int]] = []

    def _common_marks(self, state: int) -> int:
        """The marks that every arc has by which a run can stay in the component."""
        common = self.graph_before.full
        for _, marks, target in self.graph_before.arcs[state]:
            if target in self.part[state].states:
                common &= marks
        return common

    def graph(self) -> Graph:
        before = self.graph_before
        initial = self._number(before.initial, self._entry(before.initial))
        arcs: list[list[Arc]] = []
        for state, level in self.nodes:  # grows meanwhile
            row = []
            for guard, marks, target in before.arcs[state]:
                accepting, following = self._step(state, level, marks, target)
                row.append((guard, int(accepting), self._number(target, following)))
            arcs.append(merged(before.letters, row))
        return Graph(before.letters, initial, arcs, 1)

    def _number(self, state: int, level: int) -> int:
        number = self.numbers.get((state, level))
        if number is None:
            number = self.numbers[state, level] = len(self.nodes)
            self.nodes.append((state, level))
        return number

    def _entry(self, state: int) -> int:
        """The level of a state that is entered from another component: one that it has already, if possible."""
        part = self.part[state]
        if part.weak or not part.cyclic:
            return self.top if self.state_based and part.accepting else 0
        known = (level for level in range(self.top + 1) if (state, level) in self.numbers)
        return next(known, self._advanced(0, self.common[state]))

    def _advanced(self, level: int, marks: int) -> int:
        while level < self.top and marks & self.marks[level]:
            level += 1
        return level

    def _step(self, state: int, level: int, marks: int, target: int) -> tuple[bool, int]:
        part = self.part[state]
        inside = target in part.states
        accepting = self.state_based and part.accepting and level == self.top
        if not inside:
            return accepting, self._entry(target)
        if part.weak or not part.cyclic:
            return part.accepting, self._entry(target)
        if self.state_based:
            level = self._advanced(0 if level == self.top else level, marks)
            return accepting, self._advanced(level, self.common[target])
        level = self._advanced(level, marks)
        if level == self.top:
            return True, self._advanced(0, marks) % self.top
        return False, level


def reduced_by_states(graph: Graph, variables: int) -> Graph:
    """A smaller graph of the same language, in which still all arcs of a state are accepting or none."""
    graph = _clear(trimmed(graph))
    while True:
        before = _size(graph)
        graph = _clear(trimmed(transient_merged(forward_reduced(graph, variables))))
        colours = [int(any(marks for _, marks, _ in row)) for row in graph.arcs]
        graph = _clear(trimmed(transient_merged(backward_reduced(graph, variables, colours))))
        if _size(graph) >= before:
            return graph


def _reduced_by_arcs(graph: Graph, variables: int) -> Graph:
    from beeline.automata.translate import reduced

    graph = reduced(graph, variables)
    if graph.sets == 0:
        arcs = [[(guard, 1, target) for guard, _, target in row] for row in graph.arcs]
        graph = Graph(graph.letters, graph.initial, arcs, 1)
    return graph


def _clear(graph: Graph) -> Graph:
    """States of weak accepting components become accepting, those that lie on no accepting cycle do not."""
    accepting: set[int] = set()
    for part in structure(graph):
        if part.accepting:
            accepting |= {s for s in part.states if part.weak or any(marks for _, marks, _ in graph.arcs[s])}
    arcs = [
        merged(graph.letters, [(guard, int(state in accepting), target) for guard, _, target in row])
        for state, row in enumerate(graph.arcs)
    ]
    return Graph(graph.letters, graph.initial, arcs, graph.sets)
