"""Iterative deepening A*."""

from beeline.engine import core
from beeline.searches.declaration import Option, Promises, Search, Takes

SEARCH = Search(
    name="idastar",
    summary="depth-first within a bound on length plus estimate, which grows until something is found",
    paper="Korf, Depth-first iterative-deepening, Artificial Intelligence 27, 1985",
    promises=Promises(shortest=True, complete=True, shortest_if="admissible"),
    options=(Option("step", "the bound grows by at least this; above 1, traces may not be shortest", 1, 1, 2**31),),
    promises_with=lambda given: Promises((given.get("step") or 1) == 1, complete=True, shortest_if="admissible"),
    takes=Takes.ONE,
    call=lambda space, request, options, guide: space.ida_star(
        request, core.IdaStar(guide.native, prune=guide.prune, step=options["step"] or 1)
    ),
)
