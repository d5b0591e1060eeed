"""States one by one: all searches, stores, heuristics and reductions work here."""

from __future__ import annotations

from beeline.engine import Found, Outcome, Status
from beeline.engines.declaration import Counting, Engine
from beeline.engines.shrunk import shrink_and_search
from beeline.heuristics import Estimator
from beeline.model.property import Range
from beeline.problems.again import count_again
from beeline.problems.networks import NetworkProblem
from beeline.problems.problem import Problem, Ready
from beeline.problems.replaying import ReplayUnfinished, replayed
from beeline.problems.settings import Reduced, Result, Settings, open_verdict
from beeline.problems.user_spaces import UserProblem
from beeline.records import replace
from beeline.searches import AUTOMATA, find
from beeline.searches.runner import run
from beeline.trace.replay import Spurious

FOR_STATES = "dfs"  # in the place of a search for cycles, where none are asked for


def accepts(problem: Problem) -> str | None:
    """Everything that a search for a finite trace can answer."""
    if problem.asked.asks_runs:
        return "it asks about endless runs"
    if problem.asked.asks_branches and not isinstance(problem, (NetworkProblem, UserProblem)):
        return "formulas of branching time are checked on models without clocks"
    if problem.asked.asks_behaviour and not isinstance(problem, NetworkProblem):
        return "formulas of the mu-calculus are checked on networks without clocks"
    return problem.asked.unsupported_reason or None


def solve(problem: Problem, settings: Settings) -> Result:
    """Searches until something is found that the question is about, or everything has been seen."""
    problem.check_search(settings.search)
    if settings.costs is not None:
        problem.check_costs(settings.costs)
    if settings.automaton != AUTOMATA[0] and (problem.asked.seeks_cycle or problem.asked.automaton is not None):
        from beeline.engines.observed import check_observed

        return check_observed(problem, settings)
    if problem.asked.seeks_cycle:
        from beeline.engines.cycles import check_cycles

        return check_cycles(problem, settings)
    if settings.search.cycles:
        settings = replace(settings, search=find(FOR_STATES), threads=1)
    if problem.asked.asks_branches:
        from beeline.engines.branching import check_single

        assert isinstance(problem, (NetworkProblem, UserProblem))
        return check_single(problem, settings)
    if problem.asked.asks_behaviour:
        from beeline.engines.modal import check_modal

        assert isinstance(problem, NetworkProblem)
        return check_modal(problem, settings)
    if isinstance(problem.asked, Range):
        from beeline.engines.ranges import check_range

        return check_range(problem, problem.asked, settings)
    return shrink_and_search(problem, settings, _attempt)


def _attempt(problem: Problem, settings: Settings) -> Result:
    ready = problem.ready(settings)
    estimators, rest = settings.choose(ready.context)
    reduced = ready.reduce(settings)
    # Searches that promise shortest traces must see every step; others may pass over uninterrupted runs.
    merged = reduced.loses_length or not settings.may_be_shortest(estimators)
    try:
        space, weights = ready.space(merged, reduced), ready.weights(settings.costs)
        outcome = rest.run(space, problem.stop, estimators, weights, context=ready.context)
    except Exception as error:
        failed = problem.raised(error, settings)
        if failed is None:
            raise
        return failed
    result = conclude(problem, ready, settings, outcome, estimators, reduced)
    return replace(result, symmetry=ready.folded.name, symmetry_note=ready.folded.note)


def conclude(
    problem: Problem, ready: Ready, settings: Settings, outcome: Outcome, estimators: list[Estimator], reduced: Reduced
) -> Result:
    """What the outcome of a search means for the question; a path is replayed."""
    if outcome.status is not Status.FOUND:
        answer = open_verdict(outcome, settings.search, reduced)
        told = problem.shrinking()
        return settings.result(problem.asked, outcome, estimators, answer, reduced=reduced, shrinking=told)
    try:
        trace, added = replayed(settings, outcome.statistics, lambda watch: ready.trace(outcome, watch=watch))
    except ReplayUnfinished as end:
        answer, left = ("unknown", str(end)), ready.unverified(outcome, str(end))
        told = problem.shrinking()
        return settings.result(problem.asked, outcome, estimators, answer, None, reduced, told, left)
    except Spurious as doubt:
        if problem.exact() is not None:
            raise
        answer = "unknown", f"possibly spurious: {doubt}"
        told = problem.shrinking()
        return settings.result(problem.asked, outcome, estimators, answer, reduced=reduced, shrinking=told)
    told = problem.shrinking(added)
    answer = problem.confirm(outcome, trace)
    result = settings.result(problem.asked, outcome, estimators, answer, trace, reduced, told)
    if settings.search.elapsed:
        result = replace(result, least_time=ready.least_time(outcome, trace))
    if settings.costs is None:
        return result
    cost = outcome.cost(ready.weights(settings.costs))
    return replace(result, cost=cost, cheapest=result.shortest, shortest=False)


def explore(problem: Problem, asked: Counting) -> Outcome:
    """All states of a model."""
    problem.check_search(asked.search)
    return count_again(
        problem,
        lambda one: run(
            one.counted_space(asked.symmetry),
            asked.search,
            stop=Found.NOTHING,
            limits=asked.limits,
            progress=asked.progress,
            threads=asked.threads,
            tier=asked.tier,
        ),
    )


ENGINE = Engine(
    "explicit",
    "one state after the other: all searches, stores, heuristics and reductions",
    accepts,
    solve,
    explore=explore,
    heeds_costs=True,
    keeps=True,
)
