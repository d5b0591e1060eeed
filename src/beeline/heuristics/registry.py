"""Finds the estimates that live in this folder."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache

import beeline.heuristics
from beeline.heuristics.declaration import Heuristic, HeuristicError


@cache
def all_heuristics() -> dict[str, Heuristic]:
    """Return every estimate by its name."""
    found = {}
    for module in pkgutil.iter_modules(beeline.heuristics.__path__):
        imported = importlib.import_module(f"beeline.heuristics.{module.name}")
        for heuristic in (getattr(imported, "HEURISTIC", None), *getattr(imported, "HEURISTICS", ())):
            if isinstance(heuristic, Heuristic):
                found[heuristic.name] = heuristic
    return dict(sorted(found.items(), key=lambda item: item[0].lower()))


def find(name: str) -> Heuristic:
    """Return the estimate called `name`.

    >>> find("blind").promises.admissible
    True
    """
    heuristics = all_heuristics()
    if name not in heuristics:
        by_case = {known.lower(): known for known in heuristics}
        close = difflib.get_close_matches(name.lower(), by_case, n=1)
        hint = f"; did you mean {by_case[close[0]]}?" if close else f"; there are: {', '.join(heuristics)}"
        raise HeuristicError(f"there is no estimate {name!r}{hint}")
    return heuristics[name]
