"""Sets of states as decision diagrams: for spaces that are too large to be looked at one by one."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from beeline.engine import Ending, Found, Statistics, Status
from beeline.engine.budget import SEARCHING, doing
from beeline.engines.declaration import Counting, Engine, EngineError
from beeline.engines.shrunk import shrink_and_search
from beeline.heuristics import all_heuristics, find
from beeline.heuristics.language import Combined, Named, Node, parse
from beeline.heuristics.sets import PACKAGE
from beeline.problems.again import begin_again
from beeline.problems.networks import NetworkProblem
from beeline.problems.problem import Problem
from beeline.problems.replaying import ReplayUnfinished, replayed
from beeline.problems.settings import Result, Settings, open_verdict
from beeline.records import replace
from beeline.searches import Takes, all_searches
from beeline.trace.replay import Path

if TYPE_CHECKING:
    from beeline.symbolic.quest import Findings, Guide, Quest, Way

DEFAULT_GUIDE = "refine"


def accepts(problem: Problem) -> str | None:
    """Searches for states of networks without clocks."""
    if find_spec(PACKAGE) is None:
        return f"it needs the package {PACKAGE}: install beeline[symbolic]"
    if not isinstance(problem, NetworkProblem):
        return "it takes networks without clocks alone"
    if problem.model.assumes or (problem.model.rules.stuttering and problem.asked.seeks_deadlock):
        return "assumptions, and steps that change nothing, are looked at by the engine explicit alone"
    if problem.asked.asks_runs or problem.asked.seeks_cycle:
        return "it asks about endless runs"
    if problem.asked.asks_behaviour:
        return "formulas of the mu-calculus are checked on single states"
    return problem.asked.unsupported_reason or None


def guides_of(text: str) -> list[Guide]:
    """What makes the heuristics that `text` names."""
    return [guide for node in parse(text) for guide in _guides(node)]


def _guides(node: Node) -> list[Guide]:
    match node:
        case Combined("max", parts):
            return [guide for part in parts for guide in _guides(part)]
        case Named("blind", _):
            return []
        case Named(name, options) if (heuristic := find(name)).sets:
            values = heuristic.read(options).values()
            made = import_module(f"beeline.symbolic.{heuristic.sets}").distances
            return [lambda quest, targets: made(quest, targets, *values)]
    known = ", ".join(name for name, heuristic in all_heuristics().items() if heuristic.sets)
    raise EngineError(f"the engine bdd goes by these heuristics, and max(..) of them: blind, {known}")


def solve(problem: Problem, settings: Settings) -> Result:
    """Searches until something is found that the question is about, or everything has been seen."""
    if problem.asked.asks_branches:
        return begin_again(problem, lambda one: _branching(one, settings))
    if not settings.search.sets:
        known = ", ".join(name for name, search in all_searches().items() if search.sets)
        raise EngineError(f"the engine bdd does not know the search {settings.search.name}; it knows: {known}")
    settings = replace(settings, threads=1, reduction=None)
    return shrink_and_search(problem, settings, _attempt)


def explore(problem: Problem, asked: Counting) -> Ending:
    """All states of a model."""
    if (reason := accepts(problem)) is not None:
        raise EngineError(f"the engine bdd does not count these states: {reason}")
    assert isinstance(problem, NetworkProblem)
    from beeline.symbolic.room import with_room

    def count(one: NetworkProblem) -> Ending:
        doing("compiling")
        program = one.counted_program()
        doing(SEARCHING)
        return with_room(program, Found.NOTHING, asked.limits, _counted, asked.progress)

    return begin_again(problem, count)


def _branching(problem: Problem, settings: Settings) -> Result:
    """Labels all states, once it is known that no step fails."""
    from beeline.engines.branching import check_sets
    from beeline.symbolic.room import with_room

    assert isinstance(problem, NetworkProblem)
    program = problem.compiled(problem.asked.expressions)
    doing(SEARCHING)

    def search(quest: Quest) -> Result:
        return check_sets(problem, settings, quest)

    return with_room(program, Found.ERROR, settings.limits, search, settings.progress)


def _counted(quest: Quest) -> Ending:
    status, findings = _guarded(quest, "whole")
    if findings is None:
        return Ending(status, Found.NOTHING, _unfinished(quest, status))
    statistics = quest.meter.statistics(findings.reached)
    stuck = quest.system.encoding.count(quest.system.deadlocked(findings.reached & quest.system.at_rest))
    return Ending(status, Found.NOTHING, replace(statistics, deadlocks=stuck))


def _attempt(problem: Problem, settings: Settings) -> Result:
    assert isinstance(problem, NetworkProblem)
    doing("compiling")
    sought = problem.shrunk.asked.sought
    program = problem.compiled([] if sought is None else [sought])
    doing(SEARCHING)
    from beeline.symbolic.room import with_room

    asked = settings.heuristic or DEFAULT_GUIDE if settings.search.takes is not Takes.NONE else None
    guides = [] if asked is None else guides_of(asked)

    def search(quest: Quest) -> Result:
        return _search(problem, settings, quest)

    result = with_room(program, problem.stop, settings.limits, search, settings.progress, guides)
    return replace(result, heuristic=asked)


def _search(problem: NetworkProblem, settings: Settings, quest: Quest) -> Result:
    status, findings = _guarded(quest, settings.search.sets)
    statistics = _unfinished(quest, status) if findings is None else quest.meter.statistics(findings.reached)
    if findings is None or findings.way is None:
        outcome = Ending(status, Found.NOTHING, statistics)
        told = problem.shrinking()
        return settings.result(problem.asked, outcome, [], open_verdict(outcome, settings.search), shrinking=told)
    return _found(problem, settings, quest, findings.way, statistics)


def _unfinished(quest: Quest, status: Status) -> Statistics:
    """What there is to say about a search that did not come to an end. Without memory nothing can be counted."""
    seen = quest.meter.seen
    return quest.meter.statistics(quest.system.initial if seen is None or status is Status.MEMORY else seen)


def _guarded(quest: Quest, name: str) -> tuple[Status, Findings | None]:
    """How a search ended, and what it found if it came to an end by itself."""
    from beeline.symbolic.ended import Ended

    search: Callable[[Quest], Findings] = import_module(f"beeline.symbolic.{name}").search
    try:
        return Status.EXHAUSTED, search(quest)
    except Ended as end:
        return end.status, None
    except MemoryError:
        return Status.MEMORY, None
    except KeyboardInterrupt:
        return Status.INTERRUPTED, None


def _found(problem: NetworkProblem, settings: Settings, quest: Quest, way: Way, statistics: Statistics) -> Result:
    """The way, replayed by the interpreter."""
    path = Path([quest.system.program.layout.decode(cells) for cells in way.states])
    outcome = Ending(Status.FOUND, way.found, statistics, proven=way.shortest)
    failed = Found.ERROR in way.found
    try:
        trace, added = replayed(settings, statistics, lambda watch: problem.trace_along(path, failed, watch))
    except ReplayUnfinished as end:
        return settings.result(problem.asked, outcome, [], ("unknown", str(end)), shrinking=problem.shrinking())
    answer = problem.confirm(outcome, trace)
    return settings.result(problem.asked, outcome, [], answer, trace, shrinking=problem.shrinking(added))


ENGINE = Engine(
    "bdd",
    "sets of states as decision diagrams: spaces with more states than could be looked at one by one",
    accepts,
    solve,
    "Burch, Clarke, McMillan, Dill and Hwang, Symbolic model checking: 10^20 states and beyond, 1992",
    automatic=False,
    explore=explore,
    counts_arcs=False,
)
