"""What the tables are made of: one model under one search and one reduction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.processes import with_processes

from beeline import _native, check
from beeline.analysis.configuration import find_configuration
from beeline.analysis.dependence import Dependence
from beeline.checking import Result
from beeline.compile.program import compile_network
from beeline.engine import Found, Limits, Outcome
from beeline.languages import LoadOptions, load
from beeline.model.network import Network
from beeline.por import Asked, find_reduction
from beeline.por.tables import PATIENCE, Plan, plan
from beeline.properties import SAFETY
from beeline.searches import find
from beeline.searches.runner import run

MODELS = Path(__file__).parents[2] / "models" / "promela"
LIMITS = Limits(time=60, states=5_000_000)


@dataclass(frozen=True)
class Model:
    """A Promela model of ours with its macros."""

    name: str
    defines: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return " ".join([self.name, *(f"-D {key}={value}" for key, value in self.defines)])

    @property
    def path(self) -> Path:
        return MODELS / f"{self.name}.pml"

    @property
    def estimate(self) -> str:
        """For A*: `active` tells how far a deadlock is, and `hL` how far an assertion."""
        return "hL" if self.name in ("pots", "leader") else "active"

    def network(self) -> Network:
        found = load(self.path, options=LoadOptions(dict(self.defines)))
        assert isinstance(found, Network)
        return found


def explore_all(network: Network, search: str, reduction: str, patience: int = PATIENCE) -> Outcome:
    """The whole space, as far as a search for faults would go if there were none: errors end their way only."""
    chosen = find_reduction(reduction)
    configuration = find_configuration(network) if chosen is not None else None

    def attempt(max_processes: int | None) -> Outcome:
        program = compile_network(network, None, max_processes)
        native = _native.Program(program.tables)
        space = _native.ProgramSpace(native, merged=True)
        if chosen is not None and configuration is not None:
            proviso = chosen.proviso or find(search).provisos[0]
            made = plan(
                Dependence(program, configuration), native, chosen, proviso, None, Asked(False, True, True), patience
            )
            assert isinstance(made, Plan), made
            return run(_native.ReducedProgramSpace(space, made.native), search, stop=Found.NOTHING, limits=LIMITS)
        return run(space, search, stop=Found.NOTHING, limits=LIMITS)

    max_processes = None if configuration is None else max(len(configuration), len(network.initial))
    return with_processes(network, attempt, max_processes)


def seek(network: Network, search: str, reduction: str, heuristic: str | None = None) -> Result:
    """A fault, by a search that may be directed."""
    return check(network, SAFETY, search=search, reduce=reduction, heuristic=heuristic, limits=LIMITS)


NEVER = 2**31 - 1  # the patience of one who looks at every state


def seconds_of(network: Network, search: str, ways: Sequence[tuple[str, int]], times: int = 9) -> list[float]:
    """The quickest of some runs over the whole space for each reduction with its patience, in turns, so that all see
    the same machine."""
    best = [float("inf")] * len(ways)
    for _ in range(times):
        for position, (reduction, patience) in enumerate(ways):
            took = explore_all(network, search, reduction, patience).statistics.seconds
            best[position] = min(best[position], took)
    return best
