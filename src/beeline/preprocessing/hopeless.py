"""A quick test for networks from which nothing can be taken out, before the long analysis of what each edge touches."""

from __future__ import annotations

from beeline.model.expressions import TRUE, pattern_parts
from beeline.model.network import Network, Receive, Send, Together
from beeline.model.property import Property
from beeline.model.scope import root_of
from beeline.model.statements import Assign, expressions, nested
from beeline.model.usage import names_read


def is_hopeless(network: Network, asked: Property) -> bool:
    """Whether a look at names tells that nothing can be taken out: every process matters, and all that is written is
    read by something other than its own assignments."""
    if asked.sought is not None and not all_hurry(network):
        return False
    written: set[str] = set()
    read = names_read(*asked.expressions)
    for process in (*network.processes, *((network.monitor,) if network.monitor is not None else ())):
        for edge in process.edges:
            read |= names_read(edge.guard)
            if edge.sync is not None and not isinstance(edge.sync, Together):
                read |= _read_by_sync(edge.sync)
            for statement in nested(edge.effect):
                if isinstance(statement, Assign):
                    written.add(root_of(statement.target))
                    read |= names_read(statement.target, statement.value) - {root_of(statement.target)}
                else:
                    read |= names_read(*expressions(statement))
    return written <= read


def all_hurry(network: Network) -> bool:
    """Whether time depends on each process by its places alone, so that none can be taken out."""
    alive = {start.process for start in network.initial}
    return all(
        any(place.invariant != TRUE or place.committed for place in process.locations)
        for process in network.processes
        if process.name in alive
    )


def _read_by_sync(sync: Send | Receive) -> set[str]:
    parts = sync.values if isinstance(sync, Send) else pattern_parts(sync.patterns)
    return names_read(sync.channel, *parts)
