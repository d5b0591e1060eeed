"""The search that avoids useless transitions."""

from beeline.engine import core
from beeline.searches.declaration import Option, Promises, Search, Takes
from beeline.searches.keeping import best_first

SEARCH = Search(
    name="ut",
    summary="greedy, but a step pays the length of the way so far if the estimate were no worse without it",
    paper="Wehrle, Kupferschmid and Podelski, Transition-based directed model checking, TACAS 2009",
    promises=Promises(shortest=False, complete=True),
    options=(Option("late", "1: a useless step pays for itself, too", 0),),
    takes=Takes.ONE,
    # The paper's figures need the newest state first: with the oldest first, plateaus are searched in breadth.
    provisos=("closed", "visited", "static"),
    threads=True,
    call=lambda space, request, options, guide: best_first(
        space,
        request,
        core.BestFirst(
            guide.natives,
            priority="useless",
            late_penalty=bool(options["late"]),
            prune=guide.prune,
            **guide.tie_options("lifo"),
        ),
        guide,
    ),
    keeps=True,
)
