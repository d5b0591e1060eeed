"""The search for those who do not want to choose one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beeline.engine import core
from beeline.searches.declaration import Guide, Option, Promises, Search, Takes, Values
from beeline.searches.keeping import anytime

if TYPE_CHECKING:
    from beeline.engine.native_space import NativeSpace
    from beeline.heuristics.declaration import Estimator


CHEAP = 4
"""In generated steps: states are estimated before they wait if that costs no more for each, and otherwise after."""


AHEAD = 60_000
"""In generated steps: what scout and directed search may each do before the sweep begins; the plunge a quarter."""


def guides_of(guide: Guide) -> tuple[list[Estimator], Estimator | None]:
    """The guides to a first violation, and the heuristic that bounds the search for shorter traces: the first
    admissible one; the guides are the others, or else that one."""
    bound = next((estimator for estimator in guide.estimators if estimator.promises.admissible), None)
    guides = [estimator for estimator in guide.estimators if estimator is not bound]
    return guides or ([] if bound is None else [bound]), bound


def options_of(options: Values, guide: Guide) -> core.Anytime:
    guides, bound = guides_of(guide)
    directed = core.BestFirst(
        [estimator.native for estimator in guides],
        lazy=any(estimator.native.cost > CHEAP for estimator in guides),
        preferred=True,
        novelty=2,
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


def call(space: NativeSpace, request: core.Request, options: Values, guide: Guide) -> core.Outcome:
    order = options_of(options, guide)
    guides, _ = guides_of(guide)
    if not options["race"] or request.threads == 1 or not guides or guide.checkpoint is not None:
        return anytime(space, request, order, guide)
    from beeline.searches.rivals import rivals  # with several threads only

    return space.race(request, order, rivals(guide, guides, request.threads - 1))


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
        Option(
            "race", "0: threads share estimates and give the answer of one; 1: each does a search of its own", 1, 0, 1
        ),
    ),
    takes=Takes.SEVERAL,
    provisos=("closed", "static"),
    threads=True,
    call=call,
    keeps=True,
    sets="turns",
)
