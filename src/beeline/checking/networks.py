"""Checks networks without clocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from beeline import _native
from beeline.analysis.configuration import Configuration, find_configuration, processes_to_come
from beeline.checking.settings import Reduced, Result, Settings, open_verdict
from beeline.checking.shrunk import shrink_and_search
from beeline.compile.program import Program, compile_network
from beeline.engine import Found, Outcome, Status
from beeline.heuristics import Context, Estimate
from beeline.model.evaluate import StepError
from beeline.model.expressions import Expression
from beeline.model.network import Network, Property
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.properties import violation
from beeline.reductions import Asked, Reduction
from beeline.shrinking import Shrinking, Shrunk
from beeline.trace import ReplayError, Trace, replay
from beeline.trace.replay import steps_between, trace_of

T = TypeVar("T")


def check_network(network: Network, asked: Property, settings: Settings, target: State | None) -> Result:
    def search(how: Settings, shrunk: Shrunk, note: str) -> Result:
        return search_network(network, asked, how, target, shrunk, note)

    return shrink_and_search(network, asked, settings, settings.shrinks_by(target is not None), search)


def search_network(
    whole: Network, property: Property, settings: Settings, target: State | None, shrunk: Shrunk, note_on_size: str
) -> Result:
    """Searches the smaller network; a trace is one of the whole network."""
    network, asked = shrunk.network, shrunk.asked
    stop = Found.GOAL | Found.ERROR
    if asked.kind in ("deadlock", "safety"):
        stop |= Found.DEADLOCK

    configuration, note = _configuration(network, settings.reduction)

    def attempt(room: int | None) -> tuple[Outcome, Program, Any, list[Estimate], Reduced]:
        program = compile_network(network, _native.opcodes(), violation(asked), room)
        native = _native.Program(program.tables)
        context = Context(network, program, native, asked, violation(asked), stop, target)
        estimates, rest = settings.choose(context)
        reduced = Reduced(note=note)
        if configuration is not None:
            reduced = _reduced(settings, program, native, configuration, violation(asked), stop)
        # Searches that promise shortest traces must see every step; others may pass over uninterrupted runs.
        merged = reduced.loses_length or not settings.may_be_shortest(estimates)
        space = _native.ProgramSpace(native, merged=merged)
        if reduced.plan is not None:
            space.set_reducer(reduced.plan.native)
        return rest.run(space, stop, estimates), program, native, estimates, reduced

    known = max(len(configuration or ()), len(target.processes) if target is not None else 0)
    room = max(known, len(network.initial)) if known else None
    outcome, program, native, estimates, reduced = with_room(network, attempt, room)
    if outcome.status is not Status.FOUND:
        answer = open_verdict(outcome, settings.search)
        if answer[0] == "holds" and reduced.unsound:
            answer = "unknown", "reduction without a cycle condition"
        told = Shrinking.of(shrunk, note=note_on_size)
        return settings.result(property, outcome, estimates, answer, reduced=reduced, shrinking=told)
    settings.tell("replaying", outcome.statistics)
    states = [program.layout.decode(native.unpack(step.state)) for step in outcome.path]
    trace, added = _whole_trace(whole, shrunk, states, Found.ERROR in outcome.found)
    reason = _confirmed_reason(whole, property, outcome, trace)
    told = Shrinking.of(shrunk, added, note_on_size)
    return settings.result(property, outcome, estimates, ("violated", reason), trace, reduced, told)


def _whole_trace(whole: Network, shrunk: Shrunk, states: list[State], failed: bool) -> tuple[Trace, int]:
    """The replayed trace of the whole network that a path of the smaller one stands for, and how many steps had to be
    put into it."""
    if not shrunk.layers:
        return replay(whole, states, failed), 0
    steps = steps_between(shrunk.network, states, failed)
    lifted = shrunk.concrete([step.moves for step in steps], failed)
    return trace_of(whole, Semantics(whole).initial_states()[0], lifted), len(lifted) - len(steps)


def _configuration(network: Network, reduction: Reduction | None) -> tuple[Configuration | None, str]:
    """The processes that a reduction is about, or why there are none."""
    if reduction is None:
        return None, ""
    from beeline.reductions.tables import obstacle

    why = obstacle(network)
    configuration = find_configuration(network) if why is None else None
    if configuration is None:
        return None, f"off: {why or 'processes are started all the time'}"
    return configuration, ""


def _reduced(
    settings: Settings,
    program: Program,
    native: _native.Program,
    configuration: Configuration,
    goal: Expression | None,
    stop: Found,
) -> Reduced:
    from beeline.analysis.dependence import Dependence
    from beeline.reductions.tables import plan

    assert settings.reduction is not None
    proviso = settings.reduction.proviso or settings.search.provisos[0]
    asked = Asked(goal is not None, Found.ERROR in stop, Found.DEADLOCK in stop)
    made = plan(Dependence(program, configuration), native, settings.reduction, proviso, goal, asked)
    if isinstance(made, str):
        return Reduced(note=f"off: {made}")
    name = f"{settings.reduction.name}:{made.proviso}" if made.needs_proviso else settings.reduction.name
    note = "traces may be longer than necessary" if made.needs_proviso else "shortest traces are kept"
    return Reduced(made, name, note)


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


def with_room(network: Network, attempt: Callable[[int | None], T], room: int | None = None) -> T:
    """Runs `attempt` with room for as many processes as it turns out to need: at first for `room`, or for as many as a
    look at the beginning of a run shows, so that nothing need be compiled twice."""
    if room is None:
        room = processes_to_come(network)
    while True:
        try:
            return attempt(room)
        except _native.OutOfRoom:
            room = 4 * (room or len(network.initial) + 4)
