"""Breadth-first search that keeps three bits for each state."""

from beeline.searches.declaration import Option, Promises, Search

SEARCH = Search(
    name="bfs-bitstate",
    summary="breadth-first, with three bits of a table for each state: may miss states, and says how probably",
    paper="Holzmann, An analysis of bitstate hashing, Formal Methods in System Design 13, 1998",
    promises=Promises(shortest=False, complete=False),
    provisos=(),
    store="bitstate",
    variant_of="bfs",
    options=(Option("bits", "the table has two to the power of this many bits", 30, 10, 44),),
    call=lambda space, request, options, guide: space.breadth_first_bitstate(request, options["bits"] or 30),
)
