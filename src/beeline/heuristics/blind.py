"""No estimate at all: greedy search becomes breadth-first with fifo ties, A* becomes breadth-first search."""

from beeline.engine import core
from beeline.engine.outcome import Found
from beeline.heuristics.declaration import EVERYTHING, Heuristic

HEURISTIC = Heuristic(
    name="blind",
    summary="0 everywhere: the measure for all others",
    paper="Hart, Nilsson and Raphael, A formal basis for the heuristic determination of minimum cost paths, 1968",
    promises=EVERYTHING,
    covers=Found.ANYTHING,
    build=lambda context, options: core.blind_estimator(),
)
