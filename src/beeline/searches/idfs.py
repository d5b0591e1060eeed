"""Depth-first search that goes on after a violation within an ever smaller bound."""

from beeline.searches.declaration import Promises, Search

SEARCH = Search(
    name="idfs",
    summary="depth-first, and on after a violation for shorter ones; may miss them behind states first met too deep",
    paper="Holzmann, The SPIN model checker, 2003 (pan -i); Edelkamp, Leue and Lluch-Lafuente, STTT 6, 2004",
    promises=Promises(shortest=False, complete=True),
    provisos=("visited", "static"),
    call=lambda space, request, options, guide: space.shortening(request, False),
)
