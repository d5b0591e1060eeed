"""Never claims: automata that watch a run and look, before each of its steps, at the state it is in.

A claim has no variables and changes nothing, so each of its edges is a guard, perhaps with assertions, and a target.
Steps that follow one another in an `atomic` or a `d_step` look at the same state and become one edge. Once the network
cannot move any more, the claim goes on alone: `np_` is false then, and `timeout` true if some process waits for one.
"""

from __future__ import annotations

from beeline.model import expressions as ir
from beeline.model.network import Edge, Location, Process
from beeline.model.statements import Assert, Print, Terminate
from beeline.properties.halting import substituted, with_halted
from beeline.records import replace

from .actions import ActionTranslator
from .automaton import AutomatonBuilder
from .build_flow import FlowBuilder
from .errors import PromelaError
from .symbols import Scope
from .syntax import Never
from .transitions import tabulate


def claim_process(never: Never, translator: ActionTranslator, scope: Scope, times_out: bool) -> Process:
    """The monitor that a never claim is; `times_out`: some process waits for a timeout."""
    scope.open_proctype()
    flow = FlowBuilder(translator, scope, is_claim=True).build(never.body, never.source)
    if scope.locals:
        local = scope.locals[0]
        raise PromelaError(f"never claim '{never.name}' declares '{local.name}'", local.source, "use a global variable")
    scope.close_proctype()
    locations, edges, initial = AutomatonBuilder(tabulate(flow)).build()
    made = _Claim(locations, edges).watching()
    locations = tuple(replace(location, deterministic=False) for location in locations)
    numbered = tuple(substituted(edge, {ir.Builtin("pid"): ir.Literal(0)}) for edge in made)  # as SPIN numbers it
    return with_halted(Process(never.name, locations, numbered, initial, source=never.source), times_out)


class _Claim:
    """The edges of a claim, made from those of its automaton."""

    def __init__(self, locations: tuple[Location, ...], edges: tuple[Edge, ...]) -> None:
        self.locations = locations
        self.edges = [edge for edge in edges if not _ends(edge)]
        self.made: list[Edge] = []

    def watching(self) -> tuple[Edge, ...]:
        for edge in self.edges:
            self._check(edge)
            if self.locations[edge.source_location].deterministic:
                continue  # part of what leads there
            if self._is_inside(edge) or (edge.keeps_control and self._leaving(edge.target_location)):
                self._follow(edge, edge, [], ())
            else:
                self.made.append(replace(edge, keeps_control=False))
        return tuple(self.made)

    def _check(self, edge: Edge) -> None:
        if edge.sync is not None or not all(isinstance(statement, (Assert, Print)) for statement in edge.effect):
            raise PromelaError(f"'{edge.text}' in a never claim", edge.source, "a claim can only watch")

    def _follow(self, first: Edge, edge: Edge, before: list[ir.Expression], passed: tuple[int, ...]) -> None:
        """Adds what `first` comes to with all that follows it in its atomic or deterministic sequence: `edge` is next,
        where the conditions `before` hold. An assertion that fails there is an edge of its own."""
        holds = [*before, *ir.conjuncts(edge.guard)]
        for statement in edge.effect:
            if isinstance(statement, Assert):
                self._add(first, edge, [*holds, ir.negate(statement.condition)], statement)
                holds.append(statement.condition)
        target = edge.target_location
        following = self._leaving(target)
        if self._is_inside(edge):
            self._follow_inside(first, edge, holds, passed)
            return
        if not edge.keeps_control or not following or self.locations[target].end or target in passed:
            self._add(first, edge, holds)
            return
        for after in following:
            outranked = [ir.negate(other.guard) for other in following if other.rank < after.rank]
            self._follow(first, after, [*holds, *outranked], (*passed, target))

    def _follow_inside(self, first: Edge, edge: Edge, holds: list[ir.Expression], passed: tuple[int, ...]) -> None:
        """Goes on inside a `d_step` with the first edge that is possible; where none is, or without end, it fails."""
        target = edge.target_location
        if target in passed:
            self._add(first, edge, holds, _failing("a deterministic sequence never ends", self.locations[target]))
            return
        for after in self._leaving(target):
            self._follow(first, after, holds, (*passed, target))
            holds = [*holds, ir.negate(after.guard)]
        blocked = _failing("a deterministic sequence blocks in the middle", self.locations[target])
        self._add(first, edge, holds, blocked)

    def _is_inside(self, edge: Edge) -> bool:
        """Whether it leads into a `d_step`, or on in one."""
        return self.locations[edge.target_location].deterministic

    def _leaving(self, location: int) -> list[Edge]:
        return [edge for edge in self.edges if edge.source_location == location]

    def _add(self, first: Edge, last: Edge, guards: list[ir.Expression], *effect: Assert) -> None:
        guard = ir.conjunction(guards)
        self.made.append(
            replace(first, target_location=last.target_location, guard=guard, effect=effect, keeps_control=False)
        )


def _failing(message: str, where: Location) -> Assert:
    return Assert(ir.FALSE, message, where.source)


def _ends(edge: Edge) -> bool:
    return any(isinstance(statement, Terminate) for statement in edge.effect)
