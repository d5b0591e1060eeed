"""Searches the zone graph of a network for what a property forbids or asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from beeline.compile.program import Program
from beeline.engine import Found, Limits, Outcome, Progress, Status, core
from beeline.heuristics import Context
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.model.semantics import Move, Step
from beeline.model.source import ModelError
from beeline.records import Record, replace
from beeline.searches import Search, find
from beeline.searches.runner import run
from beeline.symmetry.unfolding import Words, unfold
from beeline.timed.clocks import Clocks
from beeline.timed.goals import Case, cases, sought
from beeline.timed.options import ZoneOptions
from beeline.timed.semantics import TimedSemantics
from beeline.timed.tables import Confinement, Measure, TimedProgram, compile_timed
from beeline.timed.trace import make_trace
from beeline.timed.zones import Zone
from beeline.trace.replay import ReplayError, Watch, unwatched
from beeline.trace.timed import TimedTrace

if TYPE_CHECKING:
    from beeline.timed.conditions import Clocked

STOP = Found.GOAL | Found.ERROR  # deadlock is part of the goal


class ZoneGraph(Record, frozen=True):
    """A network's zone graph, ready to be searched."""

    program: TimedProgram
    native: core.Program
    space: core.TimedSpace

    def folded(self, symmetry: core.Canonicaliser | None) -> ZoneGraph:
        """The graph of representatives, as a space of its own; the graph itself without a symmetry."""
        if symmetry is None:
            return self
        space = core.TimedSpace(self.native, self.program.rows, self.program.numbers)
        space.fold(symmetry)
        return replace(self, space=space)

    def zone(self, rows: Sequence[int]) -> Zone:
        """What the engine's bounds say of the network's clocks."""
        return Zone.read(rows, self.program.dimension).of_first(self.program.timed.clocks.dimension)

    @property
    def network(self) -> Network:
        return self.program.timed.network

    def context(self, asked: Property, stop: Found) -> Context:
        """What heuristics may be built from: the network without its clocks, and what of the goal does not ask for
        them. They promise about the whole as much as about that."""
        discrete = self.program.timed.discrete
        plain = Program(discrete, self.program.layout, self.program.tables, self.program.actions)
        context = Context(discrete, plain, self.native, asked, self.program.discrete_goal, stop)
        context.clocked = self._clocked
        return context

    def _clocked(self) -> Clocked:
        from beeline.timed.conditions import clocked

        return clocked(self.program, self.native)


def zone_graph(
    network: Network,
    goal: list[Case] | None = None,
    *,
    options: ZoneOptions = ZoneOptions(),  # noqa: B008  # a frozen value
    deadlocks: bool = False,
    measures: Sequence[Measure] = (),
    confinement: Confinement | None = None,
    elapsed: bool = False,
) -> ZoneGraph:
    """The zone graph in which `goal` is marked; with `deadlocks` those are found, too, and `measures` are taken. Runs
    keep to a `confinement`. With `elapsed` zones tell the time since the start."""
    program = compile_timed(network, goal, options, deadlocks, measures, confinement, elapsed)
    native = core.Program(program.tables)
    return ZoneGraph(program, native, core.TimedSpace(native, program.rows, program.numbers))


def goal_of(network: Network, asked: Property) -> list[Case]:
    """The cases whose reachability decides a property."""
    return cases(sought(asked), Clocks(network))


def search_property(
    network: Network,
    asked: Property,
    search: str | Search = "bfs",
    *,
    limits: Limits | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    options: ZoneOptions = ZoneOptions(),  # noqa: B008  # a frozen value
) -> tuple[Outcome, TimedTrace | None]:
    """Searches for a violation (of an invariant) or a witness (of a goal), with its timed trace if there is one.

    >>> from beeline.languages.uppaal import load_text
    >>> network = load_text('''clock x; process P() { state a { x <= 3 }, b; init a; trans a -> b { guard x > 1; }; }
    ... system P; query { E<> P.b }''')
    >>> outcome, trace = search_property(network, network.properties[0])
    >>> trace.delays, trace.steps[0].changes["P"]
    ((Fraction(3, 2), Fraction(0, 1)), ('a', 'b'))
    """

    def attempt(graph: ZoneGraph) -> Outcome:
        return run(graph.space, chosen, stop=STOP, limits=limits, seed=seed, progress=progress)

    chosen = find(search) if isinstance(search, str) else search
    return search_zones(network, goal_of(network, asked), options, attempt, elapsed=chosen.elapsed)


def search_zones(
    network: Network,
    goal: list[Case],
    options: ZoneOptions,
    attempt: Callable[[ZoneGraph], Outcome],
    finish: Callable[[ZoneGraph, Outcome], TimedTrace] | None = None,
    elapsed: bool = False,
) -> tuple[Outcome, TimedTrace | None]:
    """What `attempt` finds in the zone graph, with its timed trace, which `finish` makes if it is given.

    A way through merged zones need not be one for each of their points. Where it turns out to be none, the graph is
    searched once more, without merging."""
    graph = zone_graph(network, goal, options=options, elapsed=elapsed)
    outcome = attempt(graph)
    if outcome.status is not Status.FOUND:
        return outcome, None
    check_start(graph, outcome)
    try:
        made = finish(graph, outcome) if finish is not None else timed_trace(graph, outcome, show_zones=options.show)
        return outcome, made
    except ReplayError:
        if not options.merge:
            raise
        return search_zones(network, goal, replace(options, merge=False), attempt, finish)


def check_start(graph: ZoneGraph, outcome: Outcome) -> None:
    """Raises ModelError if the violation is that the run cannot begin."""
    if not outcome.native.actions:
        message = "an invariant fails at the start: its indices, divisors or rates are wrong there"
        raise ModelError(message, graph.network.source, "give its variables other initial values")


def timed_trace(
    graph: ZoneGraph, outcome: Outcome, *, show_zones: bool = False, watch: Watch = unwatched
) -> TimedTrace:
    """The earliest timed run along the path that a search found, replayed by the interpreter."""
    states = states_along(outcome)
    failed = outcome.failed_step is not None
    return _trace_along(graph, states, moves_along(graph, outcome), failed, show_zones, watch)


def states_along(outcome: Outcome) -> list[Words]:
    return [outcome.native.state(number) for number in range(len(outcome.native.actions))]


def unfolded_trace(
    graph: ZoneGraph, outcome: Outcome, classes: core.Canonicaliser, show_zones: bool = False, watch: Watch = unwatched
) -> TimedTrace:
    """The same where representatives were searched; `classes` has one representative for all that are alike."""
    states = states_along(outcome)
    while graph.space.words < len(states[0]):
        graph.space.make_room()  # the space of representatives has room for all clocks

    def representative(words: Words) -> list[int]:
        bounds = (bound % 2**32 for bound in graph.space.bounds(words))
        return classes.representative(graph.native, [*words[: graph.native.words], *bounds])

    way = unfold(graph.space, representative, states)
    actions = way.actions[1:]
    failed = outcome.failed_step is not None
    if failed:
        actions.append(next(action for action, _, _, words in way.arcs if words is None))
    return _trace_along(graph, way.states, [moves_of(graph, action) for action in actions], failed, show_zones, watch)


def shown_zones(graph: ZoneGraph, states: Sequence[Words]) -> tuple[str, ...]:
    """The zones of some states, as text."""
    names = graph.program.timed.clocks.names
    return tuple(graph.zone(graph.space.bounds(state)).show(names) for state in states)


def _trace_along(
    graph: ZoneGraph,
    states: Sequence[Words],
    moves: Sequence[tuple[Move, ...]],
    failed: bool,
    show_zones: bool,
    watch: Watch,
) -> TimedTrace:
    program, zones = graph.program, shown_zones(graph, states) if show_zones else ()

    def parts(dead: bool) -> list[Zone]:
        found = graph.space.parts_by_deadlock(states[-1], dead)
        return [graph.zone(rows) for rows in found]

    return make_trace(TimedSemantics(graph.network), moves, program.goals, parts, zones, failed, watch)


def moves_along(graph: ZoneGraph, outcome: Outcome) -> list[tuple[Move, ...]]:
    """Who moves with which edges along the path that a search found, the failing step included."""
    actions = outcome.native.actions[1:]
    if outcome.failed_step is not None:
        actions.append(outcome.failed_step.action)
    return [moves_of(graph, action) for action in actions]


def make_concrete(
    network: Network, goal: list[Case], steps: Sequence[Step], failed: bool, watch: Watch = unwatched
) -> TimedTrace:
    """The earliest timed run that takes these steps of the network's discrete part, to a goal without deadlocks."""

    def parts(dead: bool) -> list[Zone]:
        raise ReplayError("whether a state is a deadlock is known of searched states only")

    return make_trace(TimedSemantics(network), [step.moves for step in steps], goal, parts, failed=failed, watch=watch)


def moves_of(graph: ZoneGraph, action: int) -> tuple[Move, ...]:
    """Who moves with which edge when the engine takes an action."""
    rows = [graph.program.actions[row] for row in graph.space.edges_of(action)]
    return tuple(Move(row.number, row.kind, row.edge) for row in rows)
