"""Depth-first search."""

from beeline.searches.declaration import Option, Promises, Search

SEARCH = Search(
    name="dfs",
    summary="depth-first: follows the first unexplored step, in the model's order or shuffled by a seed",
    paper="Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1, 1972",
    promises=Promises(shortest=False, complete=True),
    options=(Option("seed", "follow steps in the random order that this number gives"),),
    provisos=("stack", "visited", "static"),
    call=lambda space, request, options, guide: space.depth_first(request, options["seed"]),
)
