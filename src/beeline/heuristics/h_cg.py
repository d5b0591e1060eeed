"""hCG: the causal graph heuristic: what goal variables cost, counting what their predecessors must do for them."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.declaration import Context, Estimator, Heuristic, Options, Promises
from beeline.heuristics.grounding import grounded

PROMISES = Promises()


def build(context: Context, options: Options) -> Estimator:
    task, covers = grounded(context, "hCG")
    return Estimator("hCG", core.causal_graph_estimator(task), PROMISES, covers)


HEURISTIC = Heuristic(
    name="hCG",
    summary="cost of the goal's variables with what the causal graph says others must do for them",
    paper="Wehrle and Helmert, The causal graph revisited for directed model checking, SAS 2009",
    promises=PROMISES,
    build=build,
)
