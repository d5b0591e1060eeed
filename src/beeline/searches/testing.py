"""Search for violations by testing automata."""

from __future__ import annotations

from beeline.engine import core
from beeline.engine.native_space import NativeSpace
from beeline.searches.declaration import Guide, Option, Promises, Search, SearchError, Values


def call(space: NativeSpace, request: core.Request, options: Values, guide: Guide) -> core.Outcome:
    if not isinstance(space, core.ObservedSpace):
        raise SearchError("the search testing is for testing automata: add --automaton ta")
    return space.testing_search(request, second_pass=options["passes"] != 1)


def promises(options: Values) -> Promises:
    return Promises(shortest=False, complete=options.get("passes") != 1)


SEARCH = Search(
    name="testing",
    summary="by components and livelocks, in two passes: for testing automata",
    paper="Geldenhuys and Hansen, Larger automata and less work for LTL model checking, SPIN 2006",
    promises=promises({}),
    options=(Option("passes", "1: without the second pass, which finds livelocks that the first one missed", 2, 1, 2),),
    promises_with=promises,
    provisos=(),
    zones=False,
    cycles=True,
    call=call,
)
