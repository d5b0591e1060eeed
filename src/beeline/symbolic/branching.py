"""State-set branching: steps are parted by how they change the estimate, so that successors come out sorted.

Jensen, Veloso and Bryant, State-set branching: leveraging BDDs for heuristic search, 2008."""

from __future__ import annotations

from beeline.symbolic import buckets
from beeline.symbolic.buckets import Buckets, Parts
from beeline.symbolic.diagrams import Diagram, union
from beeline.symbolic.distances import Distances
from beeline.symbolic.guidance import guidance
from beeline.symbolic.quest import Findings, Quest
from beeline.symbolic.relation import Group


def search(quest: Quest) -> Findings:
    """A* by buckets; where a monitor or a timeout makes steps depend on everything, or all processes step together,
    successors are split afterwards."""
    if not quest.system.is_unwatched or quest.system.is_joint:
        return buckets.search(quest)
    distances = guidance(quest)
    branches = Branches(quest, distances)
    return Buckets(quest, distances, branches.expand).run()


class Branches:
    """The steps of each group by the estimate before and after."""

    def __init__(self, quest: Quest, distances: Distances) -> None:
        self._system = quest.system
        self._parts: dict[int, list[tuple[int, Group]]] = {}
        for group in quest.system.groups(quest.system.movers):
            quest.meter.tick(group.relation, phase="parting steps")
            renaming = quest.system.encoding.to_next(group.written)
            after = [layer.substitute(renaming) for layer in distances.layers]
            for before, layer in enumerate(distances.layers):
                begun = group.relation & layer
                for value, ended in enumerate(after):
                    if begun.satisfiable() and (part := begun & ended).satisfiable():
                        self._parts.setdefault(before, []).append((value, group.with_relation(part)))

    def expand(self, estimate: int, states: Diagram) -> Parts:
        """The successors of states with an estimate, by their own."""
        system = self._system
        found: dict[int, list[Diagram]] = {}
        for value, group in self._parts.get(estimate, []):
            image = group.image(system.allowed(states, group.rank, system.movers))
            if image.satisfiable():
                found.setdefault(value, []).append(image)
        for value, images in sorted(found.items()):
            yield value, union(images, system.diagrams.false)
