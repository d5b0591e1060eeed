"""A* with sets: states by their distance from the start and their estimate, one diagram for each pair of these.

Buckets are taken by the sum of both, then by distance. Estimates drop by at most one with each step, so that what
leaves a bucket for good is at its true distance. Jensen, Bryant and Veloso, SetA*: an efficient BDD-based heuristic
search algorithm, 2002."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from beeline.symbolic.diagrams import Diagram, difference
from beeline.symbolic.distances import Distances
from beeline.symbolic.guidance import guidance
from beeline.symbolic.quest import Findings, Quest, Way

Parts = Iterator[tuple[int, Diagram]]
Expand = Callable[[int, Diagram], Parts]
"""From states with an estimate to their successors, by their estimates."""


def search(quest: Quest) -> Findings:
    """Splits the successors of each bucket by what the estimate says of them."""
    distances = guidance(quest)
    return Buckets(quest, distances, lambda _, states: distances.split(quest.system.successors(states))).run()


class Buckets:
    """What waits, by distance and estimate, and what was taken, by distance."""

    def __init__(self, quest: Quest, distances: Distances, expand: Expand) -> None:
        self._quest, self._expand = quest, expand
        self._open: dict[tuple[int, int], Diagram] = {}
        self.layers: list[Diagram] = []
        self.reached = quest.system.diagrams.false
        self.counts: dict[tuple[int, int], int] = {}
        """How many states were taken at each distance with each estimate."""
        for estimate, part in distances.split(quest.system.initial):
            self._open[0, estimate] = part

    def run(self) -> Findings:
        """Goes on to the first bucket with what is sought, or until none waits."""
        while self._open:
            distance, estimate = min(self._open, key=lambda bucket: (sum(bucket), bucket))
            states = difference(self._open.pop((distance, estimate)), self.reached)
            if not states.satisfiable():
                continue
            self._take(distance, estimate, states)
            found = self._quest.found_in(states)
            if found is not None:
                kind, hit = found
                return Findings(self.reached, Way(self._quest.back_through(self.layers[:distance], hit), kind))
            for value, part in self._expand(estimate, states):
                key = distance + 1, value
                self._open[key] = self._open[key] | part if key in self._open else part
        return Findings(self.reached)

    def _take(self, distance: int, estimate: int, states: Diagram) -> None:
        quest = self._quest
        quest.meter.tick(self.reached, states)
        quest.meter.level(distance, self.reached)
        quest.meter.depth = max(quest.meter.depth, distance)
        self.reached = self.reached | states
        self.counts[distance, estimate] = quest.system.encoding.count(states)
        while len(self.layers) <= distance:
            self.layers.append(quest.system.diagrams.false)
        self.layers[distance] = self.layers[distance] | states
