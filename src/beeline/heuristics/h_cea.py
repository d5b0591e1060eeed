"""hCEA: the context-enhanced additive heuristic, hCG without an order of the variables."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.declaration import Context, Estimator, Heuristic, Options, Promises
from beeline.heuristics.grounding import grounded

PROMISES = Promises()


def build(context: Context, options: Options) -> Estimator:
    task, covers = grounded(context, "hCEA")
    return Estimator("hCEA", core.context_additive_estimator(task), PROMISES, covers)


HEURISTIC = Heuristic(
    name="hCEA",
    summary="sum of the costs of conditions, each from where the step before left its variable",
    paper="Helmert and Geffner, Unifying the causal graph and additive heuristics, ICAPS 2008",
    promises=PROMISES,
    build=build,
)
