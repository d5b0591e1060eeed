"""Never claims: automata that watch a run and look, before each of its steps, at the state it is in.

A claim has no variables and changes nothing, so each of its edges is a guard and a target. Steps that follow one
another in an `atomic` look at the same state and become one edge; a failed assertion in a claim ends it.
"""

from __future__ import annotations

from beeline.model import expressions as ir
from beeline.model.network import Edge, Location, Process
from beeline.model.statements import Assert, Print, Terminate
from beeline.records import replace

from .actions import ActionTranslator
from .automaton import AutomatonBuilder
from .build_flow import FlowBuilder
from .errors import PromelaError, UnsupportedPromela
from .symbols import Scope
from .syntax import Never
from .transitions import tabulate


def claim_process(never: Never, translator: ActionTranslator, scope: Scope) -> Process:
    """The monitor that a never claim is."""
    scope.open_proctype()
    builder = FlowBuilder(translator, scope, is_claim=True)
    flow = builder.build(never.body, never.source)
    if scope.locals:
        local = scope.locals[0]
        raise PromelaError(f"never claim '{never.name}' declares '{local.name}'", local.source, "use a global variable")
    scope.close_proctype()
    locations, edges, initial = AutomatonBuilder(tabulate(flow)).build()
    for location in locations:
        if location.deterministic:
            raise UnsupportedPromela("d_step in a never claim", location.source, "use atomic")
    return _Claim(never, list(locations), edges, initial).process()


class _Claim:
    def __init__(self, never: Never, locations: list[Location], edges: tuple[Edge, ...], initial: int) -> None:
        self.never = never
        self.locations = locations
        self.initial = initial
        self.edges = edges
        self.made: list[Edge] = []
        self.failed = len(locations)

    def process(self) -> Process:
        self.locations.append(Location("violated", end=True, source=self.never.source))
        for edge in self.edges:
            if not _ends(edge):
                self._follow(edge.source_location, edge, ir.TRUE, edge.rank, ())
        return Process(self.never.name, tuple(self.locations), tuple(self.made), self.initial, source=self.never.source)

    def _follow(self, start: int, edge: Edge, guard: ir.Expression, rank: int, passed: tuple[int, ...]) -> None:
        """Adds what `edge` comes to: itself, or with all that follows it in its atomic sequence."""
        if edge.sync is not None:
            raise PromelaError(f"'{edge.text}' in a never claim", edge.source, "a claim can only watch")
        guard = ir.conjunction([*ir.conjuncts(guard), *ir.conjuncts(edge.guard)])
        for statement in edge.effect:
            if isinstance(statement, Assert):
                wrong = ir.conjunction([*ir.conjuncts(guard), ir.negate(statement.condition)])
                self._add(start, edge, self.failed, wrong, rank)
                guard = ir.conjunction([*ir.conjuncts(guard), statement.condition])
            elif not isinstance(statement, Print):
                raise PromelaError(f"'{edge.text}' in a never claim", edge.source, "a claim can only watch")
        following = [e for e in self.edges if e.source_location == edge.target_location and not _ends(e)]
        if not edge.keeps_control or not following or edge.target_location in passed:
            self._add(start, edge, edge.target_location, guard, rank)
            return
        for after in following:
            self._follow(start, after, guard, rank, (*passed, edge.target_location))

    def _add(self, start: int, edge: Edge, target: int, guard: ir.Expression, rank: int) -> None:
        self.made.append(
            replace(
                edge,
                source_location=start,
                target_location=target,
                guard=guard,
                rank=rank,
                effect=(),
                keeps_control=False,
            )
        )


def _ends(edge: Edge) -> bool:
    return any(isinstance(statement, Terminate) for statement in edge.effect)
