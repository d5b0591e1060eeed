"""Direct simulation, forwards and backwards: states that can do no more than others are merged, arcs that offer no more
than others are dropped (Etessami and Holzmann 2000; Somenzi and Bloem 2000; signatures after Babiak et al. 2013).

The signature of a state is a Boolean function over letters, missing marks and classes of states, in which an arc with
more marks and a better target is implied by one with less. So a state simulates another if its signature is implied.
"""

from __future__ import annotations

from beeline.automata.graph import Arc, Graph, merged
from beeline.automata.letters import NONE, Letters
from beeline.automata.structure import structure

_AFFORDABLE = 120  # states; beyond, states are merged only if they can do the very same (bisimulation)


def forward_reduced(graph: Graph, first_variable: int, colours: list[int] | None = None) -> Graph:
    """The quotient by mutual simulation, without arcs that a better one covers.

    `first_variable` is the first variable that no guard uses. States of different `colours` are never merged.
    """
    simulating = len(graph.arcs) <= _AFFORDABLE
    classes, above = _classes(graph, graph.arcs, first_variable, colours or [0] * len(graph.arcs), simulating)
    if above is not None:
        graph = _pruned(graph, classes, above)
    return graph.quotient(representatives(classes))


def backward_reduced(graph: Graph, first_variable: int, colours: list[int] | None = None) -> Graph:
    """The quotient by mutual backward simulation: states that are reached by the same pasts become one."""
    incoming: list[list[Arc]] = [[] for _ in graph.arcs]
    for source, row in enumerate(graph.arcs):
        for guard, marks, target in row:
            incoming[target].append((guard, marks, source))
    colour = [2 * c + (state == graph.initial) for state, c in enumerate(colours or [0] * len(graph.arcs))]
    classes, _ = _classes(graph, incoming, first_variable, colour, simulating=len(graph.arcs) <= _AFFORDABLE)
    return _united(graph, representatives(classes))


def bisimulation_classes(graph: Graph, arcs: list[list[Arc]], first_variable: int, colours: list[int]) -> list[int]:
    """The class of each state: states of one class have the same colour and can do the very same."""
    return _classes(graph, arcs, first_variable, colours, simulating=False)[0]


def representatives(classes: list[int]) -> list[int]:
    """For each state the first one of its class."""
    first: dict[int, int] = {}
    return [first.setdefault(number, state) for state, number in enumerate(classes)]


def _united(graph: Graph, representative: list[int]) -> Graph:
    """The quotient in which a class has the arcs of all its states."""
    arcs: list[list[Arc]] = [[] for _ in graph.arcs]
    for state, row in enumerate(graph.arcs):
        arcs[representative[state]].extend(row)
    return Graph(graph.letters, graph.initial, arcs, graph.sets).quotient(representative)


def _classes(
    graph: Graph, arcs: list[list[Arc]], first_variable: int, colours: list[int], simulating: bool
) -> tuple[list[int], list[int] | None]:
    """The class of each state, and for each class the mask of the classes that simulate it (None: bisimulation)."""
    letters = graph.letters
    numbers = {colour: index for index, colour in enumerate(sorted(set(colours)))}
    classes = [numbers[colour] for colour in colours]
    above = [1 << index for index in range(len(numbers))]
    offset = first_variable + graph.sets
    while True:
        signatures = []
        for state, row in enumerate(arcs):
            options = []
            for guard, marks, target in row:
                missing = (graph.full & ~marks) << first_variable
                options.append(letters.both(guard, letters.cube(missing | above[classes[target]] << offset, 0)))
            signatures.append((colours[state], letters.any(options)))
        found = {signature: index for index, signature in enumerate(sorted(set(signatures)))}
        new = [found[signature] for signature in signatures]
        if simulating:
            order = sorted(found)
            before = dict(zip(new, classes, strict=True))  # the order only ever loses pairs
            new_above = [
                sum(
                    1 << index
                    for index, (other_colour, other) in enumerate(order)
                    if colour == other_colour
                    and above[before[number]] >> before[index] & 1
                    and letters.implies(signature, other)
                )
                for number, (colour, signature) in enumerate(order)
            ]
        else:
            new_above = [1 << index for index in range(len(found))]
        if len(found) == len(above) and _same_order(classes, above, new, new_above):
            return new, new_above if simulating else None
        classes, above = new, new_above


def _same_order(classes: list[int], above: list[int], new: list[int], new_above: list[int]) -> bool:
    """Whether two numberings give the same partition and the same order of its parts."""
    renamed = dict(zip(classes, new, strict=True))
    if len(set(zip(classes, new, strict=True))) != len(renamed):
        return False
    return all(
        new_above[renamed[number]]
        == sum(1 << renamed[other] for other in range(len(above)) if above[number] >> other & 1)
        for number in renamed
    )


def _pruned(graph: Graph, classes: list[int], above: list[int]) -> Graph:
    """Without letters on arcs for which a better arc of the same state reads them."""
    letters = graph.letters
    arcs: list[list[Arc]] = []
    for row in graph.arcs:
        if _disjoint(letters, row):
            arcs.append(row)
            continue
        options: dict[tuple[int, int], int] = {}
        for guard, marks, target in row:
            option = (marks, classes[target])
            options[option] = letters.either(options.get(option, NONE), guard)
        kept: dict[tuple[int, int], int] = {}
        for (marks, target), guard in options.items():
            for (other_marks, other), other_guard in options.items():
                better = not marks & ~other_marks and above[target] >> other & 1
                if better and (marks, target) != (other_marks, other):
                    guard = letters.without(guard, other_guard)
            kept[marks, target] = guard
        arcs.append(merged(letters, [(letters.both(g, kept[m, classes[target]]), m, target) for g, m, target in row]))
    return Graph(letters, graph.initial, arcs, graph.sets)


def _disjoint(letters: Letters, row: list[Arc]) -> bool:
    """Whether no letter has a choice of arcs."""
    seen = NONE
    for guard, _, _ in row:
        if letters.both(seen, guard) != NONE:
            return False
        seen = letters.either(seen, guard)
    return True


def transient_merged(graph: Graph, staying: int = NONE) -> Graph:
    """Merges a state on no cycle with another one that has the same arcs up to marks, which do not matter there.

    A loop that reads just `staying` is no cycle in this sense, but both states must have one, or none.
    """
    parts = structure(graph)
    transient = [
        state for part in parts if len(part.states) == 1 for state in part.states if _passes(graph, state, staying)
    ]
    if not transient:
        return graph
    representative = list(range(len(graph.arcs)))
    passing = set(transient)
    known = {
        _plain(graph, state, representative, staying): state
        for state in reversed(range(len(graph.arcs)))
        if state not in passing
    }
    for state in transient:  # targets are settled before their sources
        representative[state] = known.setdefault(_plain(graph, state, representative, staying), state)
    return graph.quotient(representative)


def _passes(graph: Graph, state: int, staying: int) -> bool:
    return all(guard == staying for guard, _, target in graph.arcs[state] if target == state)


def _plain(graph: Graph, state: int, representative: list[int], staying: int) -> tuple[tuple[int, int], ...]:
    options: dict[int, int] = {}
    for guard, _, target in graph.arcs[state]:
        target = -1 if guard == staying else representative[target]
        options[target] = graph.letters.either(options.get(target, NONE), guard)
    return tuple(sorted(options.items()))
