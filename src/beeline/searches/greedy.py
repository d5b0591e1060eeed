"""Greedy best-first search."""

from beeline.engine import core
from beeline.searches.declaration import Option, Promises, Search, Takes
from beeline.searches.keeping import best_first

SEARCH = Search(
    name="greedy",
    summary="best-first: always goes on where the estimate is lowest, however long the way there was",
    paper="Doran and Michie, Experiments with the graph traverser program, 1966",
    promises=Promises(shortest=False, complete=True),
    options=(
        Option("lazy", "1: evaluate states only when they are expanded; until then they wait under their parent's", 0),
        Option("preferred", "1: steps on the heuristic's abstract way come first, where it has one", 0),
    ),
    takes=Takes.ONE,
    provisos=("closed", "visited", "static"),
    threads=True,
    call=lambda space, request, options, guide: best_first(
        space,
        request,
        core.BestFirst(
            guide.natives,
            prune=guide.prune,
            lazy=bool(options["lazy"]),
            preferred=bool(options["preferred"]),
            **guide.tie_options(),
        ),
        guide,
    ),
    keeps=True,
)
