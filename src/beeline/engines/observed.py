"""Answers formulas by automata of a chosen kind: Büchi automata in two forms, testing automata, generalised ones."""

from __future__ import annotations

from beeline.engine import core
from beeline.engines.cycles import result_of
from beeline.problems.again import begin_again
from beeline.problems.networks import NetworkProblem
from beeline.problems.observed import ObservedProblem, observed
from beeline.problems.problem import Problem
from beeline.problems.settings import Result, Settings
from beeline.records import replace
from beeline.searches import FAIRNESS, Search, SearchError, find

AUTO = "auto"
SEARCHES = {"tlba": ("ndfs", "scc"), "slba": ("ndfs", "scc"), "ta": ("testing",), "tgta": ("scc",)}
"""By the kind of automaton, those that know its acceptance; the first one by default."""


def check_observed(problem: Problem, settings: Settings) -> Result:
    """What a search for a run says that the automaton accepts; begun again with more room where processes are
    started."""
    if settings.reduction is not None:
        raise SearchError("steps cannot be left out of a search with --automaton: use --reduce none")
    if settings.shortest_lasso:
        raise SearchError("--automaton and --shortest-lasso do not go together: leave one of the two out")
    if settings.fairness != FAIRNESS[0]:
        raise SearchError("--automaton knows no fairness: leave one of the two out")
    if not isinstance(problem, NetworkProblem):
        raise SearchError("--automaton is for networks without clocks")
    chosen = replace(settings, search=_search(settings.automaton, settings.search), threads=1)
    watched = observed(problem.model, problem.asked, settings.automaton)
    try:
        result = begin_again(watched, lambda one: _answer(one, chosen))
    except core.NoValue as error:
        raise SearchError(f"{error}: leave out --automaton to see where") from None
    return replace(result, search=f"{chosen.search} on {settings.automaton}")


def _search(kind: str, asked: Search) -> Search:
    known = SEARCHES[kind]
    if asked.name == AUTO:
        return find(known[0])
    if asked.name not in known:
        raise SearchError(f"{asked} does not know when a {kind} accepts; use {' or '.join(known)}")
    return asked


def _answer(problem: ObservedProblem, settings: Settings) -> Result:
    ready = problem.ready(settings)
    outcome = settings.run(ready.space(merged=True), problem.stop, [])
    return result_of(problem, ready, settings, outcome, [])
