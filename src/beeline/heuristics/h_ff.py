"""hFF: an abstract way to the goal along the supporters that hADD finds cheapest."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.declaration import Context, Estimator, Heuristic, Options, Promises
from beeline.heuristics.grounding import grounded

PROMISES = Promises(safe=True)


def build(context: Context, options: Options) -> Estimator:
    task, covers = grounded(context, "hFF", parts=True)
    return Estimator("hFF", core.relaxed_estimator(task, "hFF"), PROMISES, covers)


HEURISTIC = Heuristic(
    name="hFF",
    summary="length of an abstract way along the cheapest supporters",
    paper="Hoffmann and Nebel, The FF planning system, JAIR 14, 2001",
    promises=PROMISES,
    build=build,
)
