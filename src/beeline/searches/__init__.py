"""The searches, one file each. A file declares a `SEARCH`; dropping it into this folder is all it takes."""

from beeline.searches.declaration import Option, Promises, Search, SearchError
from beeline.searches.registry import all_searches, find

__all__ = ["Option", "Promises", "Search", "SearchError", "all_searches", "find"]
