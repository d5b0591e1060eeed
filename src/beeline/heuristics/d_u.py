"""dU: the sum of the processes' distances, each in its own graph, from the locations that the goal asks for."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.declaration import Context, Estimator, Heuristic, Options, Promises
from beeline.heuristics.grounding import grounded

PROMISES = Promises(safe=True)


def build(context: Context, options: Options) -> Estimator:
    task, covers = grounded(context, "dU")
    return Estimator("dU", core.graph_distance(task, sum=True), PROMISES, covers)


HEURISTIC = Heuristic(
    name="dU",
    summary="sum of the processes' graph distances to their goal locations",
    paper="Edelkamp, Leue and Lluch-Lafuente, Directed explicit-state model checking, STTT 5, 2004",
    promises=PROMISES,
    build=build,
)
