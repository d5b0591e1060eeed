"""Which hidden variables are mere scratch: written before they are read whenever a process goes on from rest.

SPIN leaves hidden variables out of its states, whatever they hold; where they carry something from one state to
another, its search then depends on the order in which it comes to states. Here only those are left out whose value
never matters at rest; the others are ordinary variables.
"""

from __future__ import annotations

from beeline.model import expressions as ir
from beeline.model.network import Network, Process
from beeline.model.usage import names_read, use_of


def is_scratch(name: str, network: Network) -> bool:
    """Whether no process at rest can read the scalar variable `name` before writing it."""
    asked = [part for question in network.properties for part in question.expressions]
    asked += [process.provided for process in network.processes]
    if name in names_read(*asked):
        return False
    return all(not (_live(name, process) & _resting(process)) for process in network.processes)


def _live(name: str, process: Process) -> set[int]:
    """Locations from which the variable may be read before it is written."""
    if any(v.expression is not None and name in names_read(v.expression) for v in process.variables):
        return set(range(len(process.locations)))
    live: set[int] = set()
    changed = True
    while changed:
        changed = False
        for edge in process.edges:
            if edge.source_location in live:
                continue
            read, written = use_of(name, edge)
            if read or (not written and edge.target_location in live):
                live.add(edge.source_location)
                changed = True
    return live


def _resting(process: Process) -> set[int]:
    """Locations at which a process can be while others move."""
    found = {process.initial}
    found |= {edge.target_location for edge in process.edges if not edge.keeps_control}
    for place, location in enumerate(process.locations):
        leaving = [process.edges[i] for i in process.leaving[place]]
        if not any(edge.guard == ir.TRUE and edge.sync is None for edge in leaving):
            found.add(place)  # may block, and then control is lost
        if location.deterministic:
            found.discard(place)
    return found
