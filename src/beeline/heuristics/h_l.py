"""hL: the number of layers until the goal holds, if facts that were once true stay true."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.declaration import Context, Estimator, Heuristic, Options, Promises
from beeline.heuristics.grounding import grounded

PROMISES = Promises(admissible=True, consistent=True, safe=True)


def build(context: Context, options: Options) -> Estimator:
    task, covers = grounded(context, "hL", parts=True)
    return Estimator("hL", core.relaxed_estimator(task, "hL"), PROMISES, covers)


HEURISTIC = Heuristic(
    name="hL",
    summary="layers of the monotonicity abstraction until the goal",
    paper="Kupferschmid et al., Adapting an AI planning heuristic for directed model checking, SPIN 2006",
    promises=PROMISES,
    build=build,
)
