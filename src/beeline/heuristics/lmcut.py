"""lmcut: sets of steps of which every way to the goal must take one, found one after the other; their costs add up."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.declaration import Context, Estimator, Heuristic, Options, Promises
from beeline.heuristics.grounding import grounded

PROMISES = Promises(admissible=True, safe=True)


def build(context: Context, options: Options) -> Estimator:
    task, covers = grounded(context, "lmcut")
    return Estimator("lmcut", core.landmark_cut_estimator(task), PROMISES, covers)


HEURISTIC = Heuristic(
    name="lmcut",
    summary="landmarks of the relaxed task, whose costs add up",
    paper="Helmert and Domshlak, Landmarks, critical paths and abstractions: what's the difference anyway?, ICAPS 2009",
    promises=PROMISES,
    build=build,
)
