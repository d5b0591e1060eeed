"""Breadth-first search."""

from beeline.searches.declaration import Promises, Search
from beeline.searches.keeping import breadth_first

SEARCH = Search(
    name="bfs",
    summary="breadth-first: all states at one distance before those further away",
    paper="Moore, The shortest path through a maze, 1959",
    promises=Promises(shortest=True, complete=True),
    provisos=("closed", "visited", "static"),
    threads=True,
    call=lambda space, request, options, guide: breadth_first(space, request, guide),
    keeps=True,
    sets="forward",
)
