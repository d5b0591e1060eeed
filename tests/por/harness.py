"""Runs one compiled network under every search and every reduction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from beeline import _native
from beeline.analysis.configuration import find_configuration
from beeline.analysis.tiers import Service
from beeline.compile.program import Program, compile_network
from beeline.engine import Found, Limits, Outcome, Status
from beeline.model.expressions import Expression
from beeline.model.network import Network
from beeline.por import Asked, find_reduction
from beeline.por.tables import Plan, plan, unsupported_reason
from beeline.searches import find
from beeline.searches.runner import run

SEARCHES = ("bfs", "dfs", "random-dfs:3", "greedy", "astar", "ut", "idastar", "auto", "iddfs", "idfs", "adfs")
EXHAUSTIVE = ("bfs", "dfs", "random-dfs:3", "greedy", "astar")
BY_INDEX = Service()
REDUCTIONS = ("stubborn", "ample", "seeds")


@dataclass
class Reducible:
    """A network and what is looked for in it. With `everything` nothing ends the search, but what is looked for is kept
    all the same."""

    network: Network
    looked_for: Found
    goal: Expression | None = None
    everything: bool = False
    states: int = 2000
    service: Service = BY_INDEX

    def __post_init__(self) -> None:
        self.why = unsupported_reason(self.network)
        configuration = find_configuration(self.network) if self.why is None else None
        max_processes = max(len(self.network.initial), self.network.rules.max_processes)
        self.program: Program = compile_network(self.network, self.goal, max_processes)
        self.native = _native.Program(self.program.tables)
        self.dependence = None if configuration is None else self.service.dependence(self.program, configuration)

    def plan(self, reduction: str, proviso: str) -> Plan | None:
        chosen = find_reduction(reduction)
        if self.dependence is None or chosen is None:
            return None
        asked = Asked(Found.GOAL in self.looked_for, Found.ERROR in self.looked_for, Found.DEADLOCK in self.looked_for)
        made = plan(self.dependence, self.native, chosen, proviso, self.goal, asked)
        return None if isinstance(made, str) else made

    def run(self, search: str, made: Plan | None = None, merged: bool = False) -> Outcome:
        plain = _native.ProgramSpace(self.native, merged=merged)
        space = plain if made is None else _native.ReducedProgramSpace(plain, made.native)
        stop = Found.NOTHING if self.everything else self.looked_for
        return run(space, search, stop=stop, limits=Limits(states=self.states, memory=2**40, time=2))

    def every_way(self) -> Iterator[tuple[str, str, Plan, Outcome]]:
        """(search, reduction with its cycle condition, plan, outcome) for all that go together."""
        for reduction in REDUCTIONS:
            plans: dict[str, Plan | None] = {}
            for search in EXHAUSTIVE if self.everything else SEARCHES:
                for proviso in find(search).provisos:
                    if proviso not in plans:
                        plans[proviso] = self.plan(reduction, proviso)
                    made = plans[proviso]
                    if made is not None:
                        yield search, f"{reduction}:{proviso}", made, self.run(search, made, made.needs_proviso)


def decided(outcome: Outcome) -> bool:
    """Whether the search came to an end."""
    return outcome.status in (Status.FOUND, Status.EXHAUSTED)
