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
        while True:
            self._system.learn(self.layers[-1])
            found = self._quest.found_in(self.layers[-1])
            if found is not None:
                kind, hit = found
                self._way = Way(self._quest.back_through(self.layers[:-1], hit), kind)
                return
            if not self.advance():
                return
            yield self.reached

    def advance(self) -> bool:
        """One level more, from known states; False if there is none."""
        meter, frontier = self._quest.meter, self.layers[-1]
        meter.tick(self.reached, frontier)
        fresh = difference(self._system.successors(frontier), self.reached)
        if not fresh.satisfiable():
            return False
        meter.level(len(self.layers) - 1, self.reached)
        meter.depth = len(self.layers)
        self.reached = self.reached | fresh
        self.layers.append(fresh)
        return True

    def findings(self) -> Findings:
        """What became of it."""
        return Findings(self.reached, self._way)
