"""Problems about networks without clocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from beeline.analysis.configuration import Configuration, processes_to_come, typical_configuration
from beeline.compile.program import Program, compile_network
from beeline.engine import Ending, Found, NativeSpace, Outcome, core
from beeline.engine.budget import doing
from beeline.heuristics import Context
from beeline.model.expressions import Expression, Unary, conjunction, conjuncts, negate
from beeline.model.network import Network
from beeline.model.property import Claim, Property, Range
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.por import NONE, Asked, Reduction
from beeline.preprocessing import EXACT, Shrinking, Shrunk
from beeline.preprocessing import shrink as make_smaller
from beeline.problems.costs import CostError, Costs
from beeline.problems.folding import folded
from beeline.problems.paths import FoundPath, unfolded, unfolded_lasso
from beeline.problems.problem import Problem, Ready
from beeline.problems.replaying import Unverified
from beeline.problems.settings import Folded, Reduced, Settings
from beeline.records import replace
from beeline.searches import FAIRNESS
from beeline.symmetry import Symmetry
from beeline.trace import ReplayError, Trace, replay
from beeline.trace.ending import ending
from beeline.trace.replay import Path, Watch, steps_between, trace_of, unwatched

NEVER = 2**62  # states, after which a layout is changed


class NetworkProblem(Problem):
    """A network as it is watched by the question, perhaps smaller than the whole one."""

    kind: ClassVar[str] = "network"

    def __init__(
        self,
        network: Network,
        asked: Property,
        target: State | None = None,
        shrunk: Shrunk | None = None,
        max_processes: int | None = None,
        note: str = "",
        in_order: bool = False,
    ) -> None:
        self.model = network
        self.asked = asked
        self.target = target
        self.shrunk = shrunk or Shrunk(network, asked)
        self.max_processes = max_processes
        self.note = note
        self.in_order = in_order  # whether quantifiers stop at the first error, beside symmetry as well
        self.looked_at_all = False  # whether one was searched that does not

    @property
    def wants_everything(self) -> bool:
        return self.target is not None

    def smaller(self, choice: str, note: str, deadline: float, match: str = EXACT) -> NetworkProblem:
        shrunk = make_smaller(self.model, self.asked, choice, deadline, match)
        return NetworkProblem(self.model, self.asked, self.target, shrunk, note=note)

    def exact(self) -> NetworkProblem | None:
        if self.looked_at_all:
            return NetworkProblem(self.model, self.asked, self.target, max_processes=self.max_processes, in_order=True)
        if not self.shrunk.layers:
            return None
        note = "off: a trace could not be made concrete"
        return NetworkProblem(self.model, self.asked, self.target, max_processes=self.max_processes, note=note)

    def generalised(self) -> NetworkProblem:
        from beeline.properties.linear import Linear

        if not isinstance(self.asked, Linear) or self.shrunk.layers:
            return self
        asked = replace(self.asked, generalised=True)
        return NetworkProblem(asked.watched(self.model), asked, self.target, None, self.max_processes, self.note)

    def gathered(self) -> NetworkProblem:
        from beeline.properties.linear import Linear

        if not isinstance(self.asked, Linear) or self.shrunk.layers:
            return self
        asked = self.asked.gathered()
        return NetworkProblem(asked.watched(self.model), asked, self.target, None, self.max_processes, self.note)

    def with_more_processes(self) -> NetworkProblem:
        max_processes = 4 * (self._max_processes(None) or len(self.shrunk.network.initial) + 4)
        return NetworkProblem(self.model, self.asked, self.target, self.shrunk, max_processes, self.note, self.in_order)

    def check_costs(self, costs: Costs) -> None:
        if self.asked.seeks_cycle or isinstance(self.asked, Range):
            raise CostError(f"'{self.asked.name}' asks for no state that a trace could lead to: leave out --cost")
        costs.check(self.model)

    def ready(self, settings: Settings) -> ReadyNetwork:
        return ReadyNetwork(self, settings.reduction, settings.symmetry)

    def counted_space(self, symmetry: Symmetry | None = None) -> NativeSpace:
        program = self.counted_program(symmetry)
        self.counted = folded(program, symmetry, None, counts=True)
        if not self.counted.counts:
            return _reduced(core.ProgramSpace(program.native, merged=True), None, self.counted)
        # Each state is to be expanded once, so that the layout must stay.
        return _reduced(core.ProgramSpace(program.native, merged=True, sample=NEVER), None, self.counted)

    def counted_program(self, symmetry: Symmetry | None = None) -> Program:
        """The model alone, without the question. A monitor only watches, and what properties read plays no part: the
        size of the space is the network's own."""
        network = replace(self.model.alone, watchers=0, properties=())
        network, _ = self.foldable(symmetry, network, self.asked)
        max_processes = processes_to_come(network) if self.max_processes is None else self.max_processes
        return compile_network(network, max_processes=max_processes, assertions=network.rules.asserting)

    def foldable(self, symmetry: Symmetry | None, network: Network, asked: Property) -> tuple[Network, Property]:
        """The network and the question as they are searched with a symmetry."""
        if symmetry is None or self.in_order or not network.rules.stopping:
            return network, asked
        from beeline.symmetry.quantifiers import looking_at_all

        self.looked_at_all = True
        return looking_at_all(network, asked)

    def compiled(self, values: Sequence[Expression] = (), goal: Expression | None = None) -> Program:
        """The network without the question; `values` can be asked for in its states, and states with a goal are
        marked."""
        return compile_network(self.shrunk.network, goal, self._max_processes(None), values=values)

    def trace_along(self, path: Path, failed: bool, watch: Watch = unwatched) -> tuple[Trace, int]:
        """The trace of the whole network along a path of the smaller one, and how many steps were put into it."""
        if not self.shrunk.layers:
            return replay(self.model, path, failed, watch), 0
        _, steps = steps_between(self.shrunk.network, path, failed, watch)
        lifted = self.shrunk.concrete([step.moves for step in steps], failed)
        return trace_of(self.model, Semantics(self.model).initial_states()[0], lifted), len(lifted) - len(steps)

    def confirm(self, outcome: Ending, trace: Trace) -> tuple[str, str]:
        last = trace.steps[-1] if trace.steps else None
        if last is not None and last.error:
            return "violated", last.error
        found = ending(Semantics(self.model), self.asked, trace.states[-1], Found.DEADLOCK in outcome.found)
        if found is None:
            raise ReplayError("the replayed trace does not end in a violation")
        return found

    def shrinking(self, added: int | None = None) -> Shrinking:
        return Shrinking.of(self.shrunk, added, self.note)

    def _max_processes(self, configuration: Configuration | None) -> int | None:
        """For how many processes there is room: as a look at the beginning of a run shows, so that nothing need be
        compiled twice, if nothing else is known."""
        if self.max_processes is not None:
            return self.max_processes
        network = self.shrunk.network
        known = max(len(configuration or ()), len(self.target.processes) if self.target is not None else 0)
        return max(known, len(network.initial)) if known else processes_to_come(network.alone)


class ReadyNetwork(Ready):
    """A compiled network."""

    def __init__(self, problem: NetworkProblem, reduction: Reduction | None, symmetry: Symmetry | None = None) -> None:
        doing("compiling")
        self.problem = problem
        network, asked = problem.foldable(symmetry, problem.shrunk.network, problem.shrunk.asked)
        self.asked = asked  # as it is searched
        self.configuration, self.note = _configuration(network, reduction)
        self.program: Program = compile_network(network, asked.sought, problem._max_processes(self.configuration))
        native = self.program.native
        self.folded = folded(self.program, symmetry, asked)
        self.merged = False  # whether the search passes over uninterrupted runs: traces must be read so
        self.context = Context(network, self.program, native, asked, asked.sought, problem.stop, problem.target)
        self.context.alike = self.folded.exchanges

    def reduce(self, settings: Settings) -> Reduced:
        if self.configuration is None:
            return Reduced(note=self.note)
        from beeline.por.tables import STATIC, plan, watched_by

        assert settings.reduction is not None
        question, stop = self.asked, self.problem.stop
        goal, watched = question.sought, None
        proviso = settings.reduction.proviso or settings.search.provisos[0]
        if self.program.network.monitor is not None or question.seeks_cycle:
            seen = watched_by(question)
            if isinstance(seen, str):
                return Reduced(note=f"off: {seen}")
            watched, proviso = seen, settings.reduction.proviso or STATIC
            if proviso not in (STATIC, NONE):
                return Reduced(note=f"off: an automaton watches, which goes with '{STATIC}' only, not '{proviso}'")
        asked = Asked(goal is not None, Found.ERROR in stop, Found.DEADLOCK in stop)
        # Up to the first state that is sought, or where that has no value, none is: proofs may take it for granted.
        granted = watched is None and Found.GOAL in stop and Found.ERROR in stop
        assumed = opposite(goal) if goal is not None and granted else None
        doing("working out which steps are independent")
        dependence = settings.service.dependence(self.program, self.configuration, assumed, self._alike())
        if assumed is not None:
            left = dependence.unproved(conjuncts(assumed))
            goal = negate(conjunction(left)) if left else None
            asked = replace(asked, goals=goal is not None)
        watching = watched if watched is None else replace(watched, alike=self.folded.moves)
        made = plan(dependence, self.program.native, settings.reduction, proviso, goal, asked, watched=watching)
        if isinstance(made, str):
            return Reduced(note=f"off: {made}")
        name = f"{settings.reduction.name}:{made.proviso}" if made.needs_proviso else settings.reduction.name
        note = "traces may be longer than necessary" if made.needs_proviso else "shortest traces are kept"
        return Reduced(made, name, note, dependence.tier)

    def _alike(self) -> bool:
        """Whether members of scalarsets are interchangeable in the question and in the model."""
        from beeline.symmetry.tables import unsupported_reason

        network = self.program.network
        return network.monitor is None and unsupported_reason(network, self.asked) is None

    def space(self, merged: bool = False, reduced: Reduced | None = None) -> NativeSpace:
        self.merged = merged
        return _reduced(core.ProgramSpace(self.program.native, merged=merged), reduced, self.folded)

    def weights(self, costs: Costs | None) -> Sequence[int]:
        return () if costs is None else costs.by_action(self.program)

    def pairs(self, space: NativeSpace, only: Sequence[int] = ()) -> NativeSpace:
        if isinstance(space, core.ReducedProgramSpace):
            return core.PairedReducedProgramSpace(space, only=only)
        assert isinstance(space, core.ProgramSpace)
        return core.PairedProgramSpace(space, only=only)

    def lassos(self) -> NativeSpace | str:
        space, monitor = core.ProgramSpace(self.program.native), self.program.network.monitor
        if isinstance(self.problem.asked, Claim):
            return core.PairedProgramSpace(space, any_seed=True)
        most = core.LassoProgramSpace.most_places
        if monitor is not None and "timeout" in monitor.builtins:
            return "the formula asks for timeouts"
        if monitor is not None and len(monitor.locations) > most:
            return f"the automaton of the formula has more than {most} states"
        return cast(NativeSpace, core.LassoProgramSpace(space))  # for breadth-first search alone

    def own_lasso(self, outcome: Outcome, watch: Watch = unwatched) -> tuple[Trace, str]:
        from beeline.trace.lasso import judge_lasso, replay_lasso, trace_of_lasso, unwatched_state

        if isinstance(self.problem.asked, Claim):
            return self._judged(*self._found_lasso(outcome), FAIRNESS[0], watch)
        assert outcome.cycle is not None
        layout, native = self.program.layout, self.program.native
        states = [unwatched_state(layout.decode(native.unpack(step.state))) for step in outcome.path]
        lasso = replay_lasso(self.problem.model.alone, states, outcome.cycle, watch)
        lasso = replace(lasso, network=self.problem.model)
        return trace_of_lasso(lasso, self.problem.asked), judge_lasso(lasso, self.problem.asked, FAIRNESS[0])

    def words(self, state: State) -> tuple[int, ...]:
        return tuple(self.program.native.pack(self.program.layout.encode(state)))

    def lasso(self, outcome: Outcome, fairness: str, watch: Watch = unwatched) -> tuple[Trace, str]:
        if self.folded.native is None:
            return self._judged(*self._found_lasso(outcome), fairness, watch)
        classes = self.folded.classes or self.folded.native
        return self._judged(*unfolded_lasso(self.program, classes, outcome, self.merged), fairness, watch)

    def _found_lasso(self, outcome: Outcome) -> tuple[Path, int]:
        """The path of an outcome, and where its cycle begins."""
        assert outcome.cycle is not None
        path = FoundPath(self.program, self.program.native, outcome)
        return path, min(outcome.cycle, path.to_rest())

    def _judged(self, path: Path, cycle: int, fairness: str, watch: Watch) -> tuple[Trace, str]:
        from beeline.trace.lasso import judge_lasso, replay_lasso, trace_of_lasso

        lasso = replay_lasso(self.problem.model, path, cycle, watch)
        reason = judge_lasso(lasso, self.problem.asked, fairness)
        return trace_of_lasso(lasso, self.problem.asked), reason

    def trace(self, outcome: Outcome, show_zones: bool = False, watch: Watch = unwatched) -> tuple[Trace, int]:
        path = self._path(outcome)
        return self.problem.trace_along(path, Found.ERROR in outcome.found, watch)

    def _path(self, outcome: Outcome) -> Path:
        if self.folded.native is None or not outcome.native.actions:
            return FoundPath(self.program, self.program.native, outcome)
        return unfolded(self.program, self.folded.classes or self.folded.native, outcome, self.merged)

    def unverified(self, outcome: Outcome, reason: str) -> Unverified | None:
        if self.folded.native is not None:
            return None
        path = FoundPath(self.program, self.program.native, outcome)
        failed = Found.ERROR in outcome.found
        return Unverified(self.problem.asked, self.problem.shrunk.network, path, failed, reason)

    def fits(self, words: tuple[int, ...], state: Any) -> bool:
        found: bool = self.program.layout.decode(self.program.native.unpack(words)) == state
        return found


def _reduced(space: core.ProgramSpace, reduced: Reduced | None, symmetric: Folded) -> NativeSpace:
    """The space with what is left out of it; the space itself if that is nothing."""
    reducer = reduced.plan.native if reduced is not None and reduced.plan is not None else None
    if reducer is None and symmetric.native is None:
        return space
    return core.ReducedProgramSpace(space, reducer, symmetric.native)


def _configuration(network: Network, reduction: Reduction | None) -> tuple[Configuration | None, str]:
    """The processes that a reduction is about, or why there are none."""
    if reduction is None:
        return None, ""
    from beeline.por.tables import unsupported_reason

    why = unsupported_reason(network)
    configuration = typical_configuration(network.alone) if why is None else None
    if configuration is None:
        return None, f"off: {why or 'processes are started all the time'}"
    return configuration, ""


def opposite(goal: Expression) -> Expression:
    """What holds where a goal is not reached."""
    return goal.operand if isinstance(goal, Unary) and goal.operator == "!" else negate(goal)
