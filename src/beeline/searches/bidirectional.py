"""Breadth-first search with sets of states, from both ends."""

from beeline.searches.declaration import Promises, Search, only_sets

SEARCH = Search(
    name="bidirectional",
    summary="sets of states, level by level from both ends, the cheaper one first",
    paper="Torralba, Alcazar, Kissmann and Edelkamp, Efficient symbolic search for cost-optimal planning, 2017",
    promises=Promises(shortest=True, complete=True),
    call=only_sets,
    sets="bidirectional",
)
