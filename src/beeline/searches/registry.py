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


_FORMER = {
    "bfs-tree": ("bfs", "tree"),
    "bfs-hash-compact": ("bfs", "hash-compact"),
    "bfs-bitstate": ("bfs", "bitstate"),
    "idastar-bitstate": ("idastar", "bitstate"),
}
"""Searches with a store of their own, as they were once called."""


def check_threads(search: Search, threads: int) -> None:
    """Raises SearchError for a number of threads that the search cannot use."""
    if not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise SearchError(f"the number of threads must be a whole one between 1 and {MOST_THREADS}")
    if threads > 1 and not search.threads:
        able = ", ".join(name for name, other in all_searches().items() if other.threads)
        with_store = "" if search.store == "plain" else f" with the store {search.store}"
        raise SearchError(f"{search}{with_store} works with one thread; several can share the work of: {able}")


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
    if name in _FORMER:
        search, store = _FORMER[name]
        return f"; it is now the search {search} with the store {store}: --search {search} --store {store}"
    close = closest(name, all_searches())
    return f"; did you mean {close}?" if close else f"; there are: {', '.join(all_searches())}"
