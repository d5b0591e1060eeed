"""hADD: each condition paid for on its own, the costs added up."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.declaration import Context, Estimator, Heuristic, Options, Promises
from beeline.heuristics.grounding import grounded

PROMISES = Promises(safe=True)


def build(context: Context, options: Options) -> Estimator:
    task, covers = grounded(context, "hADD", parts=True)
    return Estimator("hADD", core.relaxed_estimator(task, "hADD"), PROMISES, covers)


HEURISTIC = Heuristic(
    name="hADD",
    summary="sum of the costs of all conditions, as if they were independent",
    paper="Bonet and Geffner, Planning as heuristic search, Artificial Intelligence 129, 2001",
    promises=PROMISES,
    build=build,
)
