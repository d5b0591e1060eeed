"""Finds the symmetries that live in this folder."""

from __future__ import annotations

from beeline.declared import Folder
from beeline.spelling import closest
from beeline.symmetry.declaration import NONE, Symmetry, SymmetryError

_FOLDER = Folder("beeline.symmetry", "SYMMETRY", Symmetry)


def all_symmetries() -> dict[str, Symmetry]:
    """Return every way of finding representatives by its name."""
    return _FOLDER.all


def find_symmetry(name: str) -> Symmetry | None:
    """Return what a name means; None for "none".

    >>> str(find_symmetry("exact"))
    'exact'
    """
    if name == NONE:
        return None
    found = _FOLDER.find(name)
    if found is None:
        known = [*all_symmetries(), NONE]
        close = closest(name, known)
        hint = f"did you mean {close}?" if close else f"there are: {', '.join(known)}"
        raise SymmetryError(f"there is no symmetry {name!r}; {hint}")
    return found
