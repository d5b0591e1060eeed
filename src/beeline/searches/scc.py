"""Search for cycles by strongly connected components."""

from __future__ import annotations

from beeline.engine import core
from beeline.engine.native_space import CycleSpace, NativeSpace
from beeline.searches.declaration import FAIRNESS, Guide, Option, Promises, Search, Values


def call(space: NativeSpace, request: core.Request, options: Values, guide: Guide) -> core.Outcome:
    assert isinstance(space, CycleSpace)
    return space.component_search(request, FAIRNESS[options["fairness"] or 0])


SEARCH = Search(
    name="scc",
    summary="by strongly connected components: for cycles that must be fair to all processes",
    paper="Couvreur, On-the-fly verification of linear temporal logic, FM 1999",
    promises=Promises(shortest=False, complete=True),
    options=(Option("fairness", "0: none, 1: weak, 2: strong; --fairness says it in words", 0, most=2),),
    zones=False,
    cycles=True,
    call=call,
)
