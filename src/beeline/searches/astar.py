"""A*."""

from beeline.engine import core
from beeline.searches.declaration import Promises, Search, Takes

SEARCH = Search(
    name="astar",
    summary="A*: by the length of the way plus the estimate; shortest traces if that never says too much",
    paper="Hart, Nilsson and Raphael, A formal basis for the heuristic determination of minimum cost paths, 1968",
    promises=Promises(shortest=True, complete=True, shortest_if="admissible"),
    takes=Takes.ONE,
    provisos=("closed", "visited", "static"),
    threads=True,
    call=lambda space, request, options, guide: space.best_first(
        request,
        core.BestFirst(
            guide.natives, priority="sum", patience="popped", reopen=True, prune=guide.prune, **guide.tie_options()
        ),
    ),
    sets="buckets",
)
