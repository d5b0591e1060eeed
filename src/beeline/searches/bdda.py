"""BDDA*."""

from beeline.searches.declaration import Promises, Search, Takes, only_sets

SEARCH = Search(
    name="bdda",
    summary="BDDA*: A* with one set of all states that wait, with the bits of their costs",
    paper="Reffel and Edelkamp, Error detection with directed symbolic model checking, 1999",
    promises=Promises(shortest=True, complete=True, shortest_if="admissible"),
    takes=Takes.ONE,
    call=only_sets,
    sets="cost_bits",
)
