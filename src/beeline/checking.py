"""Check a property of a model, or count its states: the functions behind the command line and for Python users."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from beeline import _native, languages
from beeline.compile.program import Program, compile_network
from beeline.engine import (
    Found,
    Limits,
    Outcome,
    Progress,
    Statistics,
    Status,
    python_space,
    run,
    user_path,
    user_reason,
)
from beeline.model.builder import NetworkBuilder
from beeline.model.evaluate import StepError
from beeline.model.network import Network, Property
from beeline.model.semantics import Semantics
from beeline.model.source import BeelineError
from beeline.model.state import State
from beeline.properties import DEADLOCK, SAFETY, check_property, default_property, violation
from beeline.searches import Search, find
from beeline.timed.search import has_clocks, search_property, zone_graph
from beeline.trace import ReplayError, Trace, replay
from beeline.trace.trace import TraceStep

DEFAULT_SEARCH = "bfs"
UNSUPPORTED = ("ltl", "tctl")

LIMIT_REASONS = {
    Status.TIME: "time limit",
    Status.MEMORY: "memory limit",
    Status.STATES: "state limit",
    Status.DEPTH: "depth limit",
    Status.INTERRUPTED: "interrupted",
}


class UnsupportedProperty(BeelineError):
    """A property that this version can read but not check."""


@dataclass(frozen=True)
class Result:
    """What became of a check.

    `verdict` is ``holds`` (the whole space was searched), ``violated`` (with a replayed `trace`) or ``unknown``, and
    `reason` says why: what was violated, or which limit ended the search."""

    verdict: str
    reason: str
    property: Property
    search: str
    statistics: Statistics
    trace: Trace | None = None
    heuristic: str | None = None
    shortest: bool = False

    def __str__(self) -> str:
        return f"{self.property.name}: {self.verdict} ({self.reason})"


@dataclass(frozen=True)
class Exploration:
    """The size of a state space; `complete` is false if a limit ended the count."""

    complete: bool
    reason: str
    statistics: Statistics


T = TypeVar("T")


def check(
    model: Any,
    property: str | Property | None = None,
    *,
    search: str = DEFAULT_SEARCH,
    limits: Limits | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Check one property of a network, a user's own space, or a model file.

    >>> from beeline import NetworkBuilder, check
    >>> builder = NetworkBuilder("counter")
    >>> builder.variable("x", 0, 3)
    >>> _ = builder.process("up").location("run").edge("run", "run", guard="x < 3", effect="x++")
    >>> result = check(builder, "x < 2")
    >>> result.verdict, len(result.trace)
    ('violated', 2)
    """
    chosen = find(search)
    subject = _subject(model)
    if not isinstance(subject, Network):
        return _check_user_space(subject, chosen, limits, seed, progress)
    asked = property if isinstance(property, Property) else languages.ask(subject, property)
    if asked.kind in UNSUPPORTED:
        raise UnsupportedProperty(f"properties of kind '{asked.kind}' ({asked.name}) cannot be checked yet")
    if has_clocks(subject):
        return _check_timed(subject, asked, chosen, limits, seed, progress)
    check_property(subject, asked)
    if asked.kind != "claim":
        subject = replace(subject, monitor=None)  # another question: the monitor would only cut runs short
    # What a property reads (who moved last, say) is kept in the states only if the network is known to ask for it.
    if asked not in subject.properties:
        subject = replace(subject, properties=(*subject.properties, asked))
    return _check_network(subject, asked, chosen, limits, seed, progress)


def explore(model: Any, *, limits: Limits | None = None, progress: Progress | None = None) -> Exploration:
    """Count the states of a model, its arcs, its depth and its deadlocks; properties and assertions play no part."""
    subject = _subject(model)
    if not isinstance(subject, Network):
        outcome = run(python_space(subject), "bfs", stop=Found.NOTHING, limits=limits, progress=progress)
    elif has_clocks(subject):
        space = zone_graph(subject, deadlocks=True).space
        outcome = run(space, "bfs", stop=Found.NOTHING, limits=limits, progress=progress)
    else:
        # A monitor only watches: the size of the space is the network's own.
        network = replace(subject, monitor=None)

        def attempt(room: int | None) -> Outcome:
            program = compile_network(network, _native.opcodes(), room=room, assertions=False)
            space = _native.ProgramSpace(_native.Program(program.tables), merged=True)
            return run(space, "bfs", stop=Found.NOTHING, limits=limits, progress=progress)

        outcome = with_room(network, attempt)
    reason = "exhausted" if outcome.complete else LIMIT_REASONS[outcome.status]
    return Exploration(outcome.complete, reason, outcome.statistics)


def with_room(network: Network, attempt: Callable[[int | None], T]) -> T:
    """Runs `attempt` with room for as many processes as it turns out to need."""
    room: int | None = None
    while True:
        try:
            return attempt(room)
        except _native.OutOfRoom:
            room = 2 * (room or len(network.initial) + 4)


def _subject(model: Any) -> Any:
    if isinstance(model, NetworkBuilder):
        return model.build()
    if isinstance(model, (str, Path)):
        return languages.load(Path(model))
    return model


# Networks


def _check_network(
    network: Network,
    asked: Property,
    search: Search,
    limits: Limits | None,
    seed: int | None,
    progress: Progress | None,
) -> Result:
    # Searches that promise shortest traces must see every step; others may pass over uninterrupted runs.
    merged = not search.promises.shortest
    stop = Found.GOAL | Found.ERROR
    if asked.kind in ("deadlock", "safety"):
        stop |= Found.DEADLOCK

    def attempt(room: int | None) -> tuple[Outcome, Program, Any]:
        program = compile_network(network, _native.opcodes(), violation(asked), room)
        native = _native.Program(program.tables)
        outcome = run(
            _native.ProgramSpace(native, merged=merged), search, stop=stop, limits=limits, seed=seed, progress=progress
        )
        return outcome, program, native

    outcome, program, native = with_room(network, attempt)
    if outcome.status is not Status.FOUND:
        return Result(*_open_verdict(outcome, search), asked, str(search), outcome.statistics)
    states = [program.layout.decode(native.unpack(step.state)) for step in outcome.path]
    trace = replay(network, states, failed=Found.ERROR in outcome.found)
    reason = _confirmed_reason(network, asked, outcome, trace)
    return Result("violated", reason, asked, str(search), outcome.statistics, trace, shortest=search.promises.shortest)


def _open_verdict(outcome: Outcome, search: Search) -> tuple[str, str]:
    if outcome.status is not Status.EXHAUSTED:
        return "unknown", LIMIT_REASONS[outcome.status]
    return ("holds", "exhausted") if search.promises.complete else ("unknown", "incomplete search")


def _confirmed_reason(network: Network, asked: Property, outcome: Outcome, trace: Trace) -> str:
    """Why the replayed trace is a violation, as the interpreter sees it; anything else is a fault of ours."""
    semantics = Semantics(network)
    last = trace.steps[-1] if trace.steps else None
    if last is not None and last.error:
        return last.error
    state: State = trace.states[-1]
    if Found.DEADLOCK in outcome.found:
        if semantics.is_deadlock(state):
            return "deadlock"
    elif asked.kind == "claim":
        if semantics.claim_completed(state):
            return "the claim is completed"
    else:
        wanted = violation(asked)
        try:
            if wanted is not None and semantics.holds(wanted, state):
                return "goal reached" if asked.kind == "goal" else "invariant violated"
        except StepError as error:
            return f"the property has no value: {error.message}"
    raise ReplayError("the replayed trace does not end in a violation")


# Networks with clocks


def _check_timed(
    network: Network,
    asked: Property,
    search: Search,
    limits: Limits | None,
    seed: int | None,
    progress: Progress | None,
) -> Result:
    """Searches the zone graph; the trace comes with its moments, replayed with exact clock values."""
    if asked == SAFETY:
        asked = DEADLOCK  # failing steps are violations whatever is asked
    outcome, trace = search_property(network, asked, search, limits=limits, seed=seed, progress=progress)
    if trace is None:
        return Result(*_open_verdict(outcome, search), asked, str(search), outcome.statistics)
    last = trace.steps[-1] if trace.steps else None
    reason = {"deadlock": "deadlock", "goal": "goal reached"}.get(asked.kind, "invariant violated")
    if last is not None and last.error:
        reason = last.error
    return Result("violated", reason, asked, str(search), outcome.statistics, trace, shortest=search.promises.shortest)


# Users' own spaces


def _check_user_space(
    model: Any, search: Search, limits: Limits | None, seed: int | None, progress: Progress | None
) -> Result:
    asked = Property("violates", "goal", text="violates(state)")
    space = python_space(model)
    outcome = run(space, search, limits=limits, seed=seed, progress=progress)
    if outcome.status is not Status.FOUND:
        return Result(*_open_verdict(outcome, search), asked, str(search), outcome.statistics)
    path = user_path(space, outcome)
    steps = tuple(
        TraceStep(i, "", str(after.label or ""), {"state": (repr(before.state), repr(after.state))})
        for i, (before, after) in enumerate(pairwise(path), start=1)
    )
    trace = Trace({"state": repr(path[0].state)}, steps, tuple(step.state for step in path))
    reason = "deadlock" if Found.DEADLOCK in outcome.found else user_reason(space, outcome) or "violating state reached"
    return Result("violated", reason, asked, str(search), outcome.statistics, trace, shortest=search.promises.shortest)


__all__ = ["SAFETY", "Exploration", "Result", "check", "default_property", "explore"]
