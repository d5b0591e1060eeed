"""Breadth-first search in little memory."""

from beeline.searches.declaration import Promises, Search

SEARCH = Search(
    name="bfs-tree",
    summary="breadth-first, with states stored as trees of shared parts: little memory",
    paper="Laarman, van de Pol, Weber, Parallel recursive state compression for free, SPIN 2011",
    promises=Promises(shortest=True, complete=True),
    provisos=(),  # ways are kept as positions among all arcs of a state
    store="tree",
    variant_of="bfs",
    call=lambda space, request, options, guide: space.breadth_first_tree(request),
)
