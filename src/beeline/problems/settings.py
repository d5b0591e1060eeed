"""How to search, what became of it, and the words for it."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

from beeline.analysis.tiers import Service
from beeline.engine import Ending, Found, Limits, NativeSpace, Outcome, Progress, Sample, Statistics, Status, core
from beeline.engine.budget import doing
from beeline.heuristics import Context, Estimator
from beeline.heuristics.grounding import steps
from beeline.jit import BYTECODE
from beeline.model.property import Property
from beeline.por import NONE, Reduction, ReductionError
from beeline.preprocessing import ALL, AUTO, CONE, EXACT, Shrinking
from beeline.preprocessing import NONE as WHOLE
from beeline.problems.estimators import choose
from beeline.records import Record, field, replace, show
from beeline.searches import Search, Takes, Ties
from beeline.searches.declaration import Checkpoint
from beeline.searches.runner import run
from beeline.symmetry import NONE as APART
from beeline.symmetry import Symmetry

if TYPE_CHECKING:
    from beeline.heuristics.alike import Exchange as CellExchange
    from beeline.por.tables import Exchange, Plan
    from beeline.problems.costs import Costs
    from beeline.problems.replaying import Unverified
    from beeline.timed.bounds import Interval
    from beeline.timed.soonest import LeastTime
    from beeline.trace import Trace

TIME_FOR_TABLES = 0.5  # the share that estimators may take before the search
INTERRUPTED = "interrupted"
NO_SUCH_STATE = Property.missing
MOST_STATES = 2**32 - 3
"""What a store can number, whatever memory there is."""

LIMIT_REASONS = {
    Status.TIME: "time limit",
    Status.MEMORY: "memory limit",
    Status.STATES: "state limit",
    Status.DEPTH: "depth limit",
    Status.GAVE_UP: "incomplete search",
    Status.INTERRUPTED: INTERRUPTED,
    Status.DISK: "no room left on disk",
}


class Certificate(Record, frozen=True):
    """A set of states that proves an answer, as the interpreter has checked; see `problems/certificate.py`."""

    states: int
    steps: int
    """Between the states of the set."""
    seconds: float
    """What it took to list the states and to check them."""

    def __str__(self) -> str:
        return (
            f"{self.states:,} states, closed under {self.steps:,} steps, contain the initial one and none that is "
            "sought, as the interpreter has checked"
        )


class Assumption(Record, frozen=True):
    """What a component needs of the others: they do no words but those that an automaton can follow from state 0."""

    component: str
    states: int
    arcs: tuple[tuple[int, str, int], ...]

    def __str__(self) -> str:
        lines = [f"assumption of {self.component}, {self.states} states:"]
        for state in range(self.states):
            leaving = [f"{label} -> {target}" for source, label, target in self.arcs if source == state]
            lines.append(f"  {state}: {', '.join(leaving) or 'nothing more'}")
        return "\n".join(lines)


class Learning(Record, frozen=True):
    """Assumptions that prove an answer, as was checked again when they were learned, and what it took."""

    assumptions: tuple[Assumption, ...]
    queries: int
    conjectures: int
    """How often an assumption was tried with its component."""
    environments: int
    """How often one was tried with the other components."""
    refinements: int
    """How often the alphabet of one had to grow."""

    def __str__(self) -> str:
        effort = (
            f"learned by {self.queries:,} queries, {self.conjectures:,} trials with components, {self.environments:,} "
            f"with environments, {self.refinements:,} larger alphabets"
        )
        return "\n".join([*map(str, self.assumptions), effort])


class Branch(Record, frozen=True):
    """A path that begins at a state of a trace, told from the start: why a formula holds there, or does not."""

    at: int
    """The position of that state, counted in states of the path that was found."""
    claim: str
    trace: Trace


class Result(Record, frozen=True):
    """What became of a check.

    `verdict` is about the question as asked: ``holds``, ``violated`` or ``unknown``; `reason` says why. A replayed
    `trace` shows a violation, or the state that a goal asks for."""

    verdict: str
    reason: str
    property: Property
    search: str
    statistics: Statistics
    trace: Trace | None = None
    heuristic: str | None = None
    shortest: bool = False
    history: tuple[Sample, ...] = ()
    reduction: str = NONE
    """What was left out of the states' steps, with the cycle condition that was kept."""
    reduction_note: str = ""
    """Why nothing was, though it was asked for; or what was lost by it."""
    heuristic_note: str = ""
    """What it took to build the estimators, if that is worth a word."""
    threads: int = 1
    """How many threads shared the work."""
    threads_note: str = ""
    """Why they were fewer than asked for, or what came of it that searches raced."""
    shrinking: Shrinking = Shrinking()
    """What was taken out of the network before the search, and the steps that had to be put into the trace for it."""
    omission: float | None = None
    """The probability that a state was missed, if the store may miss some."""
    truncated: bool = False
    """A limit or an interrupt ended the search for a shorter trace."""
    tier: str = BYTECODE
    """How steps were found when the search ended: bytecode or native."""
    ranges: tuple[tuple[str, Interval | None], ...] = ()
    """What was asked of a range, and its range; None if there is no such state."""
    unverified: Unverified | None = None
    """What was found but not replayed in time."""
    store: str = "plain"
    """How states were kept, with the options of the store."""
    symmetry: str = APART
    """How representatives of states were found, if states that are alike were taken for one."""
    symmetry_note: str = ""
    """Why they were not, though that was asked for."""
    cost: int | None = None
    """What the trace costs, where costs were given."""
    cheapest: bool = False
    """Whether no trace costs less."""
    least_time: LeastTime | None = None
    """Where the soonest was sought: that no trace takes less time."""
    certificate: Certificate | None = None
    """The proof that nothing was there to be found, if one was asked for."""
    certificate_note: str = ""
    """Why there is none, though it was asked for."""
    branches: tuple[Branch, ...] = ()
    """What else belongs to the evidence for a formula of branching time."""
    learning: Learning | None = None
    """What components need of each other, where they were checked one by one."""
    dependence: str = ""
    """The tier that told which steps have to do with each other, where steps were left out."""
    engine: str = ""
    """Who answered."""
    engine_note: str = ""
    """Why it was that one, where `auto` tried another one beside it."""

    def __repr__(self) -> str:
        return show(self, "history", "truncated", "unverified")

    def __str__(self) -> str:
        return f"{self.property.name}: {self.verdict} ({self.reason})"

    def certified(self) -> str:
        """What there is to say about a certificate; empty if none was asked for, or none was needed."""
        if self.certificate is not None:
            return f"certified: {self.certificate}"
        return f"not certified: {self.certificate_note}" if self.certificate_note else ""

    def _repr_html_(self) -> str:
        """How notebooks show a result."""
        from beeline.problems.notebook import to_html

        return to_html(self)


class Settings(Record, frozen=True):
    """How to search."""

    search: Search
    heuristic: str | None = None
    ties: Ties | None = None
    limits: Limits | None = None
    seed: int | None = None
    progress: Progress | None = None
    reduction: Reduction | None = None
    threads: int = 1
    shrink: str = AUTO
    tier: str = BYTECODE
    fairness: str = "none"
    automaton: str = AUTO
    shortest_lasso: bool = False
    symmetry: Symmetry | None = None
    costs: Costs | None = None
    """What steps cost, where they do not all cost the same."""
    checkpoint: Checkpoint | None = None
    """Where the search leaves what it needs to go on later, or finds it."""
    service: Service = Service()
    """Who says what steps have to do with each other."""
    match: str = EXACT
    """Which states count as equal."""

    def shrinks_by(self, whole: bool) -> tuple[str, str]:
        """How networks are shrunk, and why not otherwise; with `whole` something is asked of the whole network. Unless
        told, nothing is done that may make traces longer where shortest ones are promised or bounded."""
        if self.symmetry is not None:
            return WHOLE, "off: states are folded by symmetry" if self.shrink not in (AUTO, WHOLE) else ""
        if self.search.elapsed:
            return WHOLE, "off: what is left out may take time" if self.shrink not in (AUTO, WHOLE) else ""
        if whole or "expr:" in (self.heuristic or ""):
            return WHOLE, "off: something is asked of the whole network" if self.shrink not in (AUTO, WHOLE) else ""
        if self.shrink != AUTO:
            return self.shrink, ""
        bounded = self.limits is not None and self.limits.depth is not None
        promises = self.search.promises
        return CONE if bounded or (promises.shortest and promises.shortest_if != "proven") else ALL, ""

    def matches_by(self, whole: bool, note: str) -> tuple[str, str]:
        """Which states count as equal, and why not by what was asked, after the `note` on shrinking."""
        if self.match != EXACT and self.search.elapsed:
            return EXACT, note or "and matching off: what is left out may take time"
        if self.match != EXACT and (self.symmetry is not None or whole or "expr:" in (self.heuristic or "")):
            return EXACT, note or "and matching off: something is asked of all variables"
        return self.match, note

    def after(self, seconds: float) -> Settings:
        """These settings, when a part of the time has passed."""
        if self.limits is None or self.limits.time is None:
            return self
        return replace(self, limits=replace(self.limits, time=max(0.0, self.limits.time - seconds)))

    def choose(self, context: Context) -> tuple[list[Estimator], Settings]:
        """The estimators to go by, with tables made in a part of the time, and settings with what is left of it."""
        limits = self.limits or Limits()
        began = monotonic()
        doing("building heuristics")
        context.memory = limits.memory
        if limits.time is None:
            return choose(self.search, self.heuristic, context), self
        context.deadline = began + limits.time * TIME_FOR_TABLES
        estimators = choose(self.search, self.heuristic, context)
        return estimators, self.after(monotonic() - began)

    def run(
        self,
        space: NativeSpace,
        stop: Found,
        estimators: list[Estimator],
        weights: Sequence[int] = (),
        cancellation: core.Cancellation | None = None,
        context: Context | None = None,
    ) -> Outcome:
        """Search a space by these settings. `context` tells searches that ask for them what the model's steps are."""
        outcome = run(
            space,
            self.search,
            stop=stop,
            limits=self.limits,
            seed=self.seed,
            progress=self.progress,
            cancellation=cancellation,
            estimators=estimators,
            ties=self.ties,
            threads=self.threads,
            tier=self.tier,
            weights=weights,
            checkpoint=self.checkpoint,
            steps=lambda: None if context is None else steps(context),
        )
        self.judge(outcome, stop, estimators)
        return outcome

    def judge(self, outcome: Outcome, stop: Found, estimators: list[Estimator]) -> None:
        """Takes back that a trace is shortest where the estimators do not show that: one of the way to a goal says
        nothing about assertions that fail sooner."""
        if self.search.promises.shortest_if == "admissible":
            outcome.proven &= all(stop in estimator.covers for estimator in estimators)

    def may_be_shortest(self, estimators: list[Estimator]) -> bool:
        """Whether the search promises shortest traces, given what it goes by."""
        promises = self.search.promises
        if promises.shortest_if == "admissible":
            return promises.shortest and all(estimator.promises.admissible for estimator in estimators)
        return promises.shortest

    def is_shortest(self, estimators: list[Estimator], outcome: Ending) -> bool:
        """Whether no violation of any kind has a shorter trace than the one that was found."""
        return self.may_be_shortest(estimators) and outcome.proven

    def result(
        self,
        asked: Property,
        outcome: Ending,
        estimators: list[Estimator],
        answer: tuple[str, str],
        trace: Trace | None = None,
        reduced: Reduced | None = None,
        shrinking: Shrinking = Shrinking(),  # noqa: B008  # a frozen value
        unverified: Unverified | None = None,
    ) -> Result:
        """What became of a check, given what the search says: ``violated`` for something found."""
        heuristic = ", ".join(map(str, estimators)) if estimators else None
        reduced = reduced or Reduced()
        loses_length = reduced.loses_length or bool(shrinking.added)
        shortest = trace is not None and self.is_shortest(estimators, outcome) and not loses_length
        return Result(
            *_about(asked, *answer),
            asked,
            str(self.search),
            outcome.statistics,
            trace,
            heuristic,
            shortest,
            outcome.history,
            reduced.name,
            reduced.note,
            "; ".join(f"{estimator}: {estimator.note}" for estimator in estimators if estimator.note),
            outcome.threads,
            why_fewer_threads(self.threads, outcome, self.not_shared(reduced)) or self.told_of_race(outcome, reduced),
            shrinking,
            outcome.omission if self.search.tells_omission else None,
            outcome.truncated,
            outcome.tier,
            unverified=unverified,
            store=self.search.store,
            dependence=reduced.dependence,
        )

    def not_shared(self, reduced: Reduced) -> str:
        """What keeps other threads from helping, if they did not."""
        if self.search.takes is not Takes.NONE:
            return "blind estimators, remembered ones, tables and those written in Python are not shared"
        return NOT_SHARED.format("a reduction" if reduced.plan is not None else UNSHARED_SPACES)

    def told_of_race(self, outcome: Ending, reduced: Reduced) -> str:
        """Which search won, or why there was no race where there could be one."""
        if outcome.raced > 1:
            return f"{outcome.raced} searches raced" + (f": first was {outcome.winner}" if outcome.winner else "")
        if outcome.raced == 1 or self.threads == 1 or not self.search.races():
            return ""
        limited = self.limits is not None and self.limits.depth is not None
        reasons = {
            "reductions": reduced.plan is not None,
            "checkpoints": self.checkpoint is not None,
            "limits of depth": limited,
        }
        reason = next((name for name, there in reasons.items() if there), "models that cannot be copied")
        return f"threads share estimates: there are no races with {reason}"

    def tell(self, phase: str, statistics: Statistics | None = None) -> None:
        """Tells whoever watches what comes next."""
        doing(phase)
        if self.progress is not None:
            self.progress(replace(statistics or Statistics(), phase=phase))


NOT_SHARED = "the work cannot be shared with {}"
UNSHARED_SPACES = "zones or a space written in Python"


def why_fewer_threads(asked: int, outcome: Ending, reason: str = NOT_SHARED.format(UNSHARED_SPACES)) -> str:
    """A word on threads that were asked for and not used."""
    if outcome.threads >= asked:
        return ""
    if outcome.threads > 1:
        return f"the system gave only {outcome.threads} threads"
    return f"one thread: {reason}"


class Folded(Record, frozen=True):
    """What became of the wish to take states that are alike for one."""

    native: core.Canonicaliser | None = None
    name: str = APART
    note: str = ""
    counts: bool = False
    classes: core.Canonicaliser | None = None
    """Tells which states are alike, where `native` may find several representatives for them."""
    tables: dict[str, Any] = field(default_factory=dict)
    """From which `native` is made."""
    moves: tuple[Exchange, ...] | None = None
    """Where what generates the permutations takes the locations of processes."""
    exchanges: tuple[CellExchange, ...] = ()
    """What each generator does with the cells of a state, where symmetries were found."""

    @property
    def represented(self) -> int | None:
        """How many states the representatives stand for, if they tell."""
        return round(self.native.represented) if self.native is not None and self.counts else None


def not_folded(symmetry: Symmetry | None) -> Folded:
    """What is said where states cannot be alike."""
    return Folded(note="" if symmetry is None else "off: spaces written in Python are not folded")


class Reduced(Record, frozen=True):
    """The reduction that is used, if one was asked for, or why none is."""

    plan: Plan | None = None
    name: str = NONE
    note: str = ""
    dependence: str = ""

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
        raise ReductionError(f"the store {search.store} does not keep what leaving out steps needs; use --store plain")
    known = (*search.provisos, *(["duplicate"] if "visited" in search.provisos else []), NONE)
    if reduction.proviso and reduction.proviso not in known:
        raise ReductionError(f"{search.name} cannot keep '{reduction.proviso}'; it knows: {', '.join(known)}")


def _about(asked: Property, verdict: str, reason: str) -> tuple[str, str]:
    """The verdict about the question as asked."""
    if asked.wants_witness:
        return {"violated": ("holds", reason), "holds": ("violated", asked.missing)}.get(verdict, (verdict, reason))
    return verdict, reason


def open_verdict(outcome: Ending, search: Search, reduced: Reduced | None = None) -> tuple[str, str]:
    if outcome.status is not Status.EXHAUSTED:
        return "unknown", open_reason(outcome, search)
    if reduced is not None and reduced.unsound and search.promises.complete:
        return "unknown", "reduction without a cycle condition"
    return ("holds", "exhausted") if search.promises.complete else ("unknown", "incomplete search")


def open_reason(outcome: Ending, search: Search) -> str:
    """Why a search that found nothing proves nothing."""
    if outcome.cause:
        return outcome.cause
    if outcome.status is Status.GAVE_UP and search.tells_omission:
        return f"with probability {outcome.omission:.2g} a state was missed"
    if outcome.status is Status.STATES and outcome.statistics.stored >= MOST_STATES:
        return f"states are numbered up to {MOST_STATES:,}"
    return LIMIT_REASONS[outcome.status]
