"""A quick look at networks from which nothing can be taken out, before a long one at what each edge touches."""

from __future__ import annotations

from beeline.model.expressions import TRUE, Expression, Ref, pattern_parts, walk
from beeline.model.network import Network, Receive, Send, Together
from beeline.model.property import Property
from beeline.model.scope import root_of
from beeline.model.statements import Assign, expressions, nested


def is_hopeless(network: Network, asked: Property) -> bool:
    """Whether a look at names tells that nothing can be taken out: every process matters, and all that is written is
    read by something other than its own assignments."""
    if asked.sought is not None and not all_hurry(network):
        return False
    written: set[str] = set()
    read = {part.name for whole in asked.expressions for part in walk(whole) if isinstance(part, Ref)}
    for process in (*network.processes, *((network.monitor,) if network.monitor is not None else ())):
        for edge in process.edges:
            read |= _names(edge.guard)
            if edge.sync is not None and not isinstance(edge.sync, Together):
                read |= _sync_names(edge.sync)
            for statement in nested(edge.effect):
                if isinstance(statement, Assign):
                    written.add(root_of(statement.target))
                    read |= (_names(statement.target) | _names(statement.value)) - {root_of(statement.target)}
                else:
                    read |= {name for part in expressions(statement) for name in _names(part)}
    return written <= read


def all_hurry(network: Network) -> bool:
    """Whether time depends on each process by its places alone, so that none can be taken out."""
    alive = {start.process for start in network.initial}
    return all(
        any(place.invariant != TRUE or place.committed for place in process.locations)
        for process in network.processes
        if process.name in alive
    )


def _names(expression: Expression) -> set[str]:
    return {part.name for part in walk(expression) if isinstance(part, Ref)}


def _sync_names(sync: Send | Receive) -> set[str]:
    parts = [sync.channel, *(sync.values if isinstance(sync, Send) else pattern_parts(sync.patterns))]
    return {name for part in parts for name in _names(part)}
