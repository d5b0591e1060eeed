"""hCEA: the context-enhanced additive estimate, hCG without an order of the variables."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.declaration import Context, Estimate, Heuristic, Options, Promises
from beeline.heuristics.grounding import grounded

PROMISES = Promises()


def build(context: Context, options: Options) -> Estimate:
    task, covers = grounded(context, "hCEA")
    return Estimate("hCEA", core.context_additive_estimator(task), PROMISES, covers)


HEURISTIC = Heuristic(
    name="hCEA",
    summary="sum of the costs of conditions, each from where the step before left its variable",
    paper="Helmert and Geffner, Unifying the causal graph and additive heuristics, ICAPS 2008",
    promises=PROMISES,
    build=build,
)
