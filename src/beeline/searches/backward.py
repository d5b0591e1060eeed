"""Breadth-first search with sets of states, from what is sought back to the start."""

from beeline.searches.declaration import Promises, Search, only_sets

SEARCH = Search(
    name="backward",
    summary="sets of states, level by level from what is sought back to the start; for models whose steps read little",
    paper="McMillan, Symbolic model checking, 1993",
    promises=Promises(shortest=True, complete=True),
    call=only_sets,
    sets="backward",
)
