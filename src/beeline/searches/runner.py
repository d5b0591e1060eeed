"""Runs one search over one space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from beeline.engine import core
from beeline.engine.budget import SEARCHING, current, doing
from beeline.engine.core import Cancellation
from beeline.engine.limits import Limits, default_memory
from beeline.engine.native_space import NativeSpace, Progress
from beeline.engine.outcome import Found, Outcome, Statistics
from beeline.engine.spaces import note_state
from beeline.jit import BYTECODE, Companion
from beeline.records import replace
from beeline.searches.declaration import Checkpoint, Guide, Search, Takes, Ties
from beeline.searches.registry import check_threads, find

if TYPE_CHECKING:
    from beeline.heuristics import Estimator


def run(
    space: NativeSpace,
    search: str | Search = "bfs",
    *,
    stop: Found = Found.ANYTHING,
    limits: Limits | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    cancellation: Cancellation | None = None,
    estimators: Sequence[Estimator] | None = None,
    ties: str | Ties | None = None,
    threads: int = 1,
    tier: str = BYTECODE,
    weights: Sequence[int] = (),
    checkpoint: Checkpoint | None = None,
    steps: Callable[[], core.Task | None] = lambda: None,
) -> Outcome:
    """Search `space` until something in `stop` is found, the space is exhausted or a limit is reached.

    `search` is a name with options, such as "bfs" or "random-dfs:7"; `seed` is the default of its option of that
    name. With `stop=Found.NOTHING` the whole space is explored and counted. A directed search goes by `estimators`; if
    none are given, by the estimate() of a space written in Python, and otherwise blindly. Several `threads` share the
    work of a search that declares it, with the answers of one, or race, where it is auto; `Outcome.threads` says how
    many did. `tier` is auto, bytecode or native: how the steps of a compiled network are found; `Outcome.tier` says how
    they were in the end. `weights` say what steps cost, by action, for searches that heed costs. A search that can
    leave a `checkpoint` does so, or goes on from there. `steps` lists the model's steps, for a search that looks at
    what they have to do with each other.

    >>> from beeline.engine import python_space, user_path
    >>> from beeline.searches.runner import run
    >>> class Count:
    ...     def initial(self): return 1
    ...     def successors(self, state): return [("add", state + 1), ("double", 2 * state)]
    ...     def violates(self, state): return state == 10
    >>> space = python_space(Count())
    >>> [(step.label, step.state) for step in user_path(space, run(space))]
    [(None, 1), ('add', 2), ('double', 4), ('add', 5), ('double', 10)]
    """
    chosen = find(search) if isinstance(search, str) else search
    check_threads(chosen, threads)
    limits, budget = limits or Limits(), current()
    if estimators is None:
        estimators = default_estimators(space, chosen)
    guide = Guide(stop, tuple(estimators), Ties.parse(ties) if isinstance(ties, str) else ties, tuple(weights))
    guide = replace(guide, checkpoint=checkpoint, steps=steps)
    started = monotonic()
    doing(SEARCHING)
    try:
        while True:
            passed = monotonic() - started
            left = None if limits.time is None else max(limits.time - passed, 0.0)
            request = core.Request(
                stop=stop.value,
                seconds=left if budget is None else budget.seconds(left),
                memory=limits.memory if limits.memory is not None else default_memory(),
                states=limits.states,
                depth=limits.depth,
                progress=None if progress is None else lambda native: progress(Statistics.of(native)),
                cancellation=cancellation,
                threads=threads,
                disk=limits.disk,
            )
            try:
                with Companion(space, tier) as companion:
                    native = chosen.start(space, request, guide, seed=seed)
                break
            except core.Crowded:
                assert isinstance(space, core.TimedSpace)
                space.make_room()
    except Exception as error:
        if isinstance(space, core.PythonSpace):
            note_state(space, error)
        raise
    return Outcome(native, companion.used)


def default_estimators(space: NativeSpace, search: Search) -> list[Estimator]:
    """What a search goes by if nothing is known but the space."""
    from beeline.heuristics import Context, build

    if search.takes is Takes.NONE:
        return []
    if isinstance(space, core.PythonSpace) and space.has_estimate:
        return build("user", Context(space=space))
    return build("blind", Context()) if search.takes is Takes.ONE else []
