"""Check a property of a model, or count its states: the functions behind the command line and for Python users."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from beeline import _native, languages
from beeline.analysis.configuration import Configuration, find_configuration
from beeline.analysis.dependence import Dependence
from beeline.compile.program import Program, compile_network
from beeline.engine import (
    Found,
    Limits,
    NativeSpace,
    Outcome,
    Progress,
    Sample,
    Statistics,
    Status,
    python_space,
    run,
    user_path,
    user_reason,
)
from beeline.heuristics import Context, Estimate
from beeline.heuristics.defaults import choose
from beeline.model.builder import NetworkBuilder
from beeline.model.evaluate import StepError
from beeline.model.expressions import Expression
from beeline.model.network import Network, Property
from beeline.model.semantics import Semantics
from beeline.model.source import BeelineError
from beeline.model.state import State
from beeline.properties import DEADLOCK, SAFETY, check_property, default_property, violation
from beeline.reductions import NONE, Asked, Reduction, ReductionError, find_reduction
from beeline.reductions.tables import Plan, obstacle, plan
from beeline.searches import Search, SearchError, Takes, Ties, check_threads, find, with_store
from beeline.shrinking import ALL, AUTO, CONE, Shrinking, Shrunk, check_choice
from beeline.shrinking import NONE as WHOLE
from beeline.shrinking import shrink as make_smaller
from beeline.timed.search import (
    STOP,
    ZoneGraph,
    goal_of,
    has_clocks,
    make_concrete,
    moves_along,
    search_zones,
    timed_trace,
    zone_graph,
)
from beeline.timed.tables import ZoneOptions
from beeline.timed.trace import TimedTrace
from beeline.trace import ReplayError, Trace, replay
from beeline.trace.replay import steps_between, trace_of
from beeline.trace.trace import TraceStep
from beeline.trails import read_trail

DEFAULT_SEARCH = "auto"
UNSUPPORTED = ("ltl", "tctl")
SECOND_LOOK = 10_000  # states of the whole network that are always looked at for a shorter trace

LIMIT_REASONS = {
    Status.TIME: "time limit",
    Status.MEMORY: "memory limit",
    Status.STATES: "state limit",
    Status.DEPTH: "depth limit",
    Status.GAVE_UP: "incomplete search",
    Status.INTERRUPTED: "interrupted",
}


class UnsupportedProperty(BeelineError):
    """A property that this version can read but not check."""


class NoClocks(BeelineError):
    """Options for zones, but a model without clocks."""


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
    history: tuple[Sample, ...] = field(default=(), repr=False)
    reduction: str = NONE
    """What was left out of the states' steps, with the cycle condition that was kept."""
    reduction_note: str = ""
    """Why nothing was, though it was asked for; or what was lost by it."""
    heuristic_note: str = ""
    """What it took to build the estimates, if that is worth a word."""
    threads: int = 1
    """How many threads shared the work."""
    threads_note: str = ""
    """Why they were fewer than asked for."""
    shrinking: Shrinking = field(default_factory=Shrinking)
    """What was taken out of the network before the search, and the steps that had to be put into the trace for it."""
    omission: float | None = None
    """The probability that a state was missed, if the store may miss some."""
    hurried: bool = field(default=False, repr=False)
    """A limit or an interrupt ended the search for a shorter trace."""

    def __str__(self) -> str:
        return f"{self.property.name}: {self.verdict} ({self.reason})"

    def _repr_html_(self) -> str:
        """How notebooks show a result."""
        from beeline.report.notebook import to_html

        return to_html(self)


@dataclass(frozen=True)
class Exploration:
    """The size of a state space; `complete` is false if a limit ended the count."""

    complete: bool
    reason: str
    statistics: Statistics
    threads: int = 1
    threads_note: str = ""
    omission: float | None = None
    """The probability that a state was missed, if the store may miss some."""


T = TypeVar("T")


def check(
    model: Any,
    property: str | Property | None = None,
    *,
    search: str = DEFAULT_SEARCH,
    heuristic: str | None = None,
    ties: str | None = None,
    target: str | Path | State | None = None,
    zones: ZoneOptions | None = None,
    limits: Limits | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    reduce: str = NONE,
    threads: int = 1,
    shrink: str = AUTO,
    store: str = "plain",
) -> Result:
    """Check one property of a network, a user's own space, or a model file.

    A directed `search` goes by `heuristic` (see `beeline.heuristics.language`), or by the best that apply; `ties` is
    fifo, lifo or random:SEED; `target` is a JSON trace of ours whose end hamming and fsm aim at;
    `zones` says how the zone graph of a model with clocks is built.
    `reduce` names a reduction that leaves out steps: stubborn, ample or ample:CONDITION; see docs/reduction.md.
    `threads` share the work of a search that can be shared (bfs); the answer is that of one.
    `shrink` says what is taken out of the network before: none, cone, safe, all or auto; see docs/shrinking.md.
    `store` says how states are kept, such as tree, hash-compact or bitstate:32; see docs/tune-memory.md.

    >>> from beeline import NetworkBuilder, check
    >>> builder = NetworkBuilder("counter")
    >>> builder.variable("x", 0, 3)
    >>> _ = builder.process("up").location("run").edge("run", "run", guard="x < 3", effect="x++")
    >>> result = check(builder, "x < 2")
    >>> result.verdict, len(result.trace)
    ('violated', 2)
    """
    chosen = with_store(find(search), store)
    check_threads(chosen, threads)
    if heuristic is not None and chosen.takes is Takes.NONE:
        raise SearchError(f"{chosen.name} goes by no estimate")
    reduction = find_reduction(reduce)
    if reduction is not None:
        check_reduction(reduction, chosen)
    settings = Settings(
        chosen,
        heuristic,
        None if ties is None else Ties.parse(ties),
        limits,
        seed,
        progress,
        reduction,
        threads,
        check_choice(shrink),
    )
    subject = _subject(model)
    if not isinstance(subject, Network):
        if zones is not None:
            raise NoClocks("the model is a space of its own: there are no zones to show, widen or merge")
        return _check_user_space(subject, settings)
    asked = property if isinstance(property, Property) else languages.ask(subject, property)
    if asked.kind in UNSUPPORTED:
        raise UnsupportedProperty(f"properties of kind '{asked.kind}' ({asked.name}) cannot be checked yet")
    if has_clocks(subject):
        return _check_timed(subject, asked, settings, zones or ZoneOptions())
    if zones is not None:
        raise NoClocks("the model has no clocks: there are no zones to show, widen or merge")
    check_property(subject, asked)
    subject = prepared(subject, asked)
    aim = read_trail(target, subject)[0].states[-1] if isinstance(target, (str, Path)) else target
    return _check_network(subject, asked, settings, aim)


def prepared(network: Network, asked: Property) -> Network:
    """The network as it is searched for a property."""
    if asked.kind != "claim":
        network = replace(network, monitor=None)  # another question: the monitor would only cut runs short
    # What a property reads (who moved last, say) is kept in the states only if the network is known to ask for it.
    if asked not in network.properties:
        network = replace(network, properties=(*network.properties, asked))
    return network


@dataclass(frozen=True)
class Settings:
    """How to search."""

    search: Search
    heuristic: str | None
    ties: Ties | None
    limits: Limits | None
    seed: int | None
    progress: Progress | None
    reduction: Reduction | None = None
    threads: int = 1
    shrink: str = AUTO

    def shrinks_by(self, whole: bool) -> tuple[str, str]:
        """How networks are shrunk, and why not otherwise; with `whole` something is asked of the whole network. Unless
        told, nothing is done that may make traces longer where shortest ones are promised or bounded."""
        if whole or "expr:" in (self.heuristic or ""):
            return WHOLE, "off: something is asked of the whole network" if self.shrink not in (AUTO, WHOLE) else ""
        if self.shrink != AUTO:
            return self.shrink, ""
        bounded = self.limits is not None and self.limits.depth is not None
        promises = self.search.promises
        return CONE if bounded or (promises.shortest and promises.shortest_if != "proven") else ALL, ""

    def run(self, space: NativeSpace, stop: Found, estimates: list[Estimate]) -> Outcome:
        """Search a space by these settings."""
        outcome = run(
            space,
            self.search,
            stop=stop,
            limits=self.limits,
            seed=self.seed,
            progress=self.progress,
            estimates=estimates,
            ties=self.ties,
            threads=self.threads,
        )
        # An estimate of the way to a goal says nothing about assertions that fail sooner.
        if self.search.promises.shortest_if == "admissible":
            outcome.proven &= all(stop in estimate.covers for estimate in estimates)
        return outcome

    def may_be_shortest(self, estimates: list[Estimate]) -> bool:
        """Whether the search promises shortest traces, given what it goes by."""
        promises = self.search.promises
        if promises.shortest_if == "admissible":
            return promises.shortest and all(estimate.promises.admissible for estimate in estimates)
        return promises.shortest

    def is_shortest(self, estimates: list[Estimate], outcome: Outcome) -> bool:
        """Whether no violation of any kind has a shorter trace than the one that was found."""
        match self.search.promises.shortest_if:
            case "admissible":
                return self.may_be_shortest(estimates) and outcome.proven
            case "proven":
                return outcome.proven
            case _:
                return self.may_be_shortest(estimates) and not outcome.hurried

    def result(
        self,
        asked: Property,
        outcome: Outcome,
        estimates: list[Estimate],
        answer: tuple[str, str],
        trace: Trace | None = None,
        reduced: Reduced | None = None,
        shrinking: Shrinking = Shrinking(),  # noqa: B008  # a frozen value
    ) -> Result:
        """What became of a check, given the verdict and the reason in `answer`."""
        heuristic = ", ".join(map(str, estimates)) if estimates else None
        reduced = reduced or Reduced(note=NO_NETWORK if self.reduction is not None else "")
        loses_length = reduced.loses_length or bool(shrinking.added)
        shortest = trace is not None and self.is_shortest(estimates, outcome) and not loses_length
        return Result(
            *answer,
            asked,
            str(self.search),
            outcome.statistics,
            trace,
            heuristic,
            shortest,
            outcome.history,
            reduced.name,
            reduced.note,
            "; ".join(f"{estimate}: {estimate.note}" for estimate in estimates if estimate.note),
            outcome.threads,
            why_fewer_threads(self.threads, outcome, "a reduction" if reduced.plan is not None else ""),
            shrinking,
            outcome.omission if self.search.lossy else None,
            outcome.hurried,
        )

    def tell(self, phase: str, statistics: Statistics | None = None) -> None:
        """Tells whoever watches what comes next."""
        if self.progress is not None:
            self.progress(replace(statistics or Statistics(), phase=phase))


def why_fewer_threads(asked: int, outcome: Outcome, obstacle: str) -> str:
    """A word on threads that were asked for and not used."""
    if outcome.threads >= asked:
        return ""
    if outcome.threads > 1:
        return f"the system gave only {outcome.threads} threads"
    return f"one thread: the work cannot be shared with {obstacle or 'zones or a space written in Python'}"


NO_NETWORK = "off: only networks without clocks are reduced"


@dataclass(frozen=True)
class Reduced:
    """What became of the wish to leave out steps."""

    plan: Plan | None = None
    name: str = NONE
    note: str = ""

    @property
    def loses_length(self) -> bool:
        """Whether shortest traces may be among what is left out; they are not where no cycle condition is needed,
        because stubborn sets keep an equally long way to each goal and each deadlock."""
        return self.plan is not None and self.plan.needs_proviso

    @property
    def unsound(self) -> bool:
        return self.plan is not None and self.plan.unsound


def check_reduction(reduction: Reduction, search: Search) -> None:
    """Raises `ReductionError` for a cycle condition that the search cannot keep."""
    if not search.provisos:
        raise ReductionError(f"{search.name} leaves out no steps: its store does not keep what that needs")
    known = (*search.provisos, *(["duplicate"] if "visited" in search.provisos else []), NONE)
    if reduction.proviso and reduction.proviso not in known:
        raise ReductionError(f"{search.name} cannot keep '{reduction.proviso}'; it knows: {', '.join(known)}")


def explore(
    model: Any,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
    store: str = "plain",
    threads: int = 1,
) -> Exploration:
    """Count the states of a model, its arcs, its depth and its deadlocks; properties and assertions play no part.

    `store` says how states are kept: with "tree" equal parts once, slower and in less memory; "hash-compact" and
    "bitstate" may miss some. Several `threads` share the work.
    """
    search = with_store(find("bfs"), store)

    def count(space: NativeSpace) -> Outcome:
        return run(space, search, stop=Found.NOTHING, limits=limits, progress=progress, threads=threads)

    subject = _subject(model)
    if not isinstance(subject, Network):
        outcome = count(python_space(subject))
    elif has_clocks(subject):
        check_store(search)
        outcome = count(zone_graph(subject, deadlocks=True).space)
    else:
        # A monitor only watches: the size of the space is the network's own.
        network = replace(subject, monitor=None)

        def attempt(room: int | None) -> Outcome:
            program = compile_network(network, _native.opcodes(), room=room, assertions=False)
            return count(_native.ProgramSpace(_native.Program(program.tables), merged=True))

        outcome = with_room(network, attempt)
    reason = "exhausted" if outcome.complete else open_reason(outcome, search)
    note = why_fewer_threads(threads, outcome, "")
    omission = outcome.omission if search.lossy else None
    return Exploration(outcome.complete, reason, outcome.statistics, outcome.threads, note, omission)


def check_store(search: Search) -> None:
    """Raises `SearchError` for a store that a zone graph cannot use."""
    if search.lossy:
        raise SearchError(f"zones cover one another, which takes a store of their own: leave out {search.store}")


def with_room(network: Network, attempt: Callable[[int | None], T], room: int | None = None) -> T:
    """Runs `attempt` with room for as many processes as it turns out to need, `room` at first."""
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


def _check_network(network: Network, asked: Property, settings: Settings, target: State | None) -> Result:
    def search(how: Settings, shrunk: Shrunk, note: str) -> Result:
        return _search_network(network, asked, how, target, shrunk, note)

    return _shrink_and_search(network, asked, settings, settings.shrinks_by(target is not None), search)


SearchSmaller = Callable[["Settings", Shrunk, str], Result]


def _shrink_and_search(
    network: Network, asked: Property, settings: Settings, choice: tuple[str, str], search: SearchSmaller
) -> Result:
    """What a search of the smaller network says; that of the whole one if a trace cannot be made concrete."""
    settings.tell("preparing")
    shrunk = make_smaller(network, asked, choice[0])
    try:
        result = search(settings, shrunk, choice[1])
    except ReplayError:
        if not shrunk.layers:
            raise
        return search(settings, Shrunk(network, asked), "off: a trace could not be made concrete")
    if settings.shrink == AUTO and settings.search.promises.shortest and result.shrinking.added and not result.hurried:
        return _search_shorter(network, asked, settings, result, search)
    return result


def _search_shorter(
    network: Network, asked: Property, settings: Settings, result: Result, search: SearchSmaller
) -> Result:
    """The better of a trace that steps were put into and one of the whole network, which is searched only a little
    further than the smaller one was."""
    assert result.trace is not None
    limits, used = settings.limits or Limits(), result.statistics
    if limits.time is not None and limits.time <= used.seconds:
        return result
    states = 2 * used.stored + SECOND_LOOK
    bounded = replace(
        limits,
        states=states if limits.states is None else min(states, limits.states),
        time=None if limits.time is None else limits.time - used.seconds,
    )
    second = search(replace(settings, limits=bounded), make_smaller(network, asked, CONE), "")
    better = second if second.trace is not None and len(second.trace) <= len(result.trace) else result
    return replace(better, statistics=used.joined(second.statistics))


def _search_network(
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
        estimates = choose(settings.search, settings.heuristic, context)
        reduced = Reduced(note=note)
        if configuration is not None:
            reduced = _reduced(settings, program, native, configuration, violation(asked), stop)
        # Searches that promise shortest traces must see every step; others may pass over uninterrupted runs.
        merged = reduced.loses_length or not settings.may_be_shortest(estimates)
        space = _native.ProgramSpace(native, merged=merged)
        if reduced.plan is not None:
            space.set_reducer(reduced.plan.native)
        return settings.run(space, stop, estimates), program, native, estimates, reduced

    # Room for the processes that are known to come, so that nothing need be compiled twice.
    known = max(len(configuration or ()), len(target.processes) if target is not None else 0)
    room = max(known, len(network.initial)) if known else None
    outcome, program, native, estimates, reduced = with_room(network, attempt, room)
    if outcome.status is not Status.FOUND:
        answer = _open_verdict(outcome, settings.search)
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
    assert settings.reduction is not None
    proviso = settings.reduction.proviso or settings.search.provisos[0]
    asked = Asked(goal is not None, Found.ERROR in stop, Found.DEADLOCK in stop)
    made = plan(Dependence(program, configuration), native, settings.reduction, proviso, goal, asked)
    if isinstance(made, str):
        return Reduced(note=f"off: {made}")
    name = f"{settings.reduction.name}:{made.proviso}" if made.needs_proviso else settings.reduction.name
    note = "traces may be longer than necessary" if made.needs_proviso else "shortest traces are kept"
    return Reduced(made, name, note)


def _open_verdict(outcome: Outcome, search: Search) -> tuple[str, str]:
    if outcome.status is not Status.EXHAUSTED:
        return "unknown", open_reason(outcome, search)
    return ("holds", "exhausted") if search.promises.complete else ("unknown", "incomplete search")


def open_reason(outcome: Outcome, search: Search) -> str:
    """Why a search that found nothing proves nothing."""
    if outcome.status is Status.GAVE_UP and search.lossy:
        return f"with probability {outcome.omission:.2g} a state was missed"
    return LIMIT_REASONS[outcome.status]


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


def _check_timed(network: Network, asked: Property, settings: Settings, zones: ZoneOptions) -> Result:
    """Searches the zone graph; the trace comes with its moments, replayed with exact clock values."""
    check_store(settings.search)
    if asked == SAFETY:
        asked = DEADLOCK  # failing steps are violations whatever is asked

    def search(how: Settings, shrunk: Shrunk, note: str) -> Result:
        return _search_timed(network, asked, how, zones, shrunk, note)

    # How an exact deadlock is reached is told by the zones of the whole network.
    whole = zones.show or asked.kind == DEADLOCK.kind
    return _shrink_and_search(network, asked, settings, settings.shrinks_by(whole), search)


def _search_timed(
    network: Network, asked: Property, settings: Settings, zones: ZoneOptions, shrunk: Shrunk, note_on_size: str
) -> Result:
    estimates: list[Estimate] = []
    lengths: list[int] = []  # of the path in the smaller network

    def attempt(graph: ZoneGraph) -> Outcome:
        estimates[:] = choose(settings.search, settings.heuristic, graph.context(shrunk.asked, STOP))
        outcome = settings.run(graph.space, STOP, estimates)
        settings.tell("replaying", outcome.statistics)
        return outcome

    def finish(graph: ZoneGraph, outcome: Outcome) -> TimedTrace:
        if not shrunk.layers:
            return timed_trace(graph, outcome, show_zones=zones.show)
        moves, failed = moves_along(graph, outcome), outcome.failed_step is not None
        lengths[:] = [len(moves)]
        return make_concrete(network, goal_of(network, asked), shrunk.concrete(moves, failed, timed=True), failed)

    goal = goal_of(shrunk.network, shrunk.asked)
    outcome, trace = search_zones(shrunk.network, goal, zones, attempt, finish)
    if trace is None:
        answer = _open_verdict(outcome, settings.search)
        told = Shrinking.of(shrunk, note=note_on_size)
        return settings.result(asked, outcome, estimates, answer, shrinking=told)
    last = trace.steps[-1] if trace.steps else None
    reason = {"deadlock": "deadlock", "goal": "goal reached"}.get(asked.kind, "invariant violated")
    if last is not None and last.error:
        reason = last.error
    told = Shrinking.of(shrunk, len(trace) - sum(lengths), note_on_size)
    return settings.result(asked, outcome, estimates, ("violated", reason), trace, shrinking=told)


# Users' own spaces


def _check_user_space(model: Any, settings: Settings) -> Result:
    asked = Property("violates", "goal", text="violates(state)")
    space = python_space(model)
    estimates = choose(settings.search, settings.heuristic, Context(asked=asked, space=space))
    outcome = settings.run(space, Found.ANYTHING, estimates)
    if outcome.status is not Status.FOUND:
        return settings.result(asked, outcome, estimates, _open_verdict(outcome, settings.search))
    path = user_path(space, outcome)
    steps = tuple(
        TraceStep(i, "", str(after.label or ""), {"state": (repr(before.state), repr(after.state))})
        for i, (before, after) in enumerate(pairwise(path), start=1)
    )
    trace = Trace({"state": repr(path[0].state)}, steps, tuple(step.state for step in path))
    reason = "deadlock" if Found.DEADLOCK in outcome.found else user_reason(space, outcome) or "violating state reached"
    return settings.result(asked, outcome, estimates, ("violated", reason), trace)


__all__ = ["SAFETY", "Exploration", "Result", "check", "default_property", "explore"]
