"""Many states at once, on a GPU.

The processor searches first, while the code of the model is compiled; where the space is small, that is all. Then the
device begins from the start: it comes to where the processor was within milliseconds.
"""

from __future__ import annotations

import threading
from time import monotonic
from typing import TYPE_CHECKING

from beeline.engine import Found, Outcome, Status, core
from beeline.engine.budget import SEARCHING, current, doing
from beeline.engine.limits import Limits
from beeline.engines.declaration import Counting, Engine, EngineError
from beeline.engines.explicit import conclude
from beeline.engines.shrunk import shrink_and_search
from beeline.heuristics import Estimator, HeuristicError
from beeline.model.property import Range
from beeline.problems.again import begin_again
from beeline.problems.networks import NetworkProblem, ReadyNetwork
from beeline.problems.problem import Problem
from beeline.problems.settings import Reduced, Result, Settings
from beeline.records import replace
from beeline.searches import AUTOMATA, Search, find
from beeline.searches.runner import run

if TYPE_CHECKING:
    from beeline.gpu import Device
    from beeline.gpu.search import Aim

SEARCHES = BREADTH_FIRST, ASTAR, WALK = "bfs", "astar", "walk"
BOUNDS = ("pdb", "Hf", "dL")
"""Estimates for A*, the first that applies if nobody names one: those that are looked up in tables."""
BY_DEFAULT = "auto"
STORES = ("plain", "hash-compact", "bitstate")
WALKS = 10_000  # for one that the processor makes


def accepts(problem: Problem) -> str | None:
    """Questions about states of networks without clocks, and about cycles."""
    if not isinstance(problem, NetworkProblem):
        return "only networks without clocks are searched on a GPU"
    if problem.model.is_rule_based:
        return "start rules and assumptions are followed by the engine explicit alone"
    asked = problem.asked
    if asked.asks_runs or asked.asks_branches or asked.asks_behaviour or isinstance(asked, Range):
        return "on a GPU only states and cycles are looked for"
    return problem.asked.unsupported_reason or None


def solve(problem: Problem, settings: Settings) -> Result:
    """A search by layers, or many random walks; for cycles, passes over what a search by layers stored."""
    from beeline.gpu import find_device

    if settings.automaton != AUTOMATA[0] and problem.asked.automaton is not None:
        raise EngineError("on a GPU runs are watched by the automaton that suits the question: leave out --automaton")
    if problem.asked.seeks_cycle:
        from beeline.engines.gpu_cycles import check_on_device

        return check_on_device(problem, settings)
    settings = replace(settings, search=_search_of(settings))
    device = find_device()
    try:
        _check_shared(device, settings.search, settings.limits)
        return shrink_and_search(problem, settings, lambda one, rest: _attempt(one, rest, device))
    finally:
        device.close()


def _search_of(settings: Settings) -> Search:
    """The search that was asked for, if there is one like it there."""
    search = find(BREADTH_FIRST) if settings.search.name == BY_DEFAULT else settings.search
    if search.name not in SEARCHES:
        raise EngineError(f"on a GPU there is no search '{search.name}': use --search {', '.join(SEARCHES)}")
    _check_store(search)
    if settings.heuristic is not None and search.name != ASTAR:
        raise EngineError(f"on a GPU only --search {ASTAR} goes by a heuristic")
    if settings.reduction is not None:
        raise EngineError("on a GPU no steps are left out: use --reduce none")
    return search


def _check_shared(device: Device, search: Search, limits: Limits | None) -> None:
    """Several devices share breadth-first searches only."""
    if not device.others:
        return
    if search.name != BREADTH_FIRST:
        raise EngineError(f"several GPUs share breadth-first searches only: use --search {BREADTH_FIRST}, or one GPU")
    if search.store != STORES[0]:
        raise EngineError(f"several GPUs keep whole states only: use --store {STORES[0]}, or one GPU")
    if limits is not None and limits.depth is not None:
        raise EngineError("several GPUs do not know a bound of the depth: leave out --max-depth, or use one GPU")


def takes_over(problem: Problem, settings: Settings) -> bool:
    """Whether a search by layers gives the answer that is looked for, and there is a device."""
    from beeline.gpu import DeviceError, find_device

    if settings.search.name not in (BY_DEFAULT, BREADTH_FIRST) or accepts(problem) is not None:
        return False
    if settings.costs is not None or settings.symmetry is not None or settings.automaton != AUTOMATA[0]:
        return False
    try:
        device = find_device()
        device.close()
        if problem.asked.seeks_cycle:
            from beeline.engines.gpu_cycles import check_alone, search_of

            search_of(settings)
            check_alone(device)
        else:
            _check_shared(device, _search_of(settings), settings.limits)
    except (EngineError, DeviceError):
        return False
    return True


def _store_of(search: Search) -> str:
    return search.store.partition(":")[0]


def _check_store(search: Search) -> None:
    if _store_of(search) not in STORES:
        raise EngineError(f"on a GPU states are not kept by '{search.store}': use --store {', '.join(STORES)}")


def _attempt(problem: Problem, settings: Settings, device: Device) -> Result:
    ready = problem.ready(settings)
    assert isinstance(ready, ReadyNetwork)
    if settings.search.name == WALK:
        outcome = _walked(device, ready.program.native, problem.stop, settings)
        return conclude(problem, ready, settings, outcome, [], Reduced())
    estimators, settings = _estimators(ready, settings)
    asked = Counting(settings.search, settings.limits, settings.progress, settings.threads, settings.tier)
    outcome = _searched(device, ready.program.native, problem.stop, asked, True, estimators)
    settings.judge(outcome, problem.stop, estimators)
    return conclude(problem, ready, settings, outcome, estimators, Reduced())


def _estimators(ready: ReadyNetwork, settings: Settings) -> tuple[list[Estimator], Settings]:
    """What the search goes by, and what is left of the time then."""
    if settings.search.name != ASTAR or settings.heuristic is not None:
        return settings.choose(ready.context)
    for name in BOUNDS:
        try:
            chosen = replace(settings, heuristic=name).choose(ready.context)
            core.Lookup(chosen[0][0].native)
            return chosen
        except (HeuristicError, ValueError):
            continue
    raise EngineError("no heuristic that a GPU can compute applies to the model and the property: use --search bfs")


def _aim(estimators: list[Estimator], stop: Found) -> Aim | None:
    from beeline.gpu.search import Aim

    if not estimators:
        return None
    (estimator,) = estimators
    try:
        return Aim(core.Lookup(estimator.native), prunes=estimator.promises.safe and stop in estimator.covers)
    except ValueError:
        raise EngineError(f"a GPU cannot compute {estimator} here: try one of {', '.join(BOUNDS)}, or expr") from None


def _walked(device: Device, program: core.Program, stop: Found, settings: Settings) -> Outcome:
    """By the device alone: many walks."""
    from beeline.gpu.walks import Walks, walk

    check_taken(program)
    doing(SEARCHING)
    options, limits, budget = settings.search.values(settings.seed), settings.limits or Limits(), current()
    seconds = limits.time if budget is None else budget.seconds(limits.time)
    return walk(
        device,
        program,
        Walks(
            stop,
            replace(limits, time=seconds),
            settings.progress,
            walks=(options["restarts"] or 1) * WALKS,
            length=options["length"] or 1,
            seed=options["seed"] or 0,
        ),
    )


def check_taken(program: core.Program) -> None:
    """Raises `EngineError` for what there is no code for."""
    if why := core.not_for_devices(program):
        raise EngineError(f"the engine gpu does not take the model: {why}")


def explore(problem: Problem, asked: Counting) -> Outcome:
    """All states. Every step of an uninterrupted run leads to one."""
    from beeline.gpu import find_device

    if why := accepts(problem):
        raise EngineError(f"the engine gpu does not take the model: {why}")
    _check_store(asked.search)
    device = find_device()

    def count(one: Problem) -> Outcome:
        space = one.counted_space()
        assert isinstance(space, core.ProgramSpace)
        return _searched(device, space.program, Found.NOTHING, asked, keeps=False)

    try:
        _check_shared(device, asked.search, asked.limits)
        return begin_again(problem, count)
    finally:
        device.close()


def _searched(
    device: Device,
    program: core.Program,
    stop: Found,
    asked: Counting,
    keeps: bool,
    estimators: list[Estimator] | None = None,
) -> Outcome:
    """By the processor as long as the device is not ready, then by the device."""
    from beeline.gpu.search import Preparation, Setup, search

    check_taken(program)
    aim = _aim(estimators or [], stop)
    doing(SEARCHING)
    budget, limits, began = current(), asked.limits or Limits(), monotonic()
    seconds = limits.time if budget is None else budget.seconds(limits.time)
    ahead = core.Cancellation()
    preparation = Preparation(
        device, program, store=_store_of(asked.search), lookup=None if aim is None else aim.lookup
    )
    maker = threading.Thread(target=preparation.run, args=(ahead.cancel,), name="beeline-gpu", daemon=True)
    maker.start()
    outcome = run(
        core.ProgramSpace(program),
        asked.search,
        stop=stop,
        limits=replace(limits, time=seconds),
        progress=asked.progress,
        cancellation=ahead,
        estimators=estimators,
        threads=asked.threads,
        tier=asked.tier,
    )
    if outcome.status is not Status.INTERRUPTED or not ahead.requested:
        return outcome
    del outcome
    maker.join()
    left = None if seconds is None else max(0.0, seconds - (monotonic() - began))
    setup = Setup(
        stop,
        replace(limits, time=left),
        asked.progress,
        _store_of(asked.search),
        asked.search.given.get("bits"),
        keeps,
        aim=aim,
    )
    return search(device, program, setup, preparation)[0]


ENGINE = Engine(
    "gpu",
    "many states at once, on a GPU: breadth-first search, A*, random walks, cycles by passes over all states",
    accepts,
    solve,
    automatic=False,
    takes_over=takes_over,
    explore=explore,
)
