"""Questions about runs that go on for ever, on a GPU.

As for other questions, the processor searches while the code of the model is compiled, as `auto` does there."""

from __future__ import annotations

import threading
from time import monotonic
from typing import TYPE_CHECKING

from beeline.engine import Limits, core
from beeline.engine.budget import SEARCHING, current, doing
from beeline.engines.cycles import AUTO, PASSES, by_turns, check_cycles, result_of
from beeline.engines.declaration import EngineError
from beeline.engines.gpu import check_taken
from beeline.problems.networks import ReadyNetwork
from beeline.problems.problem import Problem
from beeline.problems.settings import INTERRUPTED, Reduced, Result, Settings
from beeline.records import replace
from beeline.searches import FAIRNESS, Search, find

if TYPE_CHECKING:
    from beeline.gpu import Device

STORE = "plain"


def search_of(settings: Settings) -> Search:
    """The search for cycles that was asked for, if there is one like it there."""
    if settings.search.name not in (AUTO, PASSES):
        raise EngineError(f"on a GPU cycles are looked for by no search but {PASSES}: use --search {PASSES}")
    if settings.search.store != STORE:
        raise EngineError(f"on a GPU cycles are looked for among all states: use --store {STORE}")
    if settings.fairness != FAIRNESS[0]:
        raise EngineError("on a GPU nobody knows which runs are fair: use --engine explicit")
    if settings.shortest_lasso:
        raise EngineError("on a GPU the shortest lasso is not looked for: use --engine explicit")
    if settings.heuristic is not None or settings.reduction is not None:
        raise EngineError(f"{PASSES} goes by no heuristic and leaves out no steps: leave out --heuristic and --reduce")
    return settings.search


def check_alone(device: Device) -> None:
    """Passes look up states that may be anywhere."""
    if device.others:
        raise EngineError("several GPUs do not look for cycles together: name one GPU")


def check_on_device(problem: Problem, settings: Settings) -> Result:
    """What passes over all states say, if the processor has no answer before."""
    from beeline.gpu import find_device

    search_of(settings)
    device = find_device()
    try:
        check_alone(device)
        return check_cycles(problem, settings, lambda some, how: _attempt(some, how, device))
    finally:
        device.close()


def _attempt(problem: Problem, settings: Settings, device: Device) -> Result:
    from beeline.gpu.search import Preparation, Setup, search

    settings = replace(settings, symmetry=None)  # a device folds nothing
    ready = problem.ready(settings)
    assert isinstance(ready, ReadyNetwork)
    program = ready.program.native
    check_taken(program)
    doing(SEARCHING)
    began, ahead = monotonic(), core.Cancellation()
    preparation = Preparation(device, program, cycles=True)
    maker = threading.Thread(target=preparation.run, args=(ahead.cancel,), name="beeline-gpu", daemon=True)
    maker.start()
    if settings.search.name == AUTO:
        soon = by_turns(problem, ready, settings, Reduced(), ahead)
        if soon.reason != INTERRUPTED or not ahead.requested:
            return soon
    maker.join()
    settings = replace(settings.after(monotonic() - began), search=find(PASSES))
    budget, limits = current(), settings.limits or Limits()
    seconds = limits.time if budget is None else budget.seconds(limits.time)
    setup = Setup(problem.stop, replace(limits, time=seconds), settings.progress)
    outcome, _ = search(device, program, setup, preparation)
    return result_of(problem, ready, settings, outcome, [])
