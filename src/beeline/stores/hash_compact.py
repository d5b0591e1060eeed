"""A piece of each state's hash."""

from beeline.searches.declaration import Option
from beeline.stores.declaration import Store, Use

STORE = Store(
    name="hash-compact",
    summary="a few bytes of each state's hash: may miss states, and says how probably",
    paper="Wolper and Leroy, Reliable hashing without collision detection, CAV 1993",
    exact=False,
    uses={
        "bfs": Use(
            lambda space, request, options, guide: space.breadth_first_hash_compact(request, options["bytes"] or 6),
            options=(Option("bytes", "of the hash that are kept", 6, 4, 8),),
            tells_omission=True,
        )
    },
)
