"""Greedy search that takes turns between several heuristics."""

from beeline.engine import core
from beeline.searches.contexts import contexts
from beeline.searches.declaration import Guide, Option, Promises, Search, Takes, Values
from beeline.searches.keeping import best_first


def options_of(options: Values, guide: Guide) -> core.BestFirst:
    natives = guide.natives or [core.blind_estimator()]
    return core.BestFirst(
        natives,
        lazy=not options["eager"],
        preferred=bool(options["preferred"]),
        boost=options["boost"] or 0,
        learn=options["learn"] or 0,
        novelty=options["novelty"] or 0,
        types=bool(options["types"]),
        contexts=contexts(guide, options["contexts"]),
        prune=guide.prune,
        **guide.tie_options(),
    )


SEARCH = Search(
    name="multi",
    summary="greedy with an open list for each heuristic, and one beside it for preferred steps, asked in turn",
    paper="Richter and Westphal, The LAMA planner, JAIR 39, 2010",
    promises=Promises(shortest=False, complete=True),
    options=(
        Option("eager", "1: evaluate states when they are generated instead of when they are expanded", 0),
        Option("preferred", "0: no open lists for preferred steps", 1),
        Option("boost", "turns that the preferred earn whenever an estimate gets better than ever", 1000, 0, 2**31),
        Option("learn", "turns that an open list earns whenever a state from it leads to progress", 0, 0, 2**31),
        Option("novelty", "beside them an open list for states with new values (1), or new pairs of them (2)", 0, 0, 2),
        Option(
            "contexts", "beside them an open list for steps near to the last one, in so many kinds; 0: none", 0, 0, 255
        ),
        Option("types", "1: beside them an open list that takes a state by chance, of any depth and estimate", 0, 0, 1),
    ),
    takes=Takes.SEVERAL,
    provisos=("closed", "visited", "static"),
    threads=True,
    call=lambda space, request, options, guide: best_first(space, request, options_of(options, guide), guide),
    keeps=True,
)
