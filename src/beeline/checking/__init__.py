"""Check a property of a model, or count its states: the functions behind the command line and for Python users."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from beeline.checking.options import DEFAULT_SEARCH, Options
from beeline.engine import Limits, Progress, Statistics
from beeline.engine.budget import LimitReached, bounded, current, doing, spend
from beeline.engines import AUTO as AUTO_ENGINE
from beeline.engines import Counting, answer, count_states
from beeline.jit import AUTO as TIER_AUTO
from beeline.jit import BYTECODE, check_tier
from beeline.model.property import Property
from beeline.model.source import ModelError
from beeline.problems import INTERRUPTED, NoClocks, Result, Settings, problem_of, subject_of
from beeline.problems.make import asked_of
from beeline.problems.settings import open_reason, why_fewer_threads
from beeline.records import Record, replace
from beeline.searches import SearchError, find
from beeline.stores import PLAIN, with_store
from beeline.symmetry import NONE as APART
from beeline.symmetry import find_symmetry

DEFAULTS = Options()
COUNTING = Property("states", "how many there are")


class Exploration(Record, frozen=True):
    """The size of a state space; `complete` is false if a limit ended the count."""

    complete: bool
    reason: str
    statistics: Statistics
    threads: int = 1
    threads_note: str = ""
    omission: float | None = None
    """The probability that a state was missed, if the store may miss some."""
    tier: str = BYTECODE
    """How steps were found when the search ended: bytecode or native."""
    counts_arcs: bool = True
    """Whether steps were counted, and levels. Sets of states do not tell the former, and rarely the latter."""
    symmetry: str = APART
    """How representatives of states were found, if states that are alike were taken for one."""
    symmetry_note: str = ""
    """Why they were not, though that was asked for."""
    represented: int | None = None
    """How many states they stand for, if they are the only ones of these."""


def check(model: Any, property: str | Property | None = None, options: Options = DEFAULTS, **changes: Any) -> Result:
    """Check a property of a network, a user's own space, or a model file. `changes` are fields of `Options`.

    Without a property everything is asked that the model asks, and the result is the first that does not hold: one that
    is violated, else one that is unknown, else the first. `check_all` gives every answer.

    >>> from beeline import NetworkBuilder, check
    >>> builder = NetworkBuilder("counter")
    >>> builder.variable("x", 0, 3)
    >>> _ = builder.process("up").location("run").edge("run", "run", guard="x < 3", effect="x++")
    >>> result = check(builder, "x < 2", search="bfs")
    >>> result.verdict, len(result.trace)
    ('violated', 2)
    """
    return leading(check_all(model, None if property is None else [property], options, **changes))


def check_all(
    model: Any, properties: Sequence[str | Property] | None = None, options: Options = DEFAULTS, **changes: Any
) -> tuple[Result, ...]:
    """Answer several questions about a model, by default all that the model asks, one search each.

    A time limit is for all of them together."""
    options = replace(options, **changes)
    settings = options.settings()
    asked: list[Property] = [Property("check")]  # until it is known what there is to answer
    results: list[Result] = []
    budget = current()
    try:
        with spend(options.limits) as budget:
            subject = subject_of(model)
            doing("preparing")
            asked = asked_of(subject, properties)
            if settings.checkpoint is not None and len(asked) > 1:
                raise SearchError("a checkpoint is of one question: choose one with --property")
            mistakes: list[ModelError] = []
            for question in asked:
                try:
                    results.append(_answer(subject, question, settings, options, results))
                except ModelError as error:  # the others may well have answers
                    mistakes.append(error)
                    results.append(_unanswered(question, f"not checked: {error.message}", settings))
            if mistakes and len(mistakes) == sum(not question.unsupported_reason for question in asked):
                raise mistakes[0]
    except (LimitReached, MemoryError) as error:
        if budget is None or not budget.ends(error):
            raise
        reason = budget.reason
        results += [_unanswered(question, reason, settings) for question in asked[len(results) :]]
    return tuple(results)


def _answer(subject: Any, asked: Property, settings: Settings, options: Options, before: Sequence[Result]) -> Result:
    """The answer to one question, after those `before` it."""
    if before and INTERRUPTED in (before[-1].reason[: len(INTERRUPTED)], before[-1].certificate_note):
        return _unanswered(asked, INTERRUPTED, settings)
    if asked.unsupported_reason:
        return _unanswered(asked, f"not checked: {asked.unsupported_reason}", settings)
    doing("preparing")
    problem = problem_of(subject, asked, options.zones, options.target)
    result = answer(options.engine, problem, settings)
    if not options.certify:
        return result
    from beeline.problems.certificate import with_certificate

    return with_certificate(problem, result, settings)


def _unanswered(asked: Property, reason: str, settings: Settings) -> Result:
    search = settings.search
    return Result("unknown", reason, asked, str(search), Statistics(), store=search.store)


def leading(results: Sequence[Result]) -> Result:
    """The answer that matters most: the first violation, else the first that is unknown, else the first."""
    return min(results, key=lambda result: ("violated", "unknown", "holds").index(result.verdict))


def _uncounted(reason: str, model: Any, **options: Any) -> Exploration:
    return Exploration(False, reason, Statistics())


@bounded(_uncounted)
def explore(
    model: Any,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
    store: str = PLAIN,
    threads: int = 1,
    tier: str = TIER_AUTO,
    engine: str = AUTO_ENGINE,
    symmetry: str = APART,
) -> Exploration:
    """Count the states of a model, its arcs, its depth and its deadlocks; properties and assertions play no part.

    `store` says how states are kept: with "tree" equal parts once, slower and in less memory; "hash-compact" and
    "bitstate" may miss some. Several `threads` share the work. `tier` says how steps are found; see docs/tiers.md. With
    `engine="gpu"` a GPU counts, see docs/gpu.md; with "bdd" sets of states are counted, see docs/symbolic.md.
    With a `symmetry`, states that differ only in the names of interchangeable things count once; see docs/symmetry.md.
    """
    search = with_store(find("bfs"), store)
    check_tier(tier)
    problem = problem_of(subject_of(model), COUNTING)
    doing("compiling")
    outcome, arcs = count_states(
        engine, problem, Counting(search, limits, progress, threads, tier, find_symmetry(symmetry))
    )
    reason = "exhausted" if outcome.complete else open_reason(outcome, search)
    note = why_fewer_threads(threads, outcome)
    omission = outcome.omission if search.tells_omission else None
    return Exploration(
        outcome.complete,
        reason,
        outcome.statistics,
        outcome.threads,
        note,
        omission,
        outcome.tier,
        arcs,
        problem.counted.name,
        problem.counted.note,
        problem.counted.represented if outcome.complete else None,
    )


__all__ = [
    "DEFAULT_SEARCH",
    "INTERRUPTED",
    "Exploration",
    "NoClocks",
    "Options",
    "Result",
    "check",
    "check_all",
    "explore",
    "leading",
]
