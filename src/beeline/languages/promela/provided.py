"""`provided` clauses that may have no value: an index out of range there is an error, as anywhere else.

A process whose clause is not true is not looked at, so that nobody would tell. Such a clause becomes a part of every
guard, and each place where the process rests gets an edge that is never taken but asks for the clause's value.
"""

from __future__ import annotations

from beeline.model import expressions as ir
from beeline.model.network import Edge, Process
from beeline.records import replace


def with_errors_told(process: Process) -> Process:
    """The process, with the clause in its guards if the clause may fail."""
    clause = process.provided
    if not _may_fail(clause):
        return process
    edges: list[Edge] = []
    for number, location in enumerate(process.locations):
        leaving = [edge for edge in process.edges if edge.source_location == number]
        if not location.deterministic:  # the clause counts at the beginning of a d_step only
            leaving = [replace(edge, guard=ir.Binary("&&", clause, edge.guard)) for edge in leaving]
            lowest = min((edge.rank for edge in leaving), default=0)
            asking = ir.Binary("&&", clause, ir.FALSE)
            edges.append(Edge(number, number, asking, rank=lowest, text="provided", source=process.source))
        edges += leaving
    return replace(process, edges=tuple(edges), provided=ir.TRUE)


def _may_fail(clause: ir.Expression) -> bool:
    for part in ir.walk(clause):
        match part:
            case ir.Index(index=index) if not isinstance(index, ir.Literal):
                return True
            case ir.Binary(operator="/" | "%", right=right) if not isinstance(right, ir.Literal) or right.value == 0:
                return True
    return False
