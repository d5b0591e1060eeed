"""cL: how far a run is from closing an accepting cycle, by the largest distance that a process has to go."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.cycles import cycle_distance
from beeline.heuristics.declaration import EVERYTHING, Context, Heuristic, Options


def build(context: Context, options: Options) -> core.Estimator:
    return cycle_distance(context, "cL", by_sum=False)


HEURISTIC = Heuristic(
    name="cL",
    summary="for cycles: way of the automaton to acceptance, then largest graph distance of a process to the seed",
    paper="Edelkamp and Jabbar, Large-scale directed model checking LTL, SPIN 2006",
    promises=EVERYTHING,
    build=build,
)
