"""dL: the largest distance of a process, in its own graph, from a location that the goal asks of it."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.declaration import Context, Estimator, Heuristic, Options, Promises
from beeline.heuristics.grounding import grounded

PROMISES = Promises(admissible=True, consistent=True, safe=True)


def build(context: Context, options: Options) -> Estimator:
    task, covers = grounded(context, "dL")
    return Estimator("dL", core.graph_distance(task, sum=False), PROMISES, covers)


HEURISTIC = Heuristic(
    name="dL",
    summary="largest graph distance of a process to its goal location",
    paper="Edelkamp, Leue and Lluch-Lafuente, Directed explicit-state model checking, STTT 5, 2004",
    promises=PROMISES,
    build=build,
)
