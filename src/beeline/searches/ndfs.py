"""Nested depth-first search for cycles."""

from __future__ import annotations

from beeline.engine import core
from beeline.engine.native_space import CycleSpace, NativeSpace
from beeline.searches.declaration import Guide, Option, Promises, Search, Values


def call(space: NativeSpace, request: core.Request, options: Values, guide: Guide) -> core.Outcome:
    assert isinstance(space, CycleSpace)
    return space.nested_depth_first(request, bool(options["weak"]))


SEARCH = Search(
    name="ndfs",
    summary="nested depth-first: a second search from each accepting state looks for a way back to it",
    paper=(
        "Schwoon and Esparza, A note on on-the-fly verification algorithms, TACAS 2005; by several threads: "
        "Evangelista, Laarman, Petrucci and van de Pol, Improved multi-core nested depth-first search, ATVA 2012"
    ),
    promises=Promises(shortest=False, complete=True),
    options=(Option("weak", "1: every cycle that is joined with an accepting one is accepting", 0, most=1),),
    threads=True,
    zones=False,
    cycles=True,
    call=call,
)
