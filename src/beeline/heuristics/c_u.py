"""cU: how far a run is from closing an accepting cycle, by the sum of the distances that processes have to go."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.cycles import cycle_distance
from beeline.heuristics.declaration import Context, Heuristic, Options, Promises


def build(context: Context, options: Options) -> core.Estimator:
    return cycle_distance(context, "cU", by_sum=True)


HEURISTIC = Heuristic(
    name="cU",
    summary="for cycles: way of the automaton to acceptance, then sum of the graph distances to the seed",
    paper="Edelkamp and Jabbar, Large-scale directed model checking LTL, SPIN 2006",
    promises=Promises(safe=True),
    build=build,
)
