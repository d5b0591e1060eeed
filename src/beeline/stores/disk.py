"""Sorted files, merged layer by layer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from beeline.engine import core
from beeline.engine.native_space import NativeSpace
from beeline.searches.declaration import Guide, SearchError, Values
from beeline.searches.keeping import checkpoint_of
from beeline.stores.declaration import Store, Use

if TYPE_CHECKING:
    from beeline.heuristics import Estimator

WITHOUT_CLOCKS = "the store disk is for networks without clocks only"
UNUSABLE = "the store disk cannot be used"


def _search(space: NativeSpace, request: core.Request, guide: Guide, order: core.BestFirst | None) -> core.Outcome:
    if isinstance(space, core.ReducedProgramSpace):
        raise SearchError("the store disk keeps states as they are, not folded by symmetry: leave out --symmetry")
    if not isinstance(space, core.ProgramSpace | core.PairedProgramSpace):
        raise SearchError(WITHOUT_CLOCKS)
    told = _checkpoint_of(space, guide)
    with _telling_why():
        return core.disk_search(space, request, guide.folder, order=order, **told)


def _checkpoint_of(space: core.ProgramSpace | core.PairedProgramSpace, guide: Guide) -> dict[str, Any]:
    return {} if guide.checkpoint is None else checkpoint_of(space, guide, guide.checkpoint)


@contextmanager
def _telling_why() -> Iterator[None]:
    try:
        yield
    except core.CheckpointError as error:
        raise SearchError(f"the checkpoint cannot be used: {error}") from None
    except core.DiskError as error:
        raise SearchError(f"{UNUSABLE}: {error}") from None


def _cycles(space: NativeSpace, request: core.Request, options: Values, guide: Guide) -> core.Outcome:
    if not isinstance(space, core.ProgramSpace):
        raise SearchError(WITHOUT_CLOCKS)
    told = _checkpoint_of(space, guide)
    with _telling_why():
        return core.disk_cycles(space, request, guide.folder, **told)


def check_consistency(estimators: Sequence[Estimator]) -> None:
    """Refuses an A* that would find shorter ways to states that it has expanded."""
    for estimator in estimators:
        if not estimator.promises.consistent:
            raise SearchError(
                f"A* on disk expands no state twice, and so needs a consistent heuristic, which {estimator} is not: "
                "use --heuristic hL, dL, Hf or blind"
            )


def _breadth_first(space: NativeSpace, request: core.Request, options: Values, guide: Guide) -> core.Outcome:
    return _search(space, request, guide, None)


def _a_star(space: NativeSpace, request: core.Request, options: Values, guide: Guide) -> core.Outcome:
    check_consistency(guide.estimators)
    if guide.weights:
        raise SearchError("costs of steps do not go with files on disk: use --store plain")
    return _search(space, request, guide, core.BestFirst(guide.natives, priority="sum", prune=guide.prune))


STORE = Store(
    name="disk",
    summary="sorted files in a folder, merged layer by layer: for more states than memory holds",
    paper="Edelkamp, Jabbar and Schroedl, External A*, KI 2004; Korf, Delayed duplicate detection, IJCAI 2003",
    exact=True,
    in_folder=True,
    # No reduction: whether a state is known is told when a layer is done, not while one is expanded.
    uses={
        "auto": Use(_breadth_first, keeps=True, blind=True),
        "bfs": Use(_breadth_first, keeps=True),
        "astar": Use(_a_star, keeps=True),
        "owcty": Use(_cycles, keeps=True),
    },
)
