"""Depth-first search with a growing depth bound."""

from beeline.searches.declaration import Option, Promises, Search

SEARCH = Search(
    name="iddfs",
    summary="iterative deepening: depth-first within a bound that grows until something is found",
    paper="Korf, Depth-first iterative-deepening, Artificial Intelligence 27, 1985",
    promises=Promises(shortest=True, complete=True),
    options=(Option("step", "steps by which the bound grows; above 1, paths may not be shortest", 1, 1, 2**31),),
    promises_with=lambda given: Promises(shortest=(given.get("step") or 1) == 1, complete=True),
    provisos=("visited", "static"),
    call=lambda space, request, options, guide: space.iterative_deepening(request, options["step"] or 1),
)
