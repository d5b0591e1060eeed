"""Answers questions about runs that go on for ever.

Searches for cycles (`ndfs`, `scc`) look for them in the space itself; every other search looks for the closing of a
cycle in the space of pairs, and may find the shortest. `auto` takes a quick one first and then looks for a shorter
lasso, for a while.
"""

from __future__ import annotations

import re

from beeline.engine import Found, Limits, Outcome, Statistics, Status, core
from beeline.heuristics import Estimate
from beeline.heuristics.language import build
from beeline.problems.problem import Problem, Ready
from beeline.problems.replaying import ReplayUnfinished, replayed
from beeline.problems.settings import Result, Settings, open_verdict
from beeline.records import replace
from beeline.searches import FAIRNESS, Search, SearchError, Takes, find

AUTO, NESTED, COMPONENTS = "auto", "ndfs", "scc"
SHORTENING = "bfs"
SECOND_LOOK = 300_000  # pairs that are always looked at for a shorter lasso: some tenths of a second
MORE_PAIRS = 8  # how many times the states of the first search may be spent on it
MOST_PAIRS = 2_000_000  # in each look, however large the space is
MOST_SEEDS = 4  # accepting states of the first cycle through which a shorter one is sought
ABOUT_CYCLES = frozenset({"cL", "cU", "blind", "max", "sum"})


def check_cycles(problem: Problem, settings: Settings) -> Result:
    """What a search for a lasso says; begun again with more room where processes are started."""
    if settings.reduction is not None:
        raise SearchError("steps cannot be left out of a search for cycles: use --reduce none")
    while True:
        try:
            return _answer(problem, settings)
        except core.TooManyProcesses:
            problem = problem.roomier()


def _answer(problem: Problem, settings: Settings) -> Result:
    ready = problem.ready(settings)
    fair = settings.fairness != FAIRNESS[0]
    if settings.search.name == AUTO:
        found, first = _search_cycles(problem, ready, settings, find(COMPONENTS if fair else NESTED))
        if first.trace is None or first.trace.cycle is None or fair:
            return first
        return _shorter(problem, ready, settings, found, first)
    if settings.search.cycles:
        return _search_cycles(problem, ready, settings, settings.search)[1]
    if fair:
        raise SearchError(f"{settings.search} knows no fairness; use scc")
    return _search_pairs(problem, ready, settings)


def _search_cycles(problem: Problem, ready: Ready, settings: Settings, search: Search) -> tuple[Outcome, Result]:
    fair = FAIRNESS.index(settings.fairness)
    if fair and search.name != COMPONENTS:
        raise SearchError(f"{search} knows no fairness; use scc")
    given = {"fairness": fair} if search.name == COMPONENTS else {"weak": int(problem.asked.is_weak)}
    chosen = replace(settings, search=replace(search, given={**search.given, **given}))
    # Merged runs do not tell of everyone who could begin them.
    outcome = chosen.run(ready.space(merged=not fair), problem.stop, [])
    return outcome, _result(problem, ready, replace(settings, search=search), outcome, [])


def _search_pairs(problem: Problem, ready: Ready, settings: Settings) -> Result:
    """Any search of the space of pairs. What fails there is another question's business: a way that ends in an error is
    no infinite run."""
    estimates = _estimates(ready, settings)
    outcome = settings.run(ready.pairs(ready.space()), Found.GOAL, estimates)
    return _result(problem, ready, settings, outcome, estimates)


def _estimates(ready: Ready, settings: Settings) -> list[Estimate]:
    search, text = settings.search, settings.heuristic
    if search.takes is Takes.NONE:
        return []
    if text is None:
        text = "blind" if ready.context.native is None else "cL" if search.promises.shortest else "cU"
    strange = set(re.findall(r"[A-Za-z]+", text)) - ABOUT_CYCLES
    if strange:
        raise SearchError(f"{min(strange)} is no estimate of the way round a cycle; there are: cL, cU, blind")
    ready.context.closes_cycles = True
    return build(text, ready.context)


def _result(problem: Problem, ready: Ready, settings: Settings, outcome: Outcome, estimates: list[Estimate]) -> Result:
    if outcome.status is not Status.FOUND:
        answer = open_verdict(outcome, settings.search)
        return settings.result(problem.asked, outcome, estimates, answer)
    try:
        if outcome.cycle is None:
            finite, _ = replayed(settings, outcome.statistics, lambda watch: ready.trace(outcome, watch=watch))
            answer = problem.confirm(outcome, finite)
            return settings.result(problem.asked, outcome, estimates, answer, finite)
        trace, reason = replayed(
            settings, outcome.statistics, lambda watch: ready.lasso(outcome, settings.fairness, watch)
        )
    except ReplayUnfinished as end:
        return settings.result(problem.asked, outcome, estimates, ("unknown", str(end)))
    # Only among lassos whose cycle begins at an accepting state is it known to be the shortest.
    found = settings.result(problem.asked, outcome, estimates, ("violated", reason), trace)
    return replace(found, shortest=False)


def _shorter(problem: Problem, ready: Ready, settings: Settings, found: Outcome, first: Result) -> Result:
    """A shorter lasso, if one is found with little more work: through accepting states of the cycle that was found, and
    then through any."""
    plain = ready.space()
    spaces = [ready.pairs(plain, seed) for seed in _seeds(ready, found)] + [ready.pairs(plain)]
    best, used = first, first.statistics
    for space in spaces:
        bounded = _rest_of(settings, used)
        if bounded is None:
            break
        outcome = bounded.run(space, Found.GOAL, [])
        used = used.joined(replace(outcome.statistics, depth=0))
        if outcome.cycle is not None:
            found_now = _result(problem, ready, bounded, outcome, [])
            if found_now.trace is not None and best.trace is not None and len(found_now.trace) < len(best.trace):
                best = found_now
    return replace(best, search=str(settings.search), statistics=used)


def _rest_of(settings: Settings, used: Statistics) -> Settings | None:
    """What is left of the limits for another look; None if nothing is."""
    limits = settings.limits or Limits()
    left = None if limits.time is None else limits.time - used.seconds
    states = min(MORE_PAIRS * used.stored + SECOND_LOOK, MOST_PAIRS)
    if limits.states is not None:
        states = min(states, limits.states - used.stored)
    if (left is not None and left <= 0) or states <= 0:
        return None
    return replace(settings, search=find(SHORTENING), heuristic=None, limits=replace(limits, time=left, states=states))


def _seeds(ready: Ready, found: Outcome) -> list[tuple[int, ...]]:
    """Some accepting states of a cycle."""
    assert found.cycle is not None
    space = ready.space()
    around = [step.state for step in found.path[found.cycle : -1]]
    accepting = [state for state in around if space.successor_arcs(state)[0] & core.ACCEPT]
    return accepting[:: max(1, len(accepting) // MOST_SEEDS)][:MOST_SEEDS]
