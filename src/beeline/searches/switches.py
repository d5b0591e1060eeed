"""Context-bounded search."""

from beeline.engine import core
from beeline.engine.native_space import NativeSpace
from beeline.searches.declaration import Guide, Promises, Search, Values


def call(space: NativeSpace, request: core.Request, options: Values, guide: Guide) -> core.Outcome:
    """Where nobody tells who takes a step, there are no switches, and the fewest steps are as good."""
    if isinstance(space, core.ProgramSpace):
        return core.fewest_switches(space, request)
    return space.breadth_first(request)


SEARCH = Search(
    name="switches",
    summary="the fewest process switches first: traces that people follow easily",
    paper="Musuvathi and Qadeer, Iterative context bounding for systematic testing of multithreaded programs, "
    "PLDI 2007",
    promises=Promises(shortest=False, complete=True),
    call=call,
)
