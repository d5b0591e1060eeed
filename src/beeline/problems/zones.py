"""Problems about networks with clocks, searched on their zone graphs."""

from __future__ import annotations

from typing import Any, ClassVar

from beeline.compile.program import Program
from beeline.engine import Ending, Found, NativeSpace, Outcome
from beeline.engine.budget import doing
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.preprocessing import EXACT, Shrinking, Shrunk
from beeline.preprocessing import shrink as make_smaller
from beeline.problems.folding import folded_zones
from beeline.problems.paths import FoundPath
from beeline.problems.problem import Problem, Ready
from beeline.problems.replaying import Unverified
from beeline.problems.settings import Folded, Reduced, Settings
from beeline.records import replace
from beeline.searches import Search, SearchError
from beeline.symmetry import Symmetry
from beeline.timed.options import ZoneOptions
from beeline.timed.search import (
    ZoneGraph,
    check_start,
    goal_of,
    make_concrete,
    moves_along,
    timed_trace,
    unfolded_trace,
    zone_graph,
)
from beeline.timed.soonest import LeastTime, least_time
from beeline.trace import Trace
from beeline.trace.replay import Watch, unwatched
from beeline.trace.timed import TimedTrace


class ZoneProblem(Problem):
    """A network with clocks; the trace comes with its moments, replayed with exact clock values."""

    kind: ClassVar[str] = "zones"

    def __init__(
        self,
        network: Network,
        asked: Property,
        zones: ZoneOptions,
        shrunk: Shrunk | None = None,
        note: str = "",
        apart: bool = False,
    ) -> None:
        self.model = network
        self.asked = asked
        self.zones = zones
        self.shrunk = shrunk or Shrunk(network, asked)
        self.note = note
        self.apart = apart  # whether states that are alike are told apart beside symmetry as well
        self.is_folded = False

    @property
    def stop(self) -> Found:
        if self.asked.asks_runs:
            return super().stop | Found.DEADLOCK  # a run may end there
        return super().stop & ~Found.DEADLOCK  # deadlock is part of the goal

    @property
    def wants_everything(self) -> bool:
        # How an exact deadlock is reached is told by the zones of the whole network.
        return self.zones.show or self.asked.seeks_deadlock

    def check_search(self, search: Search) -> None:
        if not search.zones:
            raise SearchError(f"zones cover one another, which takes a store of their own: leave out {search.store}")

    def smaller(self, choice: str, note: str, deadline: float, match: str = EXACT) -> ZoneProblem:
        shrunk = make_smaller(self.model, self.asked, choice, deadline, match)
        return ZoneProblem(self.model, self.asked, self.zones, shrunk, note)

    def exact(self) -> ZoneProblem | None:
        """A way through merged zones need not be one for each of their points, and one of a smaller network need not be
        one of the whole. Zones that are widened may differ in more than names where states do not."""
        if self.is_folded:
            return ZoneProblem(self.model, self.asked, self.zones, apart=True)
        if self.zones.merge:
            return ZoneProblem(self.model, self.asked, replace(self.zones, merge=False), self.shrunk, self.note)
        if not self.shrunk.layers:
            return None
        return ZoneProblem(self.model, self.asked, self.zones, note="off: a trace could not be made concrete")

    def ready(self, settings: Settings) -> ReadyZones:
        doing("compiling")
        return ReadyZones(self, settings.symmetry, settings.search.elapsed)

    def counted_space(self, symmetry: Symmetry | None = None) -> NativeSpace:
        graph = zone_graph(self.model, deadlocks=True)
        self.counted = folded_zones(graph.program, graph.native, symmetry, None)
        return graph.folded(self.counted.native).space

    def confirm(self, outcome: Ending, trace: Trace) -> tuple[str, str]:
        # That the trace ends in what was sought was a condition of finding its moments.
        last = trace.steps[-1] if trace.steps else None
        if last is not None and last.error:
            return "violated", last.error
        if self.asked.wants_witness:
            return "violated", "goal reached"
        return "violated", "deadlock" if self.asked.seeks_deadlock else "invariant violated"

    def shrinking(self, added: int | None = None) -> Shrinking:
        return Shrinking.of(self.shrunk, added, self.note)


class ReadyZones(Ready):
    """The zone graph of a network, in which what is sought is marked."""

    def __init__(self, problem: ZoneProblem, symmetry: Symmetry | None = None, elapsed: bool = False) -> None:
        self.problem = problem
        network, asked = problem.shrunk.network, problem.shrunk.asked
        goal = goal_of(network, asked)
        self.graph: ZoneGraph = zone_graph(network, goal, options=problem.zones, elapsed=elapsed)
        if elapsed:
            self.folded = Folded(note="off: zones tell the time" if symmetry is not None else "")
        elif problem.apart:
            self.folded = Folded(note="off: a trace could not be made concrete")
        elif symmetry is not None and problem.zones.merge:
            self.folded = Folded(note="off: zones are merged")
        else:
            self.folded = folded_zones(self.graph.program, self.graph.native, symmetry, asked)
        problem.is_folded = self.folded.native is not None
        self.context = self.graph.context(asked, problem.stop)
        self.context.alike = self.folded.exchanges

    def space(self, merged: bool = False, reduced: Reduced | None = None) -> NativeSpace:
        return self.graph.folded(self.folded.native).space

    def trace(self, outcome: Outcome, show_zones: bool = False, watch: Watch = unwatched) -> tuple[Trace, int | None]:
        check_start(self.graph, outcome)
        problem, shrunk = self.problem, self.problem.shrunk
        if self.folded.classes is not None:
            return unfolded_trace(self.graph, outcome, self.folded.classes, problem.zones.show, watch), None
        if not shrunk.layers:
            return timed_trace(self.graph, outcome, show_zones=problem.zones.show, watch=watch), None
        moves, failed = moves_along(self.graph, outcome), outcome.failed_step is not None
        goal = goal_of(problem.model, problem.asked)
        steps = shrunk.concrete(moves, failed, timed=True)
        trace = make_concrete(problem.model, goal, steps, failed, watch)
        return trace, len(trace) - len(moves)

    def least_time(self, outcome: Outcome, trace: Trace) -> LeastTime | None:
        if self.graph.program.numbers["elapsed"] == 0 or not isinstance(trace, TimedTrace):
            return None
        return least_time(self.graph, outcome, trace)

    def unverified(self, outcome: Outcome, reason: str) -> Unverified | None:
        if self.folded.native is not None:
            return None
        program, discrete = self.graph.program, self.graph.program.timed.discrete
        plain = Program(discrete, program.layout, program.tables, program.actions)
        path, steps = FoundPath(plain, self.graph.native, outcome), moves_along(self.graph, outcome)
        failed = outcome.failed_step is not None
        return Unverified(self.problem.asked, discrete, path, failed, reason, lambda number: steps[number - 1])

    def fits(self, words: tuple[int, ...], state: Any) -> bool:
        """Whether a timed state lies in a zone."""
        native = self.graph.native
        discrete = self.graph.program.layout.decode(native.unpack(list(words[: native.words])))
        atoms = self.graph.zone(self.graph.space.bounds(words)).atoms()
        return bool(discrete == state.discrete and all(atom.holds(state.clocks) for atom in atoms))
