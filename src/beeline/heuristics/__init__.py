"""The heuristics, one file each. A file declares a `HEURISTIC`; putting it into this folder is all it takes."""

from beeline.heuristics.declaration import Context, Estimator, Heuristic, HeuristicError, Option, Promises
from beeline.heuristics.language import build
from beeline.heuristics.registry import all_heuristics, find

__all__ = [
    "Context",
    "Estimator",
    "Heuristic",
    "HeuristicError",
    "Option",
    "Promises",
    "all_heuristics",
    "build",
    "find",
]
