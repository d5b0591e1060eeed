"""spdb: exact distances in one pattern of many cells, found with sets of states."""

from __future__ import annotations

from beeline.heuristics.declaration import EVERYTHING, Context, Estimator, Heuristic, Option, Options
from beeline.heuristics.sets import as_estimator


def build(context: Context, options: Options) -> Estimator:
    return as_estimator(context, HEURISTIC, options)


HEURISTIC = Heuristic(
    name="spdb",
    summary="exact distances in one large pattern around what is sought, found with sets of states",
    paper="Edelkamp, Symbolic pattern databases in heuristic search planning, AIPS 2002",
    promises=EVERYTHING,
    build=build,
    options=(Option("bits", "how many bits of a state the pattern has", 40),),
    sets="patterns",
)
