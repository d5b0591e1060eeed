"""The heuristics of a search for which none were named: those that apply to a model and property, best first."""

from __future__ import annotations

from beeline.heuristics.declaration import Context, Estimator, HeuristicError
from beeline.heuristics.language import build
from beeline.searches import Search, Takes

LAST_GUIDES = ("Hf:1",)
GUIDES = ("hU", "hFF", "hADD", "hCG", *LAST_GUIDES)
"""For a first violation, however long the way to it."""
TO_DEADLOCKS = ("active",)
"""The others know of no way to a deadlock."""
BOUNDS = ("hL", "Hf", "dL")
"""For shortest ones: they never say too much."""
MOST_GUIDES = 2
QUICK = 4_000_000
"""Where no heuristic was named, looking for one takes about a second, not as long as a plain search would."""


def choose(search: Search, text: str | None, context: Context) -> list[Estimator]:
    """The estimators that a search goes by: those that `text` names, or else the best that apply."""
    if text is not None:
        return build(text, context)
    if search.takes is Takes.NONE:
        return []
    context.effort = QUICK
    context.is_optional = True
    if context.space is not None:
        return _first(("user", "blind") if search.takes is Takes.ONE else ("user",), context, 1)
    if search.takes is Takes.ONE:
        best = _bound(context) if search.promises.shortest else _guides(context, 1)[:1]
        return best or build("blind", context)
    guides = _guides(context, MOST_GUIDES)
    if search.promises.shortest:
        return guides + (_bound(context) if guides else [])
    return guides


def _guides(context: Context, most: int) -> list[Estimator]:
    """The best guides to what is asked for. Where deadlocks are, counting who can move beats the needs of a formula."""
    to_deadlocks = _first(TO_DEADLOCKS, context, 1)
    names = GUIDES[: -len(LAST_GUIDES)] if to_deadlocks else GUIDES
    return _first(names, context, max(1, most - len(to_deadlocks))) + to_deadlocks


def _bound(context: Context) -> list[Estimator]:
    """The best that bounds the way to violations of every kind that is asked for: without it, nothing is shortest."""
    for name in BOUNDS:  # one by one: those that are not needed may be large
        found = [estimator for estimator in _first((name,), context, 1) if context.stop in estimator.covers]
        if found:
            return found
    return []


def _first(names: tuple[str, ...], context: Context, most: int) -> list[Estimator]:
    found: list[Estimator] = []
    for name in names:
        if len(found) < most:
            try:
                found += build(name, context)
            except HeuristicError:
                continue
    return found
