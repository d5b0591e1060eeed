"""A* with sets takes the states that A* takes one by one, bucket by bucket, on circuits with all kinds of steps."""

from __future__ import annotations

from collections import Counter

import pytest
from benchmarks.symbolic.circuits import generators

from beeline.engine import Found, core
from beeline.engines.bdd import guides_of
from beeline.languages.smv import read_smv
from beeline.problems.make import problem_of
from beeline.problems.networks import NetworkProblem
from beeline.symbolic.buckets import Buckets
from beeline.symbolic.distances import Distances
from beeline.symbolic.guidance import guidance
from beeline.symbolic.quest import Quest
from beeline.symbolic.room import with_room

CIRCUITS = {
    "tree, interleaving": lambda made: made.tree_arbiter(2),
    "tree, any gates": lambda made: made.tree_arbiter(2, "any"),
    "ring, interleaving": lambda made: made.ring(3, tokens=2),
    "ring, synchronous": lambda made: made.ring(3, "synchronous", tokens=2),
}


def one_by_one(quest: Quest, distances: Distances) -> Counter[tuple[int, int]]:
    """How many states there are at each distance from the start with each estimate."""
    program, encoding = quest.system.program, quest.system.encoding
    space = core.ProgramSpace(program.native)
    layer = {words for _, _, _, words in space.initial_arcs() if words is not None}
    seen, found, distance = set(layer), Counter[tuple[int, int]](), 0
    while layer:
        for words in layer:
            state = encoding.state(program.native.unpack(words))
            for estimate, part in enumerate(distances.layers):
                if (state & part).satisfiable():
                    found[distance, estimate] += 1
        after = {arc[3] for words in layer for arc in space.successor_arcs(words)[1] if arc[3] is not None}
        layer = after - seen
        seen |= layer
        distance += 1
    return found


@pytest.mark.parametrize("name", CIRCUITS)
@pytest.mark.parametrize("depth", [1, 3])
def test_buckets_have_the_same_states(name: str, depth: int) -> None:
    network = read_smv(CIRCUITS[name](generators()))
    problem = problem_of(network, network.properties[0])
    assert isinstance(problem, NetworkProblem) and problem.asked.sought is not None

    def compare(quest: Quest) -> None:
        distances = guidance(quest)
        search = Buckets(quest, distances, lambda _, states: distances.split(quest.system.successors(states)))
        findings = search.run()
        assert findings.way is not None
        least = len(findings.way.states) - 1
        expected = one_by_one(quest, distances)
        assert least == min(distance for distance, estimate in expected if estimate == 0)
        nearer = {bucket: count for bucket, count in expected.items() if sum(bucket) < least}
        assert {bucket: count for bucket, count in search.counts.items() if sum(bucket) < least} == nearer

    with_room(problem.compiled([problem.asked.sought]), Found.GOAL, None, compare, guides=guides_of(f"refine:{depth}"))
