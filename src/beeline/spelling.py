"""The name that a misspelt one probably means."""

from __future__ import annotations

from collections.abc import Iterable


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like `name`, or None if none is much like it.

    >>> closest("peterson", ["petersen", "dekker"]), closest("x", ["dekker"])
    ('petersen', None)
    """
    import difflib  # only mistakes need it

    return next(iter(difflib.get_close_matches(name, list(known), n=1)), None)
