"""What comes soonest."""

from beeline.engine import core
from beeline.engine.native_space import NativeSpace
from beeline.searches.declaration import Guide, Promises, Search, Values


def call(space: NativeSpace, request: core.Request, options: Values, guide: Guide) -> core.Outcome:
    """Where no time passes, all that can be found comes at the same moment, and the fewest steps are best."""
    if isinstance(space, core.TimedSpace):
        return space.soonest_first(request)
    return space.breadth_first(request)


SEARCH = Search(
    name="fastest",
    summary="the trace that takes the least time, in models with clocks",
    paper="Behrmann, Fehnker, Hune, Larsen, Pettersson and Romijn, Efficient guiding towards cost-optimality in "
    "UPPAAL, TACAS 2001",
    promises=Promises(shortest=False, complete=True),
    call=call,
    elapsed=True,
)
