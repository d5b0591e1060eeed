"""Larger zones first."""

from beeline.engine import core
from beeline.engine.native_space import NativeSpace
from beeline.searches.declaration import Guide, Promises, Search, Values


def call(space: NativeSpace, request: core.Request, options: Values, guide: Guide) -> core.Outcome:
    """Where no state covers another, one order is as good as the other."""
    if isinstance(space, core.TimedSpace):
        return space.larger_first(request)
    return space.breadth_first(request)


SEARCH = Search(
    name="larger",
    summary="larger zones first, so that little of a zone graph is explored twice",
    paper="Herbreteau and Tran, Improving search order for reachability testing in timed automata, FORMATS 2015",
    promises=Promises(shortest=False, complete=True),
    call=call,
)
