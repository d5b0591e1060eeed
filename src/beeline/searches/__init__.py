"""The searches, one file each. A file declares a `SEARCH`; dropping it into this folder is all it takes."""

from beeline.searches.declaration import AUTOMATA, FAIRNESS, Guide, Option, Promises, Search, SearchError, Takes, Ties
from beeline.searches.registry import all_searches, check_threads, find

__all__ = [
    "AUTOMATA",
    "FAIRNESS",
    "Guide",
    "Option",
    "Promises",
    "Search",
    "SearchError",
    "Takes",
    "Ties",
    "all_searches",
    "check_threads",
    "find",
]
