"""The search for those who do not want to choose one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beeline.engine import core
from beeline.searches.declaration import Guide, Option, Promises, Search, Takes, Values
from beeline.searches.keeping import anytime

if TYPE_CHECKING:
    from beeline.heuristics.declaration import Estimator


CHEAP = 4
"""In generated steps: states are estimated before they wait if that costs no more for each, and otherwise after."""


AHEAD = 60_000
"""In generated steps: what the scout and the directed search may each do before others take turns with them."""


def options_of(options: Values, guide: Guide) -> core.Anytime:
    """The first admissible heuristic bounds the search for shorter traces; the others, or else that one, are the guides
    to a first one."""
    bound = next((estimator for estimator in guide.estimators if estimator.promises.admissible), None)
    guides: list[Estimator] = [estimator for estimator in guide.estimators if estimator is not bound]
    if not guides and bound is not None:
        guides = [bound]
    directed = core.BestFirst(
        [estimator.native for estimator in guides],
        lazy=any(estimator.native.cost > CHEAP for estimator in guides),
        preferred=True,
        novelty=1,
        types=True,
        prune=Guide(guide.stop, tuple(guides)).prune,
        **guide.tie_options("lifo"),  # plateaus are searched in depth: the sweep does so in breadth
    )
    return core.Anytime(
        directed,
        bound=None if bound is None else bound.native,
        blind=core.blind_estimator(),
        covered=0 if bound is None else bound.covers.value,
        improve=100 if options["improve"] is None else options["improve"],
        ahead=AHEAD if options["ahead"] is None else options["ahead"],
    )


SEARCH = Search(
    name="auto",
    summary="a violation quickly, then a short one; proves that there is none at little more than the price of bfs",
    paper="Richter and Westphal, The LAMA planner, JAIR 39, 2010",
    promises=Promises(shortest=True, complete=True, shortest_if="proven"),
    options=(
        Option(
            "improve", "work to spend on shorter traces, in per cent of the work of finding one; 0: none", 100, 0, 10**6
        ),
        Option("ahead", "work of the directed search before others take turns with it, in steps", AHEAD, 0, 10**12),
    ),
    takes=Takes.SEVERAL,
    provisos=("closed", "static"),
    threads=True,
    call=lambda space, request, options, guide: anytime(space, request, options_of(options, guide), guide),
    keeps=True,
    sets="turns",
)
