"""cU: how far a run is from closing an accepting cycle, by the sum of the distances that all parts have to go."""

from __future__ import annotations

from beeline.heuristics.cycles import cycle_distance, way_option
from beeline.heuristics.declaration import Context, Estimator, Heuristic, Options, Promises


def build(context: Context, options: Options) -> Estimator:
    return cycle_distance(context, "cU", options["way"] or "hU", by_sum=True)


HEURISTIC = Heuristic(
    name="cU",
    summary="for cycles: relaxed way to acceptance (hU), then sum of the distances of processes and variables",
    paper="Edelkamp and Jabbar, Large-scale directed model checking LTL, SPIN 2006",
    promises=Promises(safe=True),
    build=build,
    options=(way_option("hU"),),
    whole_text=True,
)
