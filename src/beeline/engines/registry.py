"""Finds the engines that live in this folder, and the one for a problem."""

from __future__ import annotations

from beeline.declared import Folder
from beeline.engine import Ending
from beeline.engines.declaration import AUTO, Counting, Engine, EngineError
from beeline.engines.relay import device_at_hand
from beeline.engines.relay import solve as relay
from beeline.engines.trial import wants_trial, with_trials
from beeline.model.property import Property
from beeline.problems.problem import Problem
from beeline.problems.settings import Result, Settings
from beeline.records import replace
from beeline.searches import FAIRNESS, Search, SearchError
from beeline.spelling import closest
from beeline.symmetry import NONE as APART

_FOLDER = Folder("beeline.engines", "ENGINE", Engine)
DEFAULT, SETS, DEVICE = "explicit", "bdd", "gpu"


def all_engines() -> dict[str, Engine]:
    """Every engine by its name."""
    return _FOLDER.all


def find_engine(name: str) -> Engine:
    """The engine called `name`, which may be followed by a colon and options."""
    name, colon, options = name.partition(":")
    found = _FOLDER.find(name)
    if found is None:
        close = closest(name, all_engines())
        hint = f"; did you mean {close}?" if close else f"; there are: {', '.join([AUTO, *all_engines()])}"
        raise EngineError(f"there is no engine {name!r}{hint}")
    if not colon:
        return found
    if found.configure is None:
        raise EngineError(f"the engine {name} has no options")
    return found.configure(options)


def choose_engine(name: str, problem: Problem, search: Search | None = None) -> Engine:
    """The engine that a problem is given to, to be searched in some way. A refusal says why, and which engine would
    take it."""
    needs_sets = search is not None and search.needs_sets
    chosen = find_engine(name if name != AUTO else SETS if needs_sets else DEFAULT)
    reason = chosen.accepts(problem)
    if reason is None:
        return chosen
    others = [one for one in all_engines().values() if one.name != chosen.name and one.accepts(problem) is None]
    if name == AUTO and not needs_sets and (automatic := [one for one in others if one.automatic]):
        return automatic[0]
    able = f"; it is taken by: {', '.join(one.name for one in others)}" if others else ""
    raise EngineError(f"the engine {chosen.name} does not take '{problem.asked.name}': {reason}{able}")


def answer(name: str, problem: Problem, settings: Settings) -> Result:
    """What the engine called `name` says; with `auto`, perhaps another one that takes over from it."""
    engine = choose_engine(name, problem, settings.search)
    if settings.costs is not None and not engine.heeds_costs:
        raise EngineError(f"the engine {engine.name} heeds no costs: leave out --cost")
    if settings.checkpoint is not None and not engine.keeps:
        raise EngineError(f"the engine {engine.name} leaves no checkpoints: leave out --checkpoint")
    _check_fairness(problem.asked, settings)
    if settings.symmetry is not None:
        gathered = problem.gathered()
        result = _answer(name, engine, gathered, settings)
        return replace(result, property=problem.asked, shortest=result.shortest and not gathered.asked.sees_late)
    return _answer(name, engine, problem, settings)


def _answer(name: str, engine: Engine, problem: Problem, settings: Settings) -> Result:
    if name == AUTO and engine.name == DEFAULT and wants_trial(settings):
        engine = with_trials(engine, lambda: find_engine(SETS))
    if name == AUTO and settings.checkpoint is None and device_at_hand():
        second = find_engine(DEVICE)
        if second.name != engine.name and second.takes_over is not None and second.takes_over(problem, settings):
            return relay(engine, second, problem, settings)
    result = engine.solve(problem, settings)
    if settings.symmetry is not None and result.symmetry == APART and not result.symmetry_note:
        result = replace(result, symmetry_note="off: this question is answered without")
    return result if result.engine else replace(result, engine=engine.name)


def _check_fairness(asked: Property, settings: Settings) -> None:
    """Raises `SearchError` for a question about whole runs whose answer would be the same without fairness."""
    if settings.fairness == FAIRNESS[0]:
        return
    for asks, what, remedy in (
        (asked.asks_runs, "A<>, E[] and --> know no fairness on models with clocks", "leave out --fairness"),
        (asked.asks_branches, "formulas of branching time name what is fair", "ask ctl[p, q]: .."),
        (asked.asks_behaviour, "formulas of the mu-calculus say themselves what is fair", "leave out --fairness"),
    ):
        if asks:
            raise SearchError(f"{what}: {remedy}")


def count_states(name: str, problem: Problem, asked: Counting) -> tuple[Ending, bool]:
    """What the engine called `name` counts, and whether it counts arcs as well."""
    chosen = find_engine(DEFAULT if name == AUTO else name)
    if chosen.explore is None:
        raise EngineError(f"the engine {chosen.name} does not count states")
    return chosen.explore(problem, asked), chosen.counts_arcs
