"""Finds the reductions that live in this folder."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache

import beeline.reductions
from beeline.reductions.declaration import NONE, Reduction, ReductionError


@cache
def all_reductions() -> dict[str, Reduction]:
    """Return every reduction by its name."""
    found = {}
    for module in pkgutil.iter_modules(beeline.reductions.__path__):
        reduction = getattr(importlib.import_module(f"beeline.reductions.{module.name}"), "REDUCTION", None)
        if isinstance(reduction, Reduction):
            found[reduction.name] = reduction
    return dict(sorted(found.items()))


def find_reduction(text: str) -> Reduction | None:
    """Return the reduction that `text` names, with its cycle condition; None for "none".

    >>> str(find_reduction("ample:stack"))
    'ample:stack'
    """
    name, colon, proviso = text.strip().partition(":")
    if name == NONE and not colon:
        return None
    known = all_reductions()
    if name not in known:
        close = difflib.get_close_matches(name, [*known, NONE], n=1)
        hint = f"; did you mean {close[0]}?" if close else f"; there are: {', '.join([*known, NONE])}"
        raise ReductionError(f"there is no reduction {name!r}{hint}")
    return known[name].with_proviso(proviso.strip()) if colon else known[name]
