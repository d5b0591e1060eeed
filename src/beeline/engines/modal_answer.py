"""The answer that follows from what a solver says of a formula of the mu-calculus."""

from __future__ import annotations

from beeline.compile.program import Program
from beeline.engine import Ending, Found, Statistics, Status
from beeline.engine.budget import doing
from beeline.engines.branching import NO_VALUE, failed
from beeline.engines.modal_evidence import Diagnostic, Node, Words
from beeline.heuristics import Estimator
from beeline.lts.step_labels import StepLabels
from beeline.problems.networks import NetworkProblem
from beeline.problems.settings import LIMIT_REASONS, Result, Settings
from beeline.properties.modal import Modal
from beeline.records import Record, replace

MOST_SHOWN = 5_000
"""Variables of a diagnostic that is looked at and checked."""

Told = tuple[list[Node], list[Words | None]]
"""A diagnostic: its variables, and the states that these are about."""


class Solved(Record, frozen=True):
    """What a solver says. Without a `value` the status tells why; the diagnostic is missing if it is too large."""

    status: Status
    statistics: Statistics
    value: bool | None = None
    diagnostic: Told | None = None
    threads: int = 1
    start_fails: bool = False
    cause: str = ""
    """Why there is no value, where the status alone does not say it."""


def answer_of(
    problem: NetworkProblem,
    settings: Settings,
    program: Program,
    labels: StepLabels,
    solved: Solved,
    estimators: list[Estimator],
) -> Result:
    """The verdict, with the diagnostic if it is small enough to be looked at."""
    asked = problem.asked
    assert isinstance(asked, Modal)
    if solved.start_fails:
        return failed(problem, settings, [], solved.statistics)
    ending = Ending(solved.status, Found.NOTHING, solved.statistics)
    ending.threads = solved.threads
    if solved.value is None:
        no_value = solved.status is Status.GAVE_UP
        reason = NO_VALUE.format("a proposition") if no_value else solved.cause or LIMIT_REASONS[solved.status]
        return settings.result(asked, ending, estimators, ("unknown", reason))
    doing("replaying")
    trace, size = None, "for more reasons than are shown"
    if solved.diagnostic is not None:
        diagnostic = Diagnostic(problem, program, labels, *solved.diagnostic)
        diagnostic.check(solved.value)
        size = f"by {len(diagnostic.nodes):,} values in {len(diagnostic.words):,} states, checked"
        trace, is_whole = diagnostic.trace()
        if trace is not None and not is_whole:
            size += "; the trace leads to where their ways part"
        trace = None if solved.value and not is_whole else trace
    verdict = ("holds", "exhausted") if solved.value else ("violated", f"the formula fails, {size}")
    ending.status = Status.FOUND if trace is not None else Status.EXHAUSTED
    return replace(settings.result(asked, ending, estimators, verdict, trace), shortest=False)
