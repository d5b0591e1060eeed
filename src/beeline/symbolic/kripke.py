"""The states of a system at rest, for labelling with formulas of branching time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from beeline.ctl.structure import NeverRests, NoValue
from beeline.symbolic.diagrams import Diagram, difference
from beeline.symbolic.learning import Predicate
from beeline.symbolic.quest import Quest, State
from beeline.symbolic.structure import DiagramStructure


class Kripke(DiagramStructure[State]):
    """Reachable states, all known. Steps lead from rest to rest, through whatever an uninterrupted run passes."""

    def __init__(self, quest: Quest, reached: Diagram, propositions: Mapping[str, Predicate]) -> None:
        self._quest, self._system = quest, quest.system
        self._propositions = propositions
        self.everything = reached & self._system.at_rest
        self._between = difference(reached, self._system.at_rest)
        self.nothing = self._system.diagrams.false
        self.initial = self._system.initial

    def where(self, name: str) -> Diagram:
        found = self._propositions[name].holding(self.everything)
        if (self.everything & self._propositions[name].without_value).satisfiable():
            raise NoValue(name)
        return found

    @cached_property
    def _resting(self) -> Diagram:
        """The states from which no step leads on."""
        found = difference(self.everything, self._stepping_to(self.everything))
        if (self._system.predecessors(self._between) & found).satisfiable():
            raise NeverRests
        return found

    def _stepping_to(self, states: Diagram) -> Diagram:
        self._quest.meter.tick(self.everything, states, phase="labelling")
        found = self._system.predecessors(states)
        passed, fresh = self.nothing, found & self._between
        while fresh.satisfiable():
            passed = passed | fresh
            before = self._system.predecessors(fresh)
            found = found | before
            fresh = difference(before & self._between, passed)
        return found & self.everything

    def before(self, states: Diagram) -> Diagram:
        return self._stepping_to(states) | (self._resting & states)

    def after(self, state: State) -> Diagram:
        here = self.only(state)
        found, fresh = self.nothing, here
        while fresh.satisfiable():
            reached = self._system.successors(fresh)
            fresh = difference(reached & self._between, found)
            found = found | reached
        found = found & self.everything
        return found if found.satisfiable() else here

    def only(self, state: State) -> Diagram:
        return self._system.encoding.state(state)

    def pick(self, states: Diagram) -> State:
        return self._system.encoding.pick(states)
