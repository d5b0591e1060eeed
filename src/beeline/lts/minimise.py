"""The smallest system that does the same, in one of three senses."""

from __future__ import annotations

from beeline.lts.lts import TAU, Arc, Lts
from beeline.lts.refine import Partition, branching, strong
from beeline.lts.words import determinised

EQUIVALENCES = {
    "strong": "strong bisimulation: every step counts, hidden ones as well",
    "branching": "branching bisimulation: hidden steps count only where they take something away",
    "trace": "weak traces: the same visible words, whatever the choices between them",
}


def minimised(lts: Lts, equivalence: str) -> Lts:
    """The smallest system that is equivalent; its states are those that can be reached.

    >>> twice = Lts.of(4, 0, [(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "b", 3)])
    >>> [minimised(twice, name).states for name in EQUIVALENCES]
    [3, 3, 3]
    """
    if equivalence == "trace":
        deterministic = determinised(lts)
        return quotient(deterministic, strong(deterministic)[-1])
    if equivalence == "branching":
        return quotient(lts, branching(lts)[-1], drops_hidden=True)
    return quotient(lts, strong(lts)[-1])


def quotient(lts: Lts, blocks: Partition, drops_hidden: bool = False) -> Lts:
    """One state for each block that can be reached; hidden steps inside a block may be dropped."""
    arcs = dict.fromkeys(
        (blocks[source], label, blocks[target])
        for source, label, target in lts.arcs
        if not (drops_hidden and label == TAU and blocks[source] == blocks[target])
    )
    return reachable(Lts(max(blocks) + 1, blocks[lts.initial], tuple(arcs)))


def reachable(lts: Lts) -> Lts:
    """Only what can be reached, numbered in the order of breadth-first search."""
    successors = lts.successors()
    numbers, order = {lts.initial: 0}, [lts.initial]
    for state in order:
        for _, target in successors[state]:
            if target not in numbers:
                numbers[target] = len(numbers)
                order.append(target)
    arcs: list[Arc] = [
        (numbers[state], label, numbers[target]) for state in order for label, target in successors[state]
    ]
    return Lts.of(len(order), 0, arcs)
