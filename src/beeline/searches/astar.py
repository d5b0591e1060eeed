"""A*."""

from __future__ import annotations

from beeline.engine import core
from beeline.engine.native_space import NativeSpace
from beeline.searches.declaration import Guide, Promises, Search, SearchError, Takes, Values
from beeline.searches.keeping import best_first


def call(space: NativeSpace, request: core.Request, options: Values, guide: Guide) -> core.Outcome:
    order = core.BestFirst(
        guide.natives, priority="sum", patience="popped", reopen=True, prune=guide.prune, **guide.tie_options()
    )
    if not guide.weights:
        return best_first(space, request, order, guide)
    if not isinstance(space, core.ProgramSpace):
        raise SearchError("costs are heeded in networks without clocks only")
    if guide.checkpoint is not None:
        raise SearchError("the search for least costs leaves no checkpoints: leave out --checkpoint")
    return core.least_cost(space, request, order, guide.weights)


SEARCH = Search(
    name="astar",
    summary="A*: by the length (or cost) of the way plus the estimate; shortest traces if that never says too much",
    paper="Hart, Nilsson and Raphael, A formal basis for the heuristic determination of minimum cost paths, 1968",
    promises=Promises(shortest=True, complete=True, shortest_if="admissible"),
    takes=Takes.ONE,
    provisos=("closed", "visited", "static"),
    threads=True,
    call=call,
    keeps=True,
    sets="buckets",
)
