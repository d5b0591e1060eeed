"""Weighted A*."""

from beeline.engine import core
from beeline.searches.declaration import Option, Promises, Search, Takes
from beeline.searches.keeping import best_first

SEARCH = Search(
    name="wastar",
    summary="A* with a multiple of the estimate: sooner there, with traces at most so many times too long",
    paper="Pohl, Heuristic search viewed as path finding in a graph, Artificial Intelligence 1, 1970",
    promises=Promises(shortest=False, complete=True),
    options=(Option("weight", "what the estimate is multiplied by", 3, 1, 2**20),),
    takes=Takes.ONE,
    provisos=("closed", "visited", "static"),
    threads=True,
    call=lambda space, request, options, guide: best_first(
        space,
        request,
        core.BestFirst(
            guide.natives,
            priority="sum",
            patience="popped",
            weight=options["weight"] or 1,
            reopen=True,
            prune=guide.prune,
            **guide.tie_options(),
        ),
        guide,
    ),
    keeps=True,
)
