"""What labelling needs of a space: sets of states, and the states before a set."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

S = TypeVar("S")
"""A set of states."""
Q = TypeVar("Q")
"""A state."""


class NoValue(Exception):
    """A proposition has no value in a reachable state."""


class NeverRests(Exception):
    """From some state nothing can happen but an uninterrupted run without end: no path goes on from there."""

    def __str__(self) -> str:
        return "an uninterrupted run goes on for ever"


class Structure(ABC, Generic[S, Q]):
    """All reachable states. Each has a successor: a state in which nothing can happen is its own."""

    everything: S
    nothing: S
    initial: S

    @abstractmethod
    def where(self, name: str) -> S:
        """The states in which a proposition is true."""

    @abstractmethod
    def before(self, states: S) -> S:
        """The states with a successor among these."""

    @abstractmethod
    def after(self, state: Q) -> S:
        """The successors of a state."""

    @abstractmethod
    def both(self, left: S, right: S) -> S: ...

    @abstractmethod
    def either(self, left: S, right: S) -> S: ...

    @abstractmethod
    def without(self, left: S, right: S) -> S: ...

    @abstractmethod
    def only(self, state: Q) -> S:
        """A state alone."""

    @abstractmethod
    def pick(self, states: S) -> Q:
        """A state of a set that is not empty."""

    @abstractmethod
    def is_empty(self, states: S) -> bool: ...

    def has(self, states: S, state: Q) -> bool:
        return not self.is_empty(self.both(states, self.only(state)))

    def begins_at(self, state: Q) -> bool:
        """Whether all states can be reached from this one, by ways that `way_to` tells."""
        return False

    def way_to(self, goal: S) -> list[Q]:
        """A way to one of these states, which are some, from where everything begins."""
        raise NotImplementedError

    def until(self, way: S, goal: S) -> list[S]:
        """The states that can come to the goal on the way, in disjoint sets, the goal first: from each of them a step
        leads to one before it."""
        layers, reached = [goal], goal
        while True:
            fresh = self.without(self.both(self.before(layers[-1]), way), reached)
            if self.is_empty(fresh):
                return layers
            reached = self.either(reached, fresh)
            layers.append(fresh)

    def union(self, layers: list[S]) -> S:
        found = self.nothing
        for layer in layers:
            found = self.either(found, layer)
        return found

    def staying(self, states: S) -> S:
        """The states from which a path stays among these for ever."""
        while True:
            rest = self.both(states, self.before(states))
            if self.is_empty(self.without(states, rest)):
                return states
            states = rest
