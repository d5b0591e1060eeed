"""Branch points: a step goes to one and at once on to one of its branches, whichever has a positive weight."""

from __future__ import annotations

from collections.abc import Iterable

from beeline.languages.uppaal.errors import Unsupported, UppaalError
from beeline.languages.uppaal.syntax import Edge


def joined(edges: Iterable[Edge], points: frozenset[str], context: str) -> tuple[Edge, ...]:
    """The edges between locations: one for each way through a branch point.

    A branch has no guard and no synchronisation of its own; its updates come after those of the edge that led there.
    """
    edges = list(edges)
    for edge in edges:
        if edge.weights and edge.origin not in points:
            raise Unsupported("probabilities on edges", edge.source, context=context)
    branches: dict[str, list[Edge]] = {point: [] for point in points}
    for edge in edges:
        if edge.origin in points:
            if edge.target in points or edge.guard is not None or edge.sync is not None:
                message = "a branch leads to a location, and has no guard or synchronisation"
                raise UppaalError(message, edge.source, context=context)
            branches[edge.origin].append(edge)
    made: list[Edge] = []
    for edge in edges:
        if edge.origin in points:
            continue
        if edge.target not in points:
            made.append(edge)
        for branch in branches.get(edge.target, ()):
            both = Edge(
                edge.origin,
                branch.target,
                (*edge.select, *branch.select),
                edge.guard,
                edge.sync,
                (*edge.updates, *branch.updates),
                branch.weights,
                edge.controllable,
                edge.source,
            )
            made.append(both)
    return tuple(made)
