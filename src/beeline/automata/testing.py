"""Testing automata, which look at changes of propositions instead of their values (Geldenhuys and Hansen 2006; the
generalised ones after Ben Salem, Duret-Lutz and Kordon 2012). They are for stutter-invariant formulas alone.

They are made from Büchi automata in three steps: states get one valuation each, the one that is read when they are left
(`state_labelled`); edges get the difference of the valuations at their ends; steps without a change go, since any state
may stay where it is, and where staying for ever is accepting, that is noted.

Two clauses of the paper are not followed: a letter is read in the source of an edge, not in its target, and no state
becomes initial because it can reach an initial one without a change (its language would grow).
"""

from __future__ import annotations

from collections.abc import Iterable

from beeline.automata.automaton import Automaton
from beeline.automata.degeneralisation import degeneralise
from beeline.automata.formula import Formula
from beeline.automata.graph import Arc, Graph, components, merged
from beeline.automata.letters import Letters
from beeline.automata.parser import LtlError
from beeline.automata.simulation import bisimulation_classes, forward_reduced, representatives, transient_merged
from beeline.automata.structure import structure
from beeline.automata.stuttering import require_stutter_invariant, with_set
from beeline.automata.translate import reduced, translate
from beeline.records import Record

_PROPOSITIONS = 8  # there is a state for each valuation: beyond this, the automata explode
_BUCHI, _LIVELOCK = 1, 2  # marks of the graph of a testing automaton


class StateLabelled(Record, frozen=True):
    """A Büchi automaton (SLBA) whose state says which valuation holds while the system is there."""

    propositions: tuple[str, ...]
    valuations: tuple[int, ...]
    initial: tuple[int, ...]
    successors: tuple[tuple[int, ...], ...]
    accepting: frozenset[int]


class ChangeEdge(Record, frozen=True):
    """A step that changes the propositions of a mask, which is never empty; `marks` are acceptance sets (TGTA)."""

    change: int
    marks: int
    target: int


class ChangeAutomaton(Record, frozen=True):
    """A testing automaton (TA), or a generalised one (TGTA) with `sets` acceptance sets on its edges.

    A run begins in a state that is initial for the first valuation. While nothing changes, it stays; else it takes an
    edge with the very change. It is accepting if it stays in a state of `livelock` for ever; or, in a TA, if it changes
    for ever and meets `accepting` infinitely often; in a TGTA, if it meets all acceptance sets infinitely often, where
    staying in a state of `livelock` meets them all.
    """

    propositions: tuple[str, ...]
    initial: tuple[tuple[int, int], ...]
    """Pairs of a valuation and a state."""
    edges: tuple[tuple[ChangeEdge, ...], ...]
    livelock: frozenset[int]
    accepting: frozenset[int] = frozenset()
    sets: int = 0


def state_labelled(automaton: Automaton) -> StateLabelled:
    """The state-labelled automaton of a Büchi automaton, without dead ends, equivalent states merged."""
    _check_size(automaton)
    if automaton.sets != 1 or not automaton.state_based:
        automaton = degeneralise(automaton)
    valuations = range(1 << len(automaton.propositions))
    width = len(valuations)
    letters = Letters()
    minterms = [letters.cube(valuation, width - 1 & ~valuation) for valuation in valuations]
    start = automaton.states * width
    arcs: list[list[Arc]] = []
    for edges in automaton.edges:
        for valuation in valuations:
            targets = [(edge.target * width, edge.marks) for edge in edges if edge.reads(valuation)]
            arcs.append([(minterms[next_], marks, t + next_) for t, marks in targets for next_ in valuations])
    arcs.append([(minterms[valuation], 0, automaton.initial * width + valuation) for valuation in valuations])
    graph, origin = _kept(Graph(letters, start, arcs, 1))
    colours = [2 * old + automaton.is_accepting(old // width) if old != start else -1 for old in origin]
    colours = [colour if colour < 0 else 2 * (colour // 2 % width) + colour % 2 for colour in colours]
    classes = bisimulation_classes(graph, graph.arcs, len(automaton.propositions), colours)
    chosen = representatives(classes)
    states = [state for state in range(len(origin)) if chosen[state] == state and state != graph.initial]
    number = {state: index for index, state in enumerate(states)}

    def targets_of(state: int) -> tuple[int, ...]:
        return tuple(sorted({number[chosen[target]] for _, _, target in graph.arcs[state]}))

    return StateLabelled(
        automaton.propositions,
        tuple(origin[state] % width for state in states),
        targets_of(graph.initial),
        tuple(targets_of(state) for state in states),
        frozenset(number[state] for state in states if colours[state] % 2),
    )


def testing_automaton(formula: Formula) -> ChangeAutomaton:
    """The testing automaton (TA) of a stutter-invariant formula; raises `LtlError` for another one."""
    require_stutter_invariant(formula, "a testing automaton")
    return testing_from(state_labelled(translate(formula)))


def testing_from(labelled: StateLabelled) -> ChangeAutomaton:
    """The testing automaton of a state-labelled one, whose language must be stutter-invariant."""
    count = len(labelled.successors)
    still = [
        [t for t in labelled.successors[s] if labelled.valuations[t] == labelled.valuations[s]] for s in range(count)
    ]
    livelock = {
        state
        for part in components(range(count), still.__getitem__)
        if any(target in part for state in part for target in still[state]) and labelled.accepting & set(part)
        for state in part
    }
    livelock = _backwards(livelock, still)  # before the steps without a change are gone
    changes = _Changes(Letters(), labelled.propositions)
    arcs: list[list[Arc]] = []
    for state in range(count):
        own = labelled.valuations[state]
        row = [
            (changes.change(own ^ labelled.valuations[t]), int(state in labelled.accepting), t)
            for t in labelled.successors[state]
            if labelled.valuations[t] != own
        ]
        arcs.append(row + [(changes.change(0), _LIVELOCK, state)] * (state in livelock))
    arcs.append([(changes.start(labelled.valuations[state]), 0, state) for state in labelled.initial])
    graph = _useful(Graph(changes.letters, count, arcs, 2))
    while True:
        smaller = _useful(transient_merged(forward_reduced(graph, changes.variables), changes.change(0)))
        if len(smaller.arcs) == len(graph.arcs):
            return _change_automaton(smaller, changes, labelled.propositions, sets=0)
        graph = smaller


def generalised_testing_automaton(formula: Formula) -> ChangeAutomaton:
    """The generalised testing automaton (TGTA) of a stutter-invariant formula: one pass of a search is enough."""
    require_stutter_invariant(formula, "a testing automaton")
    return generalised_testing_from(translate(formula))


def generalised_testing_from(automaton: Automaton) -> ChangeAutomaton:
    """The generalised testing automaton of an automaton, whose language must be stutter-invariant."""
    _check_size(automaton)
    letters = Letters()
    changes = _Changes(letters, automaton.propositions)
    graph = with_set(Graph.of(automaton, letters))
    valuations, width = changes.valuations, changes.first
    steps: list[list[tuple[int, int]]] = [  # marks and targets: states of the automaton, any valuation may follow
        [(marks, target * width) for guard, marks, target in row if letters.holds(guard, valuation)]
        for row in graph.arcs
        for valuation in valuations
    ]
    still = [[target + state % width for _, target in row] for state, row in enumerate(steps)]
    homes: dict[int, int] = {}  # for the states of an accepting component without changes, its first one
    for part in components(range(len(steps)), still.__getitem__):
        seen = 0
        for state in part:
            for marks, target in steps[state]:
                if target + state % width in part:
                    seen |= marks
        if seen == graph.full:
            homes.update(dict.fromkeys(part, min(part)))
    ends = _livelocks_ahead(still, homes)

    def entries(guard: int, marks: int, target: int) -> Iterable[Arc]:
        # Who enters a state that can go on to a livelock without a change may as well enter that livelock.
        return ((guard, marks, entered) for entered in {target, *ends[target]})

    minterms = [changes.change(change) for change in valuations]
    arcs: list[list[Arc]] = []
    for state, row in enumerate(steps):
        own = state % width
        found = [(minterms[0], graph.full if state in homes else 0, state)]
        for marks, target in row:
            for following in valuations:
                if following != own:
                    found.extend(entries(minterms[own ^ following], marks, target + following))
        arcs.append(merged(letters, found))
    first = [arc for own in valuations for arc in entries(changes.start(own), 0, graph.initial * width + own)]
    whole = Graph(letters, len(arcs), [*arcs, merged(letters, first)], graph.sets)
    return _change_automaton(with_set(reduced(whole, changes.variables)), changes, automaton.propositions, graph.sets)


def _livelocks_ahead(still: list[list[int]], homes: dict[int, int]) -> list[set[int]]:
    """For each state the accepting components that it reaches without a change; a state of one is there already."""
    ahead: list[set[int]] = [set() for _ in still]
    changed = True
    while changed:
        changed = False
        for state, targets in enumerate(still):
            if state not in homes:
                found = {homes[target] for target in targets if target in homes}.union(*(ahead[t] for t in targets))
                changed = changed or found != ahead[state]
                ahead[state] = found
    return ahead


def _check_size(automaton: Automaton) -> None:
    count = len(automaton.propositions)
    if count > _PROPOSITIONS:
        message = f"{count} propositions are too many for a testing automaton, which has a state for each valuation"
        raise LtlError(message, remedy=f"use at most {_PROPOSITIONS}, or check without testing automata")


class _Changes:
    """Changes as letters; the arcs of a state before the first one have valuations instead, and one more bit, so that
    the two are never taken for each other."""

    def __init__(self, letters: Letters, propositions: tuple[str, ...]) -> None:
        self.letters = letters
        self.valuations = range(1 << len(propositions))
        self.first = 1 << len(propositions)
        self.variables = len(propositions) + 1

    def change(self, change: int) -> int:
        return self.letters.cube(change, (2 * self.first - 1) & ~change)

    def start(self, valuation: int) -> int:
        return self.change(valuation | self.first)


def _kept(graph: Graph) -> tuple[Graph, list[int]]:
    """The states from which something is accepted, and which ones they were."""
    useful: set[int] = set()
    for part in structure(graph):
        if part.accepting or any(t in useful for s in part.states for _, _, t in graph.arcs[s]):
            useful |= part.states
    return graph.restricted(useful), sorted({graph.initial, *useful})


def _backwards(states: set[int], steps: list[list[int]]) -> set[int]:
    """The states that reach some of `states`."""
    found = set(states)
    changed = True
    while changed:
        before = len(found)
        found |= {state for state, targets in enumerate(steps) if found.intersection(targets)}
        changed = len(found) > before
    return found


def _useful(graph: Graph) -> Graph:
    """The graph of a testing automaton without states from which nothing is accepted; states on no cycle of changes do
    not count as accepting."""
    useful: set[int] = set()
    arcs = [list(row) for row in graph.arcs]
    for part in structure(graph):
        inner = [marks for s in part.states for _, marks, t in graph.arcs[s] if t in part.states]
        if any(inner) or any(t in useful for s in part.states for _, _, t in graph.arcs[s]):
            useful |= part.states
        if all(marks == _LIVELOCK for marks in inner):
            for state in part.states:
                arcs[state] = [(guard, marks & ~_BUCHI, target) for guard, marks, target in arcs[state]]
    return Graph(graph.letters, graph.initial, arcs, graph.sets).restricted(useful)


def _change_automaton(graph: Graph, changes: _Changes, names: tuple[str, ...], sets: int) -> ChangeAutomaton:
    letters = graph.letters
    order = [state for state in graph.reachable() if state != graph.initial]
    number = {state: index for index, state in enumerate(order)}
    stay = graph.full if sets else _LIVELOCK
    livelock = [
        s for s in order for guard, marks, t in graph.arcs[s] if t == s and marks == stay and letters.holds(guard, 0)
    ]
    edges = tuple(
        tuple(
            sorted(
                (
                    ChangeEdge(change, marks if sets else 0, number[target])
                    for guard, marks, target in graph.arcs[state]
                    for change in changes.valuations
                    if change and letters.holds(guard, change)
                ),
                key=lambda edge: (edge.change, edge.target, edge.marks),
            )
        )
        for state in order
    )
    buchi = [s for s in order if not sets and any(marks & _BUCHI for _, marks, _ in graph.arcs[s])]
    return ChangeAutomaton(
        names,
        tuple(
            sorted(
                (valuation, number[target])
                for guard, _, target in graph.arcs[graph.initial]
                for valuation in changes.valuations
                if letters.holds(guard, valuation | changes.first)
            )
        ),
        edges,
        frozenset(number[state] for state in livelock),
        frozenset(number[state] for state in buchi),
        graph.sets if sets else 0,
    )
