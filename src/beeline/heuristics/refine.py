"""refine: each value that is wanted needs a step, which needs values that it reads, and so on down to a depth."""

from __future__ import annotations

from beeline.heuristics.declaration import EVERYTHING, Context, Estimator, Heuristic, Option, Options
from beeline.heuristics.sets import as_estimator


def build(context: Context, options: Options) -> Estimator:
    return as_estimator(context, HEURISTIC, options)


HEURISTIC = Heuristic(
    name="refine",
    summary="steps that write what is wanted, what these read, and so on down to a depth; built with sets of states",
    paper="Reffel and Edelkamp, Error detection with directed symbolic model checking, 1999",
    promises=EVERYTHING,
    build=build,
    options=(
        Option("depth", "how deep steps are looked into", 3),
        Option("sum", "1: adds up what no step brings nearer together, instead of taking the largest", 0),
    ),
    sets="refinement",
)
