"""What races beside the search that needs no advice, where it has several threads."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

from beeline.engine import core
from beeline.heuristics.declaration import Estimator
from beeline.searches.declaration import Guide


def rivals(guide: Guide, guides: list[Estimator], most: int) -> list[core.Rival]:
    """The first `most` of them, each to look where the one that needs no advice comes late. `guides` are what that one
    goes by, the best first."""
    return list(islice(_all(guide, guides), most))


def _all(guide: Guide, guides: list[Estimator]) -> Iterator[core.Rival]:
    prune = Guide(guide.stop, tuple(guides)).prune
    names = ", ".join(map(str, guides))
    natives = [one.native for one in guides]
    yield core.Rival("dfs:seed=1", 1)
    yield core.Rival(f"greedy {guides[-1]}", core.BestFirst(natives[-1:], prune=prune, ties="fifo"))
    yield core.Rival(
        f"multi {names} lifo", core.BestFirst(natives, lazy=True, preferred=True, prune=prune, ties="lifo")
    )
    yield core.Rival(f"ut {guides[0]}", core.BestFirst(natives[:1], priority="useless", prune=prune, ties="lifo"))
    for seed in count(2):
        yield core.Rival(f"dfs:seed={seed}", seed)
