"""Answers questions about runs that go on for ever.

Searches for cycles (`ndfs`, `scc`) look for them in the space itself; every other search looks for the closing of a
cycle in the space of pairs, and may find the shortest. `auto` takes a quick one first and then looks for a shorter
lasso, for a while.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from beeline.engine import Found, Limits, Outcome, Statistics, Status, core
from beeline.heuristics import Estimator
from beeline.heuristics.language import build, names
from beeline.model.property import Property
from beeline.preprocessing import EXACT
from beeline.preprocessing import NONE as WHOLE
from beeline.problems.again import begin_again
from beeline.problems.estimators import QUICK
from beeline.problems.problem import Problem, Ready
from beeline.problems.replaying import ReplayUnfinished, replayed
from beeline.problems.settings import Reduced, Result, Settings, open_verdict
from beeline.records import replace
from beeline.searches import FAIRNESS, SearchError, Takes, find
from beeline.stores import with_store

if TYPE_CHECKING:
    from beeline.trace import Trace

AUTO, NESTED, COMPONENTS = "auto", "ndfs", "scc"
BROAD, DIRECTED = "bfs", "astar"
DISK, PASSES = "disk", "owcty"
SECOND_LOOK = 300_000  # pairs that are always looked at for a shorter lasso: some tenths of a second
MORE_PAIRS = 8  # how many times the states of the first search may be spent on it
MOST_PAIRS = 2_000_000  # in each look, however large the space is
TURNS = ((BROAD, 10_000), (DIRECTED, 100_000), (NESTED, 1_000_000), (DIRECTED, 500_000), (NESTED, None))
"""The searches of `auto`, and how many states each may store. The first one needs no tables of distances;
the directed ones come to an end early where distances tell something, and else take more time for a pair."""
MOST_SEEDS = 4  # accepting states of the first cycle through which a shorter one is sought
ABOUT_CYCLES = frozenset({"cL", "cU", "blind"})


Attempt = Callable[[Problem, Settings], Result]


def check_cycles(problem: Problem, settings: Settings, attempt: Attempt | None = None) -> Result:
    """What a search for a lasso says, or another `attempt` to find one."""
    attempt = attempt or _answer
    settings = _with_search(settings)
    asked = problem.asked
    if settings.search.name == COMPONENTS:
        problem = problem.generalised()
    match, note = settings.matches_by(problem.wants_everything or settings.shortest_lasso, "")
    if match != EXACT or note:
        problem = problem.smaller(WHOLE, note, inf, match)

    # Who is starved in a state may be another one in a state that is alike.
    apart = replace(settings, symmetry=None)
    folding = settings if settings.fairness == FAIRNESS[0] else apart

    def search(one: Problem) -> Result:
        result = replace(_told(attempt(one, folding), asked, settings), shrinking=one.shrinking())
        if not settings.shortest_lasso:
            return result
        from beeline.engines.shortest import prove_shortest

        return prove_shortest(one, one.ready(apart), apart, result)

    # A cycle closes where states are equal in what matters; in other variables they may differ each round. Such a cycle
    # does not replay.
    return begin_again(problem, search)


def check_through(problem: Problem, settings: Settings, states: Sequence[Any]) -> Result | None:
    """A short lasso through one of these states of a trace, or through any accepting state if that is shorter; None if
    there is none, or none is found within the limits."""

    def search(one: Problem) -> Result | None:
        ready = one.ready(settings)
        return _shorter(one, ready, settings, _some_accepting(ready, [ready.words(state) for state in states]))

    return begin_again(problem, search)


def _told(result: Result, asked: Property, settings: Settings) -> Result:
    """The answer to the question as it was asked."""
    if result.threads == 1 < settings.threads and settings.reduction is None:
        result = replace(result, threads_note=f"one thread: of searches for cycles, only {NESTED} is shared")
    if settings.symmetry is not None and settings.fairness != FAIRNESS[0]:
        result = replace(result, symmetry_note="off: fairness tells processes apart")
    return replace(result, property=asked)


def _with_search(settings: Settings) -> Settings:
    """With the search that is meant: `auto` takes the only one that knows fairness where that is asked for, and with
    states on disk the one that needs no pairs of them."""
    on_disk = settings.search.store.partition(":")[0] == DISK
    if settings.fairness == FAIRNESS[0]:
        if on_disk and settings.search.name == AUTO:
            return replace(settings, search=with_store(find(PASSES), settings.search.store))
        return settings
    if on_disk:
        raise SearchError(f"fairness is known by {COMPONENTS}, which keeps states in memory: leave out --store")
    if settings.search.name == AUTO:
        return replace(settings, search=find(COMPONENTS))
    if settings.search.name != COMPONENTS:
        raise SearchError(f"{settings.search} knows no fairness; use scc")
    return settings


def _answer(problem: Problem, settings: Settings) -> Result:
    ready = problem.ready(settings)
    reduced = _reduced(ready, settings)
    if settings.search.name == AUTO:
        return by_turns(problem, ready, settings, reduced)
    estimators = estimators_about(ready, settings)
    outcome = _look(problem, ready, settings, reduced, estimators)
    return result_of(problem, ready, settings, outcome, estimators, reduced)


def _reduced(ready: Ready, settings: Settings) -> Reduced:
    """The reduction that is used, if one was asked for. With fewer steps, other processes are able to move."""
    if settings.reduction is not None and settings.fairness != FAIRNESS[0]:
        return Reduced(note=f"off: with steps left out, a run may not be {settings.fairness}ly fair any more")
    return ready.reduce(settings)


def by_turns(
    problem: Problem,
    ready: Ready,
    settings: Settings,
    reduced: Reduced,
    cancellation: core.Cancellation | None = None,
) -> Result:
    """A search of pairs, which finds a short lasso that lies near, and one that goes deep take turns, each longer than
    those before; the last one goes on for as long as it takes, or until all is called off."""
    used = Statistics()
    # To come back to a state that is alike is another matter than to come back to the very same.
    turns = [turn for turn in TURNS if turn[0] != DIRECTED or ready.folded.native is None]
    for position, (name, states) in enumerate(turns):
        turn = replace(_rest_of(settings, used, states), search=find(name))
        outcome = _look(problem, ready, turn, reduced, estimators_about(ready, turn), cancellation)
        used = used.joined(outcome.statistics)
        given_up = outcome.status in (Status.STATES, Status.MEMORY) and not _is_spent(settings, used)
        if not given_up or position == len(turns) - 1:
            break
    result = result_of(problem, ready, turn, outcome, [], reduced)
    result = replace(result, search=str(settings.search), statistics=used)
    is_deep = result.trace is not None and outcome.cycle is not None and turn.search.cycles
    return (_shorter(problem, ready, settings, _seeds(ready, outcome), result) or result) if is_deep else result


def _look(
    problem: Problem,
    ready: Ready,
    settings: Settings,
    reduced: Reduced,
    estimators: list[Estimator] | None = None,
    cancellation: core.Cancellation | None = None,
) -> Outcome:
    """One search: of the space itself, or of pairs."""
    search, fair = settings.search, FAIRNESS.index(settings.fairness)
    if not (search.cycles and search.threads):
        settings = replace(settings, threads=1)
    if not search.cycles:
        pairs, states = ready.pairs(ready.space(reduced=reduced)), problem.stop & ~Found.CYCLE
        return settings.run(pairs, states, estimators or [], cancellation=cancellation)
    known = {COMPONENTS: {"fairness": fair}, NESTED: {"weak": int(problem.asked.is_weak)}}
    chosen = replace(settings, search=replace(search, given={**search.given, **known.get(search.name, {})}))
    # Merged runs do not tell of everyone who could begin them.
    return chosen.run(ready.space(not fair, reduced), problem.stop, [], cancellation=cancellation)


def _rest_of(settings: Settings, used: Statistics, states: int | None) -> Settings:
    """The settings with what is left of their limits, and so many states at most."""
    limits = settings.limits or Limits()
    if limits.states is not None:
        left = max(1, limits.states - used.stored)
        states = left if states is None else min(left, states)
    time = None if limits.time is None else max(0.0, limits.time - used.seconds)
    return replace(settings, limits=replace(limits, time=time, states=states), heuristic=None)


def _is_spent(settings: Settings, used: Statistics) -> bool:
    """Whether a limit that was given is reached."""
    limits = settings.limits or Limits()
    return (limits.states is not None and used.stored >= limits.states) or (
        limits.time is not None and used.seconds >= limits.time
    )


def estimators_about(ready: Ready, settings: Settings) -> list[Estimator]:
    """What a search of pairs goes by."""
    search, text = settings.search, settings.heuristic
    if search.takes is Takes.NONE:
        return []
    is_folded = ready.folded.native is not None
    if is_folded and text is None:
        text = "blind"
    if text is None:
        ready.context.effort, ready.context.is_optional = QUICK, True
        text = "blind" if ready.context.native is None else "cL" if search.promises.shortest else "cU"
    strange = names(text) - ABOUT_CYCLES
    if strange:
        raise SearchError(f"{min(strange)} is no heuristic for the way round a cycle; there are: cL, cU, blind")
    if is_folded and names(text) != {"blind"}:
        remedy = "leave out --heuristic, or --symmetry"
        raise SearchError(f"{text} tells the way back to a state, not to one that is alike: {remedy}")
    ready.context.closes_cycles = True
    return build(text, ready.context)


def result_of(
    problem: Problem,
    ready: Ready,
    settings: Settings,
    outcome: Outcome,
    estimators: list[Estimator],
    reduced: Reduced | None = None,
) -> Result:
    """What a search for a lasso says, with what it found replayed and judged."""
    result = _judged(problem, ready, settings, outcome, estimators, reduced)
    return replace(result, symmetry=ready.folded.name, symmetry_note=ready.folded.note)


def _judged(
    problem: Problem,
    ready: Ready,
    settings: Settings,
    outcome: Outcome,
    estimators: list[Estimator],
    reduced: Reduced | None,
) -> Result:
    if outcome.status is not Status.FOUND:
        answer = open_verdict(outcome, settings.search, reduced)
        return settings.result(problem.asked, outcome, estimators, answer, reduced=reduced)
    try:
        if outcome.cycle is None:
            finite, _ = replayed(settings, outcome.statistics, lambda watch: ready.trace(outcome, watch=watch))
            answer = problem.confirm(outcome, finite)
            return settings.result(problem.asked, outcome, estimators, answer, finite, reduced)
        trace, reason = replayed(
            settings, outcome.statistics, lambda watch: ready.lasso(outcome, settings.fairness, watch)
        )
    except ReplayUnfinished as end:
        return settings.result(problem.asked, outcome, estimators, ("unknown", str(end)), reduced=reduced)
    # Only among lassos whose cycle begins at an accepting state is it known to be the shortest.
    found = settings.result(problem.asked, outcome, estimators, ("violated", reason), trace, reduced)
    return replace(found, shortest=False)


def _shorter(
    problem: Problem, ready: Ready, settings: Settings, seeds: list[tuple[int, ...]], first: Result | None = None
) -> Result | None:
    """A shorter lasso, if one is found with little more work: through accepting states of a cycle that was found, and
    then through any."""
    plain, stop = ready.space(), problem.stop & ~Found.CYCLE
    best, used = first, Statistics() if first is None else first.statistics
    for only in [*seeds, ()]:
        if _is_spent(settings, used):
            break
        states = min(MORE_PAIRS * used.stored + SECOND_LOOK, MOST_PAIRS)
        turn = replace(_rest_of(settings, used, states), search=find(BROAD))
        outcome = turn.run(ready.pairs(plain, only), stop, [])
        used = used.joined(replace(outcome.statistics, depth=0))
        if outcome.cycle is not None:
            second = result_of(problem, ready, turn, outcome, [])
            if second.trace is not None and _is_better(second.trace, best):
                best = second
    if best is None:
        return None
    if first is None:
        told = best
    else:
        how = {"reduction": first.reduction, "reduction_note": first.reduction_note, "dependence": first.dependence}
        told = replace(best, **how)
    return replace(told, search=str(settings.search), statistics=used)


def _is_better(trace: Trace, best: Result | None) -> bool:
    return best is None or (best.trace is not None and len(trace) < len(best.trace))


def _seeds(ready: Ready, found: Outcome) -> list[tuple[int, ...]]:
    """Some accepting states of a cycle."""
    assert found.cycle is not None
    return _some_accepting(ready, [step.state for step in found.path[found.cycle : -1]])


def _some_accepting(ready: Ready, around: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    space = ready.space()
    accepting = [state for state in around if space.successor_arcs(state)[0] & core.ACCEPT]
    return accepting[:: max(1, len(accepting) // MOST_SEEDS)][:MOST_SEEDS]
