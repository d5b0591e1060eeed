"""Finds the searches that live in this folder."""

from __future__ import annotations

from beeline.declared import Folder
from beeline.searches.declaration import Search, SearchError
from beeline.spelling import closest

MOST_THREADS = 1024


_FOLDER = Folder("beeline.searches", "SEARCH", Search)


def all_searches() -> dict[str, Search]:
    """Return every search by its name."""
    return _FOLDER.all


PLAIN = "plain"
"""How states are kept if nobody says."""


def stores() -> list[str]:
    """The names of the ways to keep states."""
    return sorted({search.store for search in all_searches().values()})


def with_store(search: Search, store: str) -> Search:
    """Return the search like `search` that keeps states as `store` says: a name, and options after a colon.

    >>> str(with_store(find("bfs"), "bitstate:32"))
    'bfs-bitstate:bits=32'
    """
    name, colon, options = store.strip().partition(":")
    if name == PLAIN and search.variant_of:
        return search  # its name says how it keeps states, and nobody asked for another way
    if name == search.store:
        return search.with_options(options) if colon else search
    if name not in stores():
        raise SearchError(f"there is no store {name!r}; there are: {', '.join(stores())}")
    for other in all_searches().values():
        if (other.store, other.variant_of) == (name, search.name):
            return other.with_options(options) if colon else other
    able = {other.variant_of for other in all_searches().values() if other.store == name}
    raise SearchError(f"{search.name} does not know the store {name}, which goes with: {', '.join(sorted(able))}")


def check_threads(search: Search, threads: int) -> None:
    """Raises SearchError for a number of threads that the search cannot use."""
    if not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise SearchError(f"the number of threads must be a whole one between 1 and {MOST_THREADS}")
    if threads > 1 and not search.threads:
        able = ", ".join(name for name, other in all_searches().items() if other.threads)
        raise SearchError(f"{search} works with one thread; several can share the work of: {able}")


def find(text: str) -> Search:
    """Return the search that `text` names, with its options.

    >>> str(find("random-dfs:7"))
    'random-dfs:seed=7'
    """
    name, colon, options = text.strip().partition(":")
    search = _FOLDER.find(name)
    if search is None:
        raise SearchError(f"there is no search {name!r}{_hint(name)}")
    return search.with_options(options) if colon else search


def _hint(name: str) -> str:
    close = closest(name, all_searches())
    return f"; did you mean {close}?" if close else f"; there are: {', '.join(all_searches())}"
