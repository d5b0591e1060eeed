"""landmarks: how many facts are missing that every way to the goal makes true."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.declaration import Context, Estimator, Heuristic, Options, Promises
from beeline.heuristics.grounding import grounded

PROMISES = Promises(safe=True)


def build(context: Context, options: Options) -> Estimator:
    task, covers = grounded(context, "landmarks")
    return Estimator("landmarks", core.landmark_count_estimator(task), PROMISES, covers)


HEURISTIC = Heuristic(
    name="landmarks",
    summary="facts still missing that every way to the goal makes true",
    paper="Richter and Westphal, The LAMA planner, JAIR 39, 2010",
    promises=PROMISES,
    build=build,
)
