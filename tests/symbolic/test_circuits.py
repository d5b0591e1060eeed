"""A* with sets takes the states that A* takes one by one, bucket by bucket, on circuits with all kinds of steps."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from benchmarks.symbolic.circuits import generators

from beeline import check, explore
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
    "cells of Martin, interleaving": lambda made: made.dme(2, tokens=2),
    "cells of Martin, any gates": lambda made: made.dme(2, "any", tokens=2),
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
@pytest.mark.parametrize("guide", ["refine:1", "refine:3", "refine:3;sum=1"])
def test_buckets_have_the_same_states(name: str, guide: str) -> None:
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

    with_room(problem.compiled([problem.asked.sought]), Found.GOAL, None, compare, guides=guides_of(guide))


@pytest.mark.parametrize(("tokens", "states", "steps"), [(1, 6579, None), (2, 20331, 28)])
def test_the_cells_of_martin_have_the_states_that_are_known_of_them(
    tokens: int, states: int, steps: int | None, tmp_path: Path
) -> None:
    """Numbers of the public model of this circuit, with one cell moving at a time, and with a second token in it."""
    model = tmp_path / "dme.smv"
    model.write_text(generators().dme(3, tokens=tokens))
    assert explore(model, engine="bdd").statistics.stored == states
    trace = check(model, engine="bdd", search="bfs").trace
    assert (None if trace is None else len(trace)) == steps
