"""Breadth-first search from the start: shortest ways, level by level."""

from __future__ import annotations

from collections.abc import Iterator

from beeline.symbolic.diagrams import Diagram, difference
from beeline.symbolic.quest import Findings, Quest, Way


def search(quest: Quest) -> Findings:
    """Goes on to the first level with what is sought, or to the end."""
    levels = Levels(quest)
    for _ in levels.run():
        pass
    return levels.findings()


class Levels:
    """The states by their distance from the start."""

    def __init__(self, quest: Quest) -> None:
        self._quest, self._system = quest, quest.system
        self.reached = self._system.initial
        self.layers: list[Diagram] = [self._system.initial]
        self._way: Way | None = None

    def run(self) -> Iterator[Diagram]:
        """Yields the states that were reached after each level."""
        quest, system = self._quest, self._system
        while True:
            frontier = self.layers[-1]
            system.learn(frontier)
            found = quest.found_in(frontier)
            if found is not None:
                kind, hit = found
                self._way = Way(quest.back_through(self.layers[:-1], hit), kind)
                return
            quest.meter.tick(self.reached, frontier)
            fresh = difference(system.successors(frontier), self.reached)
            if not fresh.satisfiable():
                return
            quest.meter.level(len(self.layers) - 1, self.reached)
            quest.meter.depth = len(self.layers)
            self.reached = self.reached | fresh
            self.layers.append(fresh)
            yield self.reached

    def findings(self) -> Findings:
        """What became of it."""
        return Findings(self.reached, self._way)
