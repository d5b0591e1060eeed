"""Estimates as sets: for each value, the states that have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from beeline.symbolic.diagrams import Diagram, difference


class Distances:
    """Layer by layer the states of each value. Those in no layer are dead ends."""

    def __init__(self, layers: Sequence[Diagram]) -> None:
        self.layers = list(layers)

    def split(self, states: Diagram) -> Iterator[tuple[int, Diagram]]:
        """The states by their values, without dead ends."""
        for value, layer in enumerate(self.layers):
            if not states.satisfiable():
                return
            part = states & layer
            if part.satisfiable():
                yield value, part
                states = difference(states, layer)

    def within(self, value: int, none: Diagram) -> Diagram:
        """The states with at most this value."""
        for layer in self.layers[: value + 1]:
            none = none | layer
        return none


def largest(parts: Sequence[Distances], none: Diagram) -> Distances:
    """The largest value that one of several estimates gives."""
    layers, before = [], none
    for value in range(max(len(part.layers) for part in parts)):
        now = parts[0].within(value, none)
        for part in parts[1:]:
            now = now & part.within(value, none)
        layers.append(difference(now, before))
        before = now
    return Distances(layers)


def from_growing(sets: Sequence[Diagram], none: Diagram) -> Distances:
    """The estimate whose states of at most each value these are."""
    return Distances([difference(now, before) for before, now in zip([none, *sets], sets, strict=False)])
