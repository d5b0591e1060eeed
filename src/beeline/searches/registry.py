"""Finds the searches that live in this folder."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache

import beeline.searches
from beeline.searches.declaration import Search, SearchError


@cache
def all_searches() -> dict[str, Search]:
    """Return every search by its name."""
    found = {}
    for module in pkgutil.iter_modules(beeline.searches.__path__):
        search = getattr(importlib.import_module(f"beeline.searches.{module.name}"), "SEARCH", None)
        if isinstance(search, Search):
            found[search.name] = search
    return dict(sorted(found.items()))


def find(text: str) -> Search:
    """Return the search that `text` names, with its options.

    >>> str(find("random-dfs:7"))
    'random-dfs:seed=7'
    """
    name, colon, options = text.strip().partition(":")
    searches = all_searches()
    if name not in searches:
        close = difflib.get_close_matches(name, searches, n=1)
        hint = f"; did you mean {close[0]}?" if close else f"; there are: {', '.join(searches)}"
        raise SearchError(f"there is no search {name!r}{hint}")
    search = searches[name]
    return search.with_options(options) if colon else search
