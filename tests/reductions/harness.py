"""Runs one compiled network under every search and every reduction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from beeline import _native
from beeline.analysis.configuration import find_configuration
from beeline.compile.program import Program, compile_network
from beeline.engine import Found, Limits, Outcome, Status, run
from beeline.model.network import Network, Property
from beeline.properties import violation
from beeline.reductions import Asked, find_reduction
from beeline.reductions.tables import Plan, obstacle, plan
from beeline.searches import find

DIRECTED = ("greedy", "astar", "wastar", "ut", "idastar")
SEARCHES = ("bfs", "dfs", "random-dfs:3", "iddfs", "auto", *DIRECTED)
REDUCTIONS = ("stubborn", "ample")


@dataclass
class Reducible:
    """A network, a question, and what is needed to answer it with a reduction; `why` says why there is none."""

    network: Network
    asked: Property
    states: int = 2000

    def __post_init__(self) -> None:
        self.stop = Found.GOAL | Found.ERROR
        if self.asked.kind in ("deadlock", "safety"):
            self.stop |= Found.DEADLOCK
        self.why = obstacle(self.network)
        self.configuration = find_configuration(self.network) if self.why is None else None
        room = None if self.configuration is None else max(len(self.configuration), self.network.rules.max_processes)
        self.program: Program = compile_network(self.network, _native.opcodes(), violation(self.asked), room)
        self.native = _native.Program(self.program.tables)

    def plan(self, reduction: str, proviso: str) -> Plan | None:
        chosen = find_reduction(reduction)
        if self.configuration is None or chosen is None:
            return None
        asked = Asked(violation(self.asked) is not None, True, Found.DEADLOCK in self.stop)
        made = plan(self.program, self.native, self.configuration, chosen, proviso, violation(self.asked), asked)
        return None if isinstance(made, str) else made

    def run(self, search: str, made: Plan | None = None, merged: bool = False) -> Outcome:
        space = _native.ProgramSpace(self.native, merged=merged)
        if made is not None:
            space.set_reducer(made.native)
        return run(space, search, stop=self.stop, limits=Limits(states=self.states, memory=2**40, time=2))

    def every_way(self) -> Iterator[tuple[str, str, str, Plan, Outcome]]:
        """(search, reduction, cycle condition, plan, outcome) for all that go together."""
        for reduction in REDUCTIONS:
            plans: dict[str, Plan | None] = {}
            for search in SEARCHES:
                for proviso in find(search).provisos:
                    if proviso not in plans:
                        plans[proviso] = self.plan(reduction, proviso)
                    made = plans[proviso]
                    if made is None:
                        continue
                    yield search, reduction, proviso, made, self.run(search, made, made.needs_proviso)


def decided(outcome: Outcome) -> bool:
    """Whether the search came to an end."""
    return outcome.status in (Status.FOUND, Status.EXHAUSTED)
