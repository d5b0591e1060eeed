"""Another heuristic, of the network in which clocks are conditions."""

from __future__ import annotations

from beeline.engine.outcome import Found
from beeline.heuristics import language
from beeline.heuristics.declaration import Context, Estimator, Heuristic, HeuristicError, Option, Options, Promises
from beeline.heuristics.grounding import UNKNOWN, grounded
from beeline.records import replace


def build(context: Context, options: Options) -> Estimator:
    if context.clocked is None:
        raise HeuristicError("timed needs a model with clocks")
    if context.alike:
        raise HeuristicError(f"timed: {UNKNOWN}: leave out --symmetry")
    seen = context.once("clocked", context.clocked)
    inner: Context = context.once("clocked context", lambda: seen.context(context.asked, context.stop))
    inner.effort, inner.deadline, inner.memory = context.effort, context.deadline, context.memory
    inner.is_optional = context.is_optional
    found = language.build(str(options["heuristic"]), inner)
    if len(found) != 1:
        raise HeuristicError("timed takes one heuristic; join several by max(..) or sum(..)")
    part = found[0]
    promises = part.promises & Promises(admissible=True, safe=True)
    return replace(
        part, native=seen.estimator(part.native), promises=promises, covers=_covers(context, part), whole=True
    )


def _covers(context: Context, part: Estimator) -> Found:
    """Steps that fail by their clocks are not seen: what is promised is about the goal, unless no step can fail."""
    covers = part.covers & Found.GOAL
    if context.goal is None:
        return covers
    try:
        return covers | (grounded(context, "timed")[1] & Found.ERROR)
    except HeuristicError:
        return covers


HEURISTIC = Heuristic(
    name="timed",
    summary="another heuristic in whose eyes clocks can be too late, as timed:hL; promises what that one does, except "
    "to be consistent",
    paper="our own",
    promises=Promises(),
    build=build,
    options=(Option("heuristic", "what is asked", "hL"),),
    whole_text=True,
)
