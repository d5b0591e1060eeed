"""Bisimulation by refining partitions: states are told apart by what they can do, round after round, until no round
tells more apart (Blom and Orzan, "A distributed algorithm for strong bisimulation reduction of state spaces", STTT 7,
2005; "Distributed branching bisimulation reduction of state spaces", PDMC 2003).

All rounds are kept: the round in which two states part is where an explanation of their difference begins.
"""

from __future__ import annotations

from collections.abc import Callable

from beeline.lts.lts import TAU, Lts

Signature = frozenset[tuple[str, int]]
Partition = list[int]
"""By state: the number of its block."""
Rounds = list[Partition]


def strong(lts: Lts) -> Rounds:
    """Partitions, each finer than the one before, down to strong bisimulation."""
    successors = lts.successors()

    def signatures(blocks: Partition) -> list[Signature]:
        return [frozenset((label, blocks[target]) for label, target in arcs) for arcs in successors]

    return _refined(lts.states, signatures)


def branching(lts: Lts) -> Rounds:
    """The same down to branching bisimulation, which does not tell of hidden steps that change nothing, nor whether
    there are infinitely many."""
    hidden_to: list[list[int]] = [[] for _ in range(lts.states)]
    for source, label, target in lts.arcs:
        if label == TAU:
            hidden_to[target].append(source)
    successors = lts.successors()

    def signatures(blocks: Partition) -> list[Signature]:
        found = [
            {
                (label, blocks[target])
                for label, target in arcs
                if not (label == TAU and blocks[target] == blocks[source])
            }
            for source, arcs in enumerate(successors)
        ]
        # What can be done after hidden steps inside a block can be done before them.
        waiting = list(range(lts.states))
        while waiting:
            state = waiting.pop()
            for before in hidden_to[state]:
                if blocks[before] == blocks[state] and not found[state] <= found[before]:
                    found[before] |= found[state]
                    waiting.append(before)
        return [frozenset(one) for one in found]

    return _refined(lts.states, signatures)


def _refined(states: int, signatures: Callable[[Partition], list[Signature]]) -> Rounds:
    rounds, count = [[0] * states], 1
    while True:
        blocks = rounds[-1]
        numbers: dict[tuple[int, Signature], int] = {}
        finer = [
            numbers.setdefault((blocks[state], signature), len(numbers))
            for state, signature in enumerate(signatures(blocks))
        ]
        if len(numbers) == count:
            return rounds
        rounds.append(finer)
        count = len(numbers)
