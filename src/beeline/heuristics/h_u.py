"""hU: the length of an abstract way to the goal on which facts that were once true stay true."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.declaration import Context, Estimator, Heuristic, Options, Promises
from beeline.heuristics.grounding import grounded

PROMISES = Promises(safe=True)


def build(context: Context, options: Options) -> Estimator:
    task, covers = grounded(context, "hU", parts=True)
    return Estimator("hU", core.relaxed_estimator(task, "hU"), PROMISES, covers)


HEURISTIC = Heuristic(
    name="hU",
    summary="length of an abstract way to the goal under the monotonicity abstraction",
    paper="Kupferschmid et al., Adapting an AI planning heuristic for directed model checking, SPIN 2006",
    promises=PROMISES,
    build=build,
)
