"""Finds the stores that live in this folder, and joins them with searches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beeline.declared import Folder
from beeline.records import replace
from beeline.searches.declaration import (
    Guide,
    Promises,
    Search,
    SearchError,
    Takes,
    Values,
    given_options,
    with_defaults,
)
from beeline.stores.declaration import Store

if TYPE_CHECKING:
    from beeline.engine import core
    from beeline.engine.native_space import NativeSpace

PLAIN = "plain"
"""The store that every search has if none is named."""

_FOLDER = Folder("beeline.stores", "STORE", Store)


def all_stores() -> dict[str, Store]:
    """Return every store by its name."""
    return _FOLDER.all


def with_store(search: Search, text: str) -> Search:
    """Return `search` with states kept as `text` says: the name of a store, and its options after a colon.

    >>> from beeline.searches import find
    >>> with_store(find("bfs"), "bitstate:32").store
    'bitstate:bits=32'
    """
    name, colon, options = text.strip().partition(":")
    if name == PLAIN and not colon:
        return search
    store = _FOLDER.find(name)
    if store is None:
        raise SearchError(f"there is no store {name!r}; there are: {', '.join(all_stores())}")
    use = store.uses.get(search.name)
    if use is None and store.uses:
        able = ", ".join(sorted(store.uses))
        raise SearchError(f"{search.name} does not know the store {name}, which goes with: {able}")
    if store.in_folder and not options.strip():
        raise SearchError(f"the store {name} needs a folder for its files: --store {name}:FOLDER")
    known = () if use is None else use.options
    given = given_options(f"the store {name}", known, options) if colon and not store.in_folder else {}
    if use is None:
        return search

    def call(space: NativeSpace, request: core.Request, values: Values, guide: Guide) -> core.Outcome:
        guide = replace(guide, folder=options) if store.in_folder else guide
        return use.call(space, request, {**values, **with_defaults(use.options), **given}, guide)

    return replace(
        search,
        call=call,
        takes=Takes.NONE if use.blind else search.takes,
        store=text.strip() if store.in_folder else _with_options(name, given),
        promises=search.promises if store.exact else Promises(shortest=False, complete=False),
        provisos=search.provisos if use.reduces else (),
        threads=False,
        zones=use.zones,
        keeps=use.keeps,
        tells_omission=use.tells_omission,
    )


def _with_options(name: str, given: Values) -> str:
    return ":".join(filter(None, (name, ",".join(f"{key}={value}" for key, value in given.items()))))
