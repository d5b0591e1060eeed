"""Searches in memory, as they are called by their declarations: with checkpoints where these were asked for."""

from __future__ import annotations

from typing import Any

from beeline.engine import core
from beeline.engine.native_space import NativeSpace
from beeline.searches.declaration import Checkpoint, Guide, SearchError

LONGEST_HEAD = 4096  # bytes at the beginning of a checkpoint's file, in which its identity is


def breadth_first(space: NativeSpace, request: core.Request, guide: Guide) -> core.Outcome:
    """Breadth-first search."""
    told = _told(space, guide, None)
    return space.breadth_first(request) if not told else _kept(space, request, None, told)


def best_first(space: NativeSpace, request: core.Request, order: core.BestFirst, guide: Guide) -> core.Outcome:
    """Best-first search."""
    told = _told(space, guide, order)
    return space.best_first(request, order) if not told else _kept(space, request, order, told)


def anytime(space: NativeSpace, request: core.Request, order: core.Anytime, guide: Guide) -> core.Outcome:
    """The search that needs no advice."""
    told = _told(space, guide, order)
    return space.anytime(request, order) if not told else _kept(space, request, order, told)


def _kept(
    space: NativeSpace, request: core.Request, order: core.BestFirst | core.Anytime | None, told: dict[str, Any]
) -> core.Outcome:
    assert isinstance(space, core.ProgramSpace | core.ReducedProgramSpace)
    with_reason = "the checkpoint cannot be used"
    try:
        if isinstance(order, core.Anytime):
            return core.kept_anytime(space, request, order, **told)
        return core.kept_search(space, request, order, **told)
    except core.CheckpointError as error:
        raise SearchError(f"{with_reason}: {error}") from None
    except core.DiskError as error:
        raise SearchError(f"{with_reason}: {error}") from None


def _told(space: NativeSpace, guide: Guide, order: core.BestFirst | core.Anytime | None) -> dict[str, Any]:
    if guide.checkpoint is None:
        return {}
    if not isinstance(space, core.ProgramSpace | core.ReducedProgramSpace):
        raise SearchError("checkpoints are left by searches of networks without clocks, and not of endless runs")
    if isinstance(space, core.ReducedProgramSpace) and space.reduces_by_visited:
        raise SearchError(
            "what ample:visited leaves out depends on how far a search has come within a state, which a checkpoint "
            "does not tell: use --reduce stubborn, ample:closed or ample:static"
        )
    return checkpoint_of(space, guide, guide.checkpoint)


def checkpoint_of(
    space: core.ProgramSpace | core.ReducedProgramSpace | core.PairedProgramSpace,
    guide: Guide,
    checkpoint: Checkpoint,
) -> dict[str, Any]:
    """What the engine is told of a checkpoint. Where processes are started, a model is compiled with more and more room
    for them: a checkpoint of a later attempt is none for an earlier one, which ends soon, as it did before."""
    from hashlib import sha256  # takes milliseconds

    network = space if isinstance(space, core.ProgramSpace) else space.inner
    parts = (
        type(space).__name__,
        core.Tier(network.program).source(),
        space.initial_arcs(),
        guide.stop,
        [str(each) for each in guide.estimators],
        str(guide.ties),
    )
    identity = sha256("\0".join(map(repr, parts)).encode()).hexdigest()
    if checkpoint.resumes and f"identity {identity}\n" not in _head(checkpoint.file):
        return {}
    return {
        "checkpoint": checkpoint.file,
        "every": checkpoint.every,
        "identity": identity,
        "resumes": checkpoint.resumes,
    }


def _head(file: str) -> str:
    try:
        with open(file, "rb") as stream:
            return stream.read(LONGEST_HEAD).decode(errors="replace")
    except OSError:
        return ""
