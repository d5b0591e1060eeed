"""State-set branching."""

from beeline.searches.declaration import Promises, Search, Takes, only_sets

SEARCH = Search(
    name="setastar",
    summary="A* with sets of states, and steps parted by how they change the estimate",
    paper="Jensen, Veloso and Bryant, State-set branching: leveraging BDDs for heuristic search, 2008",
    promises=Promises(shortest=True, complete=True, shortest_if="admissible"),
    takes=Takes.ONE,
    call=only_sets,
    sets="branching",
)
