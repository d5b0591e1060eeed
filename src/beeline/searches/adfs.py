"""Depth-first search that goes on after a violation, and visits states again that it reaches sooner."""

from beeline.searches.declaration import Promises, Search

SEARCH = Search(
    name="adfs",
    summary="as idfs, but states that are reached sooner are visited again: the last violation found is a shortest one",
    paper="Holzmann, The SPIN model checker, 2003 (pan -i, -DREACH); Edelkamp, Leue and Lluch-Lafuente, STTT 6, 2004",
    promises=Promises(shortest=True, complete=True),
    provisos=("visited", "static"),
    call=lambda space, request, options, guide: space.shortening(request, True),
)
