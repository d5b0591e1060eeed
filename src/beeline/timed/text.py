"""A network with clocks as it is written down, for those who compare its text: clocks are variables among others."""

from __future__ import annotations

from beeline.model.network import Network
from beeline.records import replace
from beeline.timed.clocks import Clocks
from beeline.timed.discrete import TimedNetwork


def written_down(timed: TimedNetwork) -> Network:
    """The discrete part, with the constraints on clocks where they stand. It means nothing: nobody may run it."""
    processes = []
    for whole, part in zip(timed.network.processes, timed.discrete.processes, strict=True):
        edges = [replace(edge, guard=told.guard) for edge, told in zip(part.edges, whole.edges, strict=True)]
        places = [
            replace(place, invariant=told.invariant)
            for place, told in zip(part.locations, whole.locations, strict=True)
        ]
        processes.append(replace(part, edges=tuple(edges), locations=tuple(places)))
    return replace(timed.discrete, processes=tuple(processes))


def clock_variables(clocks: Clocks) -> tuple[tuple[int, str], ...]:
    """The variables that are clocks or have clocks in them, by kinds of processes (-1: the network) and names."""
    found = {
        (-1 if clock.process is None else clocks.kind_number(clock.process), clock.variable) for clock in clocks.all
    }
    return tuple(sorted(found))
