"""cL: how far a run is from closing an accepting cycle, by the largest distance that one part has to go."""

from __future__ import annotations

from beeline.heuristics.cycles import cycle_distance, way_option
from beeline.heuristics.declaration import EVERYTHING, Context, Estimator, Heuristic, Options


def build(context: Context, options: Options) -> Estimator:
    return cycle_distance(context, "cL", options["way"] or "hL", by_sum=False)


HEURISTIC = Heuristic(
    name="cL",
    summary="for cycles: relaxed way to acceptance (hL), then largest distance of a process or variable to the seed",
    paper="Edelkamp and Jabbar, Large-scale directed model checking LTL, SPIN 2006",
    promises=EVERYTHING,
    build=build,
    options=(way_option("hL"),),
    whole_text=True,
)
