"""Breadth-first search from what is sought back to the start."""

from __future__ import annotations

from beeline.engine import Found
from beeline.symbolic.advance import learn_in_advance
from beeline.symbolic.diagrams import Diagram, difference
from beeline.symbolic.quest import Findings, Quest, Way


def search(quest: Quest) -> Findings:
    """Goes back to the first level with the start, or until nothing else leads to what is sought."""
    levels = LevelsBack(quest, learn_in_advance(quest.system, quest.meter))
    while not levels.has_start:
        if not levels.advance():
            return Findings(levels.reached)
    return Findings(levels.reached, levels.way_from(quest.system.initial))


class LevelsBack:
    """States by their distance to what is sought. A step that fails is one step further away than a state."""

    def __init__(self, quest: Quest, everything: Diagram) -> None:
        self._quest, self._everything = quest, everything
        self._kinds = {kind: where(everything) for kind, where in quest.kinds.items()}
        none = quest.system.diagrams.false
        near = self._kinds.get(Found.GOAL, none) | self._kinds.get(Found.DEADLOCK, none)
        self.layers = [near]
        self.reached = near

    @property
    def has_start(self) -> bool:
        return (self.layers[-1] & self._quest.system.initial).satisfiable()

    def advance(self) -> bool:
        """One level more; False if there is none."""
        self._quest.meter.tick(self.reached, self.layers[-1])
        self._quest.meter.level(len(self.layers) - 1, self.reached)
        fresh = self._quest.system.predecessors(self.layers[-1]) & self._everything
        if len(self.layers) == 1 and Found.ERROR in self._kinds:
            fresh = fresh | self._kinds[Found.ERROR]
        fresh = difference(fresh, self.reached)
        if not fresh.satisfiable():
            return False
        self.reached = self.reached | fresh
        self.layers.append(fresh)
        self._quest.meter.depth = len(self.layers) - 1
        return True

    def way_from(self, start: Diagram) -> Way:
        """A shortest way from a state of the last layer to what is sought."""
        system, encoding = self._quest.system, self._quest.system.encoding
        way = [encoding.pick(self.layers[-1] & start)]
        for layer in reversed(self.layers[:-1]):
            here = encoding.state(way[-1])
            onward = system.successors(here) & layer
            if not onward.satisfiable():
                break  # a step fails here
            way.append(encoding.pick(onward))
        last = encoding.state(way[-1])
        return Way(tuple(way), next(kind for kind in self._kinds if (self._kinds[kind] & last).satisfiable()))
