"""Best-first search that goes on with what has to do with the last step."""

from __future__ import annotations

from beeline.engine import core
from beeline.engine.native_space import NativeSpace
from beeline.searches.declaration import Choice, Guide, Option, Promises, Search, Takes, Values

OF = ("step", "goal")


def contexts(guide: Guide, levels: int | None, of_goal: bool = False) -> core.Contexts | None:
    """How far steps are from one another, in so many kinds; nothing if there are none, or no steps are listed."""
    task = guide.steps() if levels else None
    return None if task is None else core.Contexts(task, levels or 0, of_goal)


def call(space: NativeSpace, request: core.Request, options: Values, guide: Guide) -> core.Outcome:
    """Where steps cannot be listed, none is nearer than another: it is greedy search."""
    found = contexts(guide, options["levels"], OF[options["of"] or 0] == "goal")
    priority = "estimate" if found is None else "context"
    order = core.BestFirst(guide.natives, priority=priority, contexts=found, prune=guide.prune, **guide.tie_options())
    return space.best_first(request, order)


SEARCH = Search(
    name="contexts",
    summary="greedy, but steps that read or write what the last one did come first, then those that do in turn",
    paper="Wehrle and Kupferschmid, Context-enhanced directed model checking, SPIN 2010",
    promises=Promises(shortest=False, complete=True),
    options=(
        Option("levels", "how many kinds of near steps are told apart", 2, 1, 255),
        Choice.of("of", "what steps are near to", OF),
    ),
    takes=Takes.ONE,
    provisos=("closed", "visited", "static"),
    call=call,
)
