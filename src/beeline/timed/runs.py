"""Runs that avoid something for ever, as questions about all runs seek them: how they are searched for and replayed.

Such a run takes steps without end, or it stays in a state: time passes for ever there, or no step is possible any more.
One without end is found as a cycle of the zone graph. What repeats there are zones, not clock values; the interpreter
replays the way to the cycle and several turns of it with exact clocks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from beeline.engine import NativeSpace, Outcome, core
from beeline.model.network import Network
from beeline.model.property import Inevitability
from beeline.model.semantics import Move
from beeline.model.source import ModelError
from beeline.model.state import State
from beeline.records import replace
from beeline.searches import Promises, Search
from beeline.searches.declaration import Guide, Values
from beeline.timed.atoms import Atom, concrete
from beeline.timed.clocks import Clocks
from beeline.timed.deadlock import Span, all_within, allowed
from beeline.timed.discrete import take_apart
from beeline.timed.goals import DEADLOCK, Case, cases
from beeline.timed.longest import Delay
from beeline.timed.options import ZoneOptions
from beeline.timed.schedule import Choice, Schedule
from beeline.timed.search import ZoneGraph, check_start, moves_along, shown_zones, states_along, zone_graph
from beeline.timed.semantics import TimedSemantics, TimedState
from beeline.timed.tables import Confinement
from beeline.timed.trace import Plan, Planner, make_trace, replay_moves
from beeline.timed.zones import Zone
from beeline.trace.replay import ReplayError, Watch, unwatched
from beeline.trace.timed import TimedTrace

PAPER = (
    "Laarman, Olesen, Dalsgaard, Larsen, van de Pol, Multi-core emptiness checking of timed Büchi automata using "
    "inclusion abstraction, CAV 2013"
)
TURNS = 3
"""Of a cycle that are replayed."""
CYCLE, ZENO, FOR_EVER, STUCK = "cycle", "Zeno cycle", "time passes for ever", "deadlock"


def confined_graph(network: Network, asked: Inevitability, options: ZoneOptions) -> ZoneGraph:
    """The zone graph of the runs that a question seeks. Raises ModelError where zones cannot tell."""
    if take_apart(network).rates:
        message = "clocks are stopped, and zones then do not tell whether a cycle can be repeated"
        raise ModelError(message, asked.source, "ask about reachability: E<> or A[]")
    return zone_graph(network, options=options, confinement=confinement_of(network, asked))


def search_for(asked: Inevitability) -> Search:
    """The search for a run that begins at the start, or wherever the premise holds."""
    everywhere = asked.premise is not None

    def call(space: NativeSpace, request: core.Request, values: Values, guide: Guide) -> core.Outcome:
        assert isinstance(space, core.TimedSpace)
        return space.inevitable(request, everywhere)

    promises = Promises(shortest=True, complete=True, shortest_if="proven")
    return Search("zone-cycles", "runs that avoid something for ever", PAPER, promises, call)


def confinement_of(network: Network, asked: Inevitability) -> Confinement:
    clocks = Clocks(network)
    avoided = tuple(cases(asked.avoided, clocks))
    premises = () if asked.premise is None else tuple(cases(asked.premise, clocks))
    if any(case.deadlock for case in (*avoided, *premises)):
        message = f"'{DEADLOCK.name}' can be asked for by E<> and A[] alone"
        raise ModelError(message, asked.source, "runs that end in a deadlock are among all runs anyway")
    return Confinement(avoided, premises)


def run_trace(
    graph: ZoneGraph, asked: Inevitability, outcome: Outcome, *, show_zones: bool = False, watch: Watch = unwatched
) -> tuple[TimedTrace, str]:
    """The run that a search found, replayed, and what becomes of it: `CYCLE`, `ZENO`, `FOR_EVER`, `STUCK`, or the
    error that a step ends in."""
    check_start(graph, outcome)
    semantics, moves = TimedSemantics(graph.network), moves_along(graph, outcome)
    zones = shown_zones(graph, states_along(outcome)) if show_zones else ()
    if outcome.failed_step is not None:
        trace = make_trace(semantics, moves, [], lambda dead: [], zones, True, watch)
        return trace, trace.steps[-1].error
    confinement, cycle = confinement_of(graph.network, asked), outcome.cycle
    planner = _RunPlanner(semantics, confinement, outcome.since)
    turns = [] if cycle is None else (TURNS - 1) * moves[cycle:]
    planner.follow([*moves, *turns], watch)
    endings: list[list[Atom]] | None = None
    if cycle is None:
        found = graph.space.endings(outcome.native.state(len(moves)))
        endings = [Zone.read(rows, semantics.clocks.dimension).atoms() for rows in found]
    delays = planner.delays(endings)
    avoidance = _Avoidance(semantics, confinement, outcome.since, planner.wait)
    trace = replay_moves(semantics, [*moves, *turns], delays, [], zones, watch, avoidance.check)
    if cycle is None:
        becomes = avoidance.stays(semantics.delay(trace.states[-1], delays[-1]))
        return replace(trace, cycle=len(moves) if becomes == FOR_EVER else None), becomes
    steps = len(moves)
    shown = replace(
        trace,
        steps=trace.steps[:steps],
        states=trace.states[: steps + 1],
        delays=(*trace.delays[:steps], Fraction(0)),
        cycle=cycle,
    )
    return shown, ZENO if planner.is_zeno(steps - cycle, graph, outcome) else CYCLE


def _holding(semantics: TimedSemantics, some: Sequence[Case], state: State) -> list[list[Atom]]:
    """What cases ask of clocks in a discrete state, if it satisfies the rest of them."""
    discrete = semantics.steps_of
    return [
        concrete(case.constraints, semantics.clocks, discrete.scope, state, None)
        for case in some
        if discrete.holds(case.condition, state)
    ]


class _RunPlanner(Planner):
    """Moments of a run that avoids something from the premise on, which holds at a moment of its own."""

    def __init__(self, semantics: TimedSemantics, confinement: Confinement, since: int) -> None:
        super().__init__(semantics)
        self.confinement, self.since = confinement, since
        self.wait = Fraction(0)
        """The time between arriving in the state of the premise and the moment at which it holds."""
        self._confined = not confinement.premises
        self._premise = 0  # the moment at which the premise holds, if there is one
        self._starts: list[int] = []  # by step: the moment before it,
        self._set: list[set[int]] = []  # the clocks that it sets,
        self._bounded: list[set[int]] = []  # and those that must not be too large for it

    def follow(self, moves: Sequence[tuple[Move, ...]], watch: Watch) -> None:
        for number, joint in enumerate(moves):
            watch(number // 2, len(moves))
            self._begin(number)
            assert isinstance(self.schedule, Schedule)
            self._starts.append(self.schedule.moments - 1)
            self._bounded.append({atom.plus for atom in self._guards(self.state, joint) if _is_upper(atom)})
            self._set.append({*self.add_step(joint)})
        self._begin(len(moves))

    def _begin(self, number: int) -> None:
        if self._confined or number < self.since:
            return
        ways = _holding(self.semantics, self.confinement.premises, self.state)
        self._advance(self.schedule, self.state, [], self.discrete.is_urgent(self.state))
        assert isinstance(self.schedule, Schedule)
        self.schedule.choose([[delay for atom in way for delay in self.schedule.delays(atom)] for way in ways])
        self._premise = self.schedule.moments - 1
        self._confined = True

    def _advance(self, schedule: Plan, state: State, atoms: list[Atom], stands: bool) -> None:
        assert isinstance(schedule, Schedule)
        avoided = _holding(self.semantics, self.confinement.avoided, state) if self._confined else []
        ways = [_missed_at_first(schedule, one) for one in avoided]
        super()._advance(schedule, state, atoms, stands)
        for one, early in zip(avoided, ways, strict=True):
            schedule.choose([*early, *_missed_at_last(schedule, one)])

    def delays(self, endings: list[list[Atom]] | None) -> tuple[Fraction, ...]:
        """The earliest delays; the last one leads to where one of the endings holds, if the run has any."""
        urgent = endings is None or self.discrete.is_urgent(self.state)
        found = [self._solve_to(atoms, urgent) for atoms in ([[]] if endings is None else endings)]
        moments = min((one for one in found if one is not None), key=lambda one: one[-1], default=None)
        if moments is None:
            raise ReplayError("the run found by the search has no moments")
        if self._premise:
            self.wait = moments[self._premise] - moments[self._premise - 1]
            moments = [*moments[: self._premise], *moments[self._premise + 1 :]]
        return tuple(later - earlier for earlier, later in pairwise(moments))

    def _solve_to(self, atoms: list[Atom], stands: bool) -> list[Fraction] | None:
        ending = self.schedule.copy()
        self._advance(ending, self.state, [*atoms, *self.invariants.all()], stands)
        return ending.solve()

    def is_zeno(self, length: int, graph: ZoneGraph, outcome: Outcome) -> bool:
        """Whether time comes to an end though the last `length` steps are repeated for ever: because none of it can
        pass in a turn, or because a clock that no step sets has a bound."""
        dimension = self.clocks.dimension
        bounded = set[int]().union(*self._bounded[-length:])
        for step in outcome.path[-length:]:
            zone = Zone.read(graph.space.bounds(step.state), dimension)
            bounded |= {clock for clock in range(1, dimension) if zone.bounds[clock][0] is not None}
        if bounded.difference(*self._set[-length:]):
            return True
        lasting = self.schedule.copy()
        assert isinstance(lasting, Schedule)
        lasting.require(self.invariants.all())
        lasting.choose([[Delay(self._starts[-length], lasting.moments - 1, (0, 1))]])
        return lasting.solve() is None


def _is_upper(atom: Atom) -> bool:
    return atom.minus == 0 and atom.operator in ("<", "<=", "==")


def _is_lower(atom: Atom) -> bool:
    return atom.minus == 0 and atom.operator in (">", ">=", "==")


def _missed_at_first(schedule: Schedule, atoms: list[Atom]) -> Choice:
    """Ways in which a delay that begins now never meets a moment at which all atoms hold: one of them, while time
    passes, holds no more or never does, or ceases to hold before another begins to."""
    below, above = list(filter(_is_upper, atoms)), list(filter(_is_lower, atoms))
    ways = [schedule.delays(Atom(a.plus, 0, ">=" if a.operator == "<" else ">", a.bound)) for a in below]
    ways += [schedule.delays(negated) for atom in atoms if atom.minus for negated in atom.negated()]
    for high in below:
        for low in above:
            strict = high.operator == "<" or low.operator == ">"
            ways.append(schedule.delays(Atom(high.plus, low.plus, ">=" if strict else ">", high.bound - low.bound)))
    return ways


def _missed_at_last(schedule: Schedule, atoms: list[Atom]) -> Choice:
    """The same for a delay that ends now: one of them does not hold yet."""
    above = filter(_is_lower, atoms)
    return [schedule.delays(Atom(a.plus, 0, "<=" if a.operator == ">" else "<", a.bound)) for a in above]


class _Avoidance:
    """What the interpreter looks at while a run is replayed: the premise, and that nothing is met that is avoided."""

    def __init__(self, semantics: TimedSemantics, confinement: Confinement, since: int, wait: Fraction) -> None:
        self._semantics, self._confinement = semantics, confinement
        self._since, self._wait = since, wait

    def check(self, number: int, state: TimedState, amount: Fraction) -> None:
        """Time is about to pass after so many steps. Raises ReplayError."""
        begin = Fraction(0)
        if number == self._since and self._confinement.premises:
            begin = self._wait
            if not self._semantics.holds(list(self._confinement.premises), self._semantics.delay(state, begin)):
                raise ReplayError("the run does not come to the premise")
        if number >= self._since and self._meets(state, Span(begin, amount)):
            raise ReplayError("the run meets what it is to avoid")

    def _meets(self, state: TimedState, span: Span) -> bool:
        rates = self._semantics.rates(state.discrete)
        assert rates is not None
        avoided = _holding(self._semantics, self._confinement.avoided, state.discrete)
        return any(not all_within(atoms, state.clocks, rates, span).empty for atoms in avoided)

    def stays(self, state: TimedState) -> str:
        """How the run may stay where it ends. Raises ReplayError."""
        span = allowed(self._semantics, state)
        if self._meets(state, span):
            raise ReplayError("the run meets what it is to avoid where it ends")
        if span.high is None:
            return FOR_EVER
        if not self._semantics.is_deadlock(state):
            raise ReplayError("the run does not end where the search said")
        return STUCK
