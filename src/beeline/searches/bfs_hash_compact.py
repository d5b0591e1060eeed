"""Breadth-first search that keeps a piece of each state's hash."""

from beeline.searches.declaration import Option, Promises, Search

SEARCH = Search(
    name="bfs-hash-compact",
    summary="breadth-first, with a few bytes of its hash for each state: may miss states, and says how probably",
    paper="Wolper and Leroy, Reliable hashing without collision detection, CAV 1993",
    promises=Promises(shortest=False, complete=False),
    provisos=(),
    store="hash-compact",
    variant_of="bfs",
    options=(Option("bytes", "of the hash that are kept", 6, 4, 8),),
    call=lambda space, request, options, guide: space.breadth_first_hash_compact(request, options["bytes"] or 6),
)
