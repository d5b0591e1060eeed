"""Depth-first search in random order."""

from beeline.searches.declaration import Option, Promises, Search

SEARCH = Search(
    name="random-dfs",
    summary="depth-first with the steps of each state in random order; the same seed gives the same run",
    paper="Dwyer, Elbaum, Person and Purandare, Parallel randomized state-space search, ICSE 2007",
    promises=Promises(shortest=False, complete=True),
    options=(Option("seed", "the number that the order is made from", default=0),),
    provisos=("stack", "visited", "static"),
    call=lambda space, request, options, guide: space.depth_first(request, options["seed"]),
)
