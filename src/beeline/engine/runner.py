"""Runs one search over one space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from beeline import _native
from beeline._native import Cancellation
from beeline.engine.limits import Limits, default_memory
from beeline.engine.outcome import Found, Outcome, Statistics
from beeline.searches import Guide, Search, Takes, Ties, check_threads, find
from beeline.tier import BYTECODE, Companion

if TYPE_CHECKING:
    from beeline.heuristics import Estimate

Progress = Callable[[Statistics], None]
"""Called a few times a second while a search runs."""

Arc = tuple[int, int, int, tuple[int, ...] | None]
"""(action, marks, detail, state); the state is None after a run-time error."""


class NativeSpace(Protocol):
    """What every native space type offers: its arcs, one state at a time, and all searches."""

    @property
    def words(self) -> int: ...
    def initial_arcs(self) -> list[Arc]: ...
    def successor_arcs(self, state: Sequence[int]) -> tuple[int, list[Arc]]: ...
    def breadth_first(self, request: _native.Request) -> _native.Outcome: ...
    def breadth_first_tree(self, request: _native.Request) -> _native.Outcome: ...
    def breadth_first_hash_compact(self, request: _native.Request, bytes: int) -> _native.Outcome: ...
    def breadth_first_bitstate(self, request: _native.Request, log_bits: int) -> _native.Outcome: ...
    def depth_first(self, request: _native.Request, seed: int | None = None) -> _native.Outcome: ...
    def iterative_deepening(self, request: _native.Request, step: int = 1) -> _native.Outcome: ...
    def shortening(self, request: _native.Request, reopen: bool) -> _native.Outcome: ...
    def best_first(self, request: _native.Request, options: _native.BestFirst) -> _native.Outcome: ...
    def anytime(self, request: _native.Request, options: _native.Anytime) -> _native.Outcome: ...
    def ida_star(self, request: _native.Request, options: _native.IdaStar) -> _native.Outcome: ...
    def walk(self, request: _native.Request, options: _native.Walk) -> _native.Outcome: ...


def run(
    space: NativeSpace,
    search: str | Search = "bfs",
    *,
    stop: Found = Found.ANYTHING,
    limits: Limits | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    cancellation: Cancellation | None = None,
    estimates: Sequence[Estimate] | None = None,
    ties: str | Ties | None = None,
    threads: int = 1,
    tier: str = BYTECODE,
) -> Outcome:
    """Search `space` until something in `stop` is found, the space is exhausted or a limit is reached.

    `search` is a name with options, such as "bfs" or "random-dfs:7"; `seed` is the default of its option of that
    name. With `stop=Found.NOTHING` the whole space is explored and counted. A directed search goes by `estimates`; if
    none are given, by the estimate() of a space written in Python, and otherwise blindly. Several `threads` share the
    work of a search that declares it, with the answers of one; `Outcome.threads` says how many did. `tier` is auto,
    bytecode or native: how the steps of a compiled network are found; `Outcome.tier` says how they were in the end.

    >>> from beeline.engine import python_space, run, user_path
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
    limits = limits or Limits()
    if estimates is None:
        estimates = default_estimates(space, chosen)
    guide = Guide(stop, tuple(estimates), Ties.parse(ties) if isinstance(ties, str) else ties)
    request = _native.Request(
        stop=stop.value,
        seconds=limits.time,
        memory=limits.memory if limits.memory is not None else default_memory(),
        states=limits.states,
        depth=limits.depth,
        progress=None if progress is None else lambda native: progress(Statistics.of(native)),
        cancellation=cancellation,
        threads=threads,
    )
    with Companion(space, tier) as companion:
        native = chosen.start(space, request, guide, seed=seed)
    return Outcome(native, companion.used)


def default_estimates(space: NativeSpace, search: Search) -> list[Estimate]:
    """What a search goes by if nothing is known but the space."""
    from beeline.heuristics import Context, build

    if search.takes is Takes.NONE:
        return []
    if isinstance(space, _native.PythonSpace) and space.has_estimate:
        return build("user", Context(space=space))
    return build("blind", Context()) if search.takes is Takes.ONE else []
