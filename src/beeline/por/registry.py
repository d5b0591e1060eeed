"""Finds the reductions that live in this folder."""

from __future__ import annotations

from beeline.declared import Folder
from beeline.por.declaration import NONE, Reduction, ReductionError
from beeline.spelling import closest

_FOLDER = Folder("beeline.por", "REDUCTION", Reduction)


def all_reductions() -> dict[str, Reduction]:
    """Return every reduction by its name."""
    return _FOLDER.all


def find_reduction(text: str) -> Reduction | None:
    """Return the reduction that `text` names, with its cycle condition; None for "none".

    >>> str(find_reduction("ample:stack"))
    'ample:stack'
    """
    name, colon, proviso = text.strip().partition(":")
    if name == NONE and not colon:
        return None
    reduction = _FOLDER.find(name)
    if reduction is None:
        raise ReductionError(f"there is no reduction {name!r}{_hint(name)}")
    return reduction.with_proviso(proviso.strip()) if colon else reduction


def _hint(name: str) -> str:
    known = [*all_reductions(), NONE]
    close = closest(name, known)
    return f"; did you mean {close}?" if close else f"; there are: {', '.join(known)}"
