"""Which hidden variables are mere scratch: written before they are read whenever a process goes on from rest.

SPIN leaves hidden variables out of its states, whatever they hold; where they carry something from one state to
another, its search then depends on the order in which it comes to states. Here only those are left out whose value
never matters at rest; the others are ordinary variables.
"""

from __future__ import annotations

from beeline.model import expressions as ir
from beeline.model.network import Edge, Network, Process, Receive, Send
from beeline.model.statements import Assign, Start, Statement, expressions, nested
from beeline.model.usage import names_read


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
            read, written = _use(name, edge)
            if read or (not written and edge.target_location in live):
                live.add(edge.source_location)
                changed = True
    return live


def _use(name: str, edge: Edge) -> tuple[bool, bool]:
    """Whether an edge reads the variable before writing it, and whether it writes it in any case."""
    if name in names_read(edge.guard):
        return True, False
    written = False
    match edge.sync:
        case Send(channel=channel, values=values):
            if name in names_read(channel, *values):
                return True, False
        case Receive(channel=channel, patterns=patterns):
            bound = [p.place for p in patterns if isinstance(p, ir.Bind)]
            inner = [channel, *(p.value for p in patterns if isinstance(p, ir.Match))]
            inner += [part for place in bound for part in ir.children(place)]
            if name in names_read(*inner):
                return True, False
            written = ir.Ref(name) in bound
    for statement in edge.effect:
        if not written and _reads(statement, name):
            return True, False
        written = written or (isinstance(statement, (Assign, Start)) and _target(statement) == ir.Ref(name))
    return False, written


def _reads(statement: Statement, name: str) -> bool:
    if isinstance(statement, Assign):
        parts: list[ir.Expression] = [statement.value]
        parts += ir.children(statement.target)
        return name in names_read(*parts)
    return any(name in names_read(*expressions(inner)) for inner in nested((statement,)))


def _target(statement: Assign | Start) -> ir.Place | None:
    return statement.target if isinstance(statement, Assign) else statement.result


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
