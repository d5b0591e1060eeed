"""Finds the heuristics that live in this folder."""

from __future__ import annotations

from beeline.declared import Folder
from beeline.heuristics.declaration import Heuristic, HeuristicError
from beeline.spelling import closest

_FOLDER = Folder("beeline.heuristics", "HEURISTIC", Heuristic)


def all_heuristics() -> dict[str, Heuristic]:
    """Return every heuristic by its name."""
    return _FOLDER.all


def find(name: str) -> Heuristic:
    """Return the heuristic called `name`.

    >>> find("blind").promises.admissible
    True
    """
    heuristic = _FOLDER.find(name)
    if heuristic is None:
        raise HeuristicError(f"there is no heuristic {name!r}{_hint(name)}")
    return heuristic


def _hint(name: str) -> str:
    by_case = {known.lower(): known for known in all_heuristics()}
    close = closest(name.lower(), by_case)
    return f"; did you mean {by_case[close]}?" if close else f"; there are: {', '.join(all_heuristics())}"
