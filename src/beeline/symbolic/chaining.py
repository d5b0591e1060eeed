"""Fixpoints over a system whose states are divided into phases, taken phase by phase.

A set that has grown (or shrunk) by the steps of one phase is at once what the next phase works on. That comes to the
same fixpoint as steps of all phases at once, through fewer and smaller sets (Ravi and Somenzi, High-density
reachability analysis, 1995; Roig, Cortadella and Pastor, Verification of asynchronous circuits by BDD-based model
checking of Petri nets, 1995, who call it chaining). The first phase waits for all others: in a system that reacts to
something and comes to rest, states are found in the order of how often it began to react."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from beeline.records import Record
from beeline.symbolic.diagrams import Diagram, difference, union
from beeline.symbolic.phases import PhaseSteps

Tick = Callable[[Diagram, Diagram], None]
"""What is called before each operation, with all that was found and with what the operation works on."""


class Growth(Record, frozen=True):
    """The states `fresh` were found by steps of a phase from `before`, or were there at the beginning."""

    phase: PhaseSteps | None
    before: Diagram
    fresh: Diagram

    def origins(self, states: Diagram) -> Diagram:
        """From where some of the fresh states were found."""
        assert self.phase is not None
        return self.phase.before(states, self.before)


class Chained:
    """The reachable states, and fixpoints among them."""

    def __init__(self, phases: Sequence[PhaseSteps], initial: Diagram, nothing: Diagram, tick: Tick) -> None:
        self._phases, self._nothing, self._tick = phases, nothing, tick
        self._regions = [nothing] * len(phases)
        """The reachable states of each phase."""
        self._next: list[set[int]] = [set() for _ in phases]
        """The phases to which steps of each phase lead."""
        self.growth = [Growth(None, initial, initial)]
        self.reached = initial
        self._reach()

    def _divided(self, states: Diagram) -> list[tuple[int, Diagram]]:
        """The states by their phases."""
        found = []
        for number, phase in enumerate(self._phases):
            if not states.satisfiable():
                break
            here = states & phase.condition
            if here.satisfiable():
                found.append((number, here))
                states = difference(states, phase.condition)
        return found

    def _reach(self) -> None:
        waiting = dict(self._divided(self.reached))
        while waiting:
            number = min(waiting, key=lambda one: (one == 0, one))
            before = waiting.pop(number)
            self._tick(self.reached, before)
            self._regions[number] = self._regions[number] | before
            after = self._phases[number].after(before)
            for target, part in self._divided(after):
                self._next[number].add(target)
                fresh = difference(part, self.reached)
                if fresh.satisfiable():
                    waiting[target] = waiting.get(target, self._nothing) | fresh
            fresh = difference(after, self.reached)
            if fresh.satisfiable():
                self.growth.append(Growth(self._phases[number], before, fresh))
                self.reached = self.reached | fresh
        self._before = [{one for one, after in enumerate(self._next) if two in after} for two in range(len(self._next))]

    # Steps

    def after(self, states: Diagram) -> Diagram:
        """Where steps lead."""
        return union([self._phases[number].after(part) for number, part in self._divided(states)], self._nothing)

    def before(self, states: Diagram) -> Diagram:
        """From where steps lead to states."""
        self._tick(self.reached, states)
        pairs = zip(self._phases, self._regions, strict=True)
        return union([phase.before(states, region) for phase, region in pairs], self._nothing)

    # Fixpoints

    def until(self, way: Diagram, goal: Diagram) -> list[Diagram]:
        """The states that can come to the goal on the way, in disjoint sets: steps lead from each to one before it."""
        layers, reached = [goal], goal
        waiting: dict[int, Diagram] = {}
        while True:
            self._wake(layers[-1], waiting)
            fresh = self._nothing
            while waiting and not fresh.satisfiable():
                number = max(waiting)
                states = waiting.pop(number)
                self._tick(reached, states)
                fresh = difference(self._phases[number].before(states, self._regions[number]) & way, reached)
            if not fresh.satisfiable():
                return layers
            reached = reached | fresh
            layers.append(fresh)

    def _wake(self, states: Diagram, waiting: dict[int, Diagram]) -> None:
        """Gives states to the phases from which steps may lead to them."""
        for number, region in enumerate(self._regions):
            part = states & region
            if part.satisfiable():
                for before in self._before[number]:
                    waiting[before] = waiting.get(before, self._nothing) | part

    def staying(self, states: Diagram) -> Diagram:
        """The states from which a path stays among these for ever."""
        parts = [states & region for region in self._regions]
        waiting = {number for number, part in enumerate(parts) if part.satisfiable()}
        while waiting:
            number = max(waiting)
            waiting.remove(number)
            self._tick(states, parts[number])
            ahead = union([parts[target] for target in self._next[number]], self._nothing)
            rest = self._phases[number].before(ahead, parts[number])
            if rest != parts[number]:
                parts[number] = rest
                waiting |= {before for before in self._before[number] if parts[before].satisfiable()}
        return union(parts, self._nothing)
