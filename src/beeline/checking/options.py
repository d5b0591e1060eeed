"""How to search, as a person says it: names and numbers, checked and made into `Settings`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from beeline.engine import Limits, Progress
from beeline.engines import AUTO as AUTO_ENGINE
from beeline.engines import find_engine
from beeline.heuristics.language import check as check_heuristic
from beeline.jit import AUTO as TIER_AUTO
from beeline.jit import check_tier
from beeline.model.source import BeelineError
from beeline.por import NONE, find_reduction
from beeline.preprocessing import AUTO, CONE, check_choice
from beeline.preprocessing import NONE as WHOLE
from beeline.problems.costs import CostError, Costs
from beeline.problems.settings import Settings, check_reduction
from beeline.records import Record
from beeline.searches import AUTOMATA, FAIRNESS, Search, SearchError, Takes, Ties, check_threads, find
from beeline.stores import PLAIN, with_store
from beeline.symmetry import NONE as APART
from beeline.symmetry import find_symmetry

if TYPE_CHECKING:
    from beeline.model.state import State
    from beeline.timed.options import ZoneOptions

DEFAULT_SEARCH = "auto"
COSTED = "astar"  # the search that heeds costs


class Options(Record, frozen=True):
    """What `check` takes besides the model and the question."""

    search: str = DEFAULT_SEARCH
    heuristic: str | None = None
    """What a directed search goes by, see `beeline.heuristics.language`; None: the best that apply."""
    ties: str | None = None
    """Which of equally good states is first: fifo, lifo or random:SEED."""
    target: str | Path | State | None = None
    """A state, or a JSON trace of ours, whose end hamming and fsm aim at."""
    zones: ZoneOptions | None = None
    """How the zone graph of a model with clocks is built."""
    limits: Limits | None = None
    seed: int | None = None
    progress: Progress | None = None
    reduce: str = NONE
    """What leaves out steps: stubborn, ample or ample:CONDITION; see docs/reduction.md."""
    threads: int = 1
    """How many share the work of a search that declares it; the answer is that of one. See docs/threads.md."""
    shrink: str = AUTO
    """What is taken out of the network before: none, cone, safe, all or auto; see docs/shrinking.md."""
    store: str = PLAIN
    """How states are kept, such as tree, hash-compact or bitstate:32; see docs/tune-memory.md."""
    tier: str = TIER_AUTO
    """How steps are found: auto, bytecode or native; see docs/tiers.md."""
    fairness: str = FAIRNESS[0]
    """To whom cycles must be fair: none; weak: who can move all the time does; strong: who can move time and again."""
    automaton: str = AUTOMATA[0]
    """What watches runs for violations of a formula: auto, or an automaton of the kind tlba, slba, ta or tgta."""
    shortest_lasso: bool = False
    """Whether of runs that go on for ever the shortest is sought and proven to be so; see docs/cycle-searches.md."""
    engine: str = AUTO_ENGINE
    """Which engine answers, see `beeline list`; auto takes the one that suits the problem."""
    symmetry: str = APART
    """Whether states that differ only in the names of interchangeable things are one: none, auto, exact or quick; see
    docs/symmetry.md."""
    cost: str | None = None
    """What steps cost, such as "Crash=10", by the process that begins them, others 1; see docs/shortest-trace.md."""
    certify: bool = False
    """Whether the interpreter checks a proof where nothing was found; see docs/prove-absence.md."""

    def settings(self) -> Settings:
        """The names looked up. What is wrong with one raises a `BeelineError` whose `option` says which."""
        with _about("search"):
            found = find(self.search)
        with _about("store"):
            chosen = with_store(found, self.store)
        with _about("threads"):
            check_threads(chosen, self.threads)
        with _about("heuristic"):
            if self.heuristic is not None:
                check_heuristic(self.heuristic)
                if chosen.takes is Takes.NONE:
                    raise SearchError(f"{chosen.name} goes by no estimate")
        with _about("ties"):
            ties = None if self.ties is None else Ties.parse(self.ties)
        with _about("reduce"):
            reduction = find_reduction(self.reduce)
            if reduction is not None:
                check_reduction(reduction, chosen)
        with _about("symmetry"):
            symmetry = find_symmetry(self.symmetry)
        with _about("fairness"):
            if self.fairness not in FAIRNESS:
                raise SearchError(f"fairness is {', '.join(FAIRNESS)}, not {self.fairness!r}")
        with _about("automaton"):
            if self.automaton not in AUTOMATA:
                raise SearchError(f"automata are {', '.join(AUTOMATA)}, not {self.automaton!r}")
        with _about("engine"):
            if self.engine != AUTO_ENGINE:
                find_engine(self.engine)
        with _about("cost"):
            costs = None if self.cost is None else Costs.parse(self.cost)
            if costs is not None:
                chosen = find(COSTED) if self.search == DEFAULT_SEARCH else chosen
                self._check_costed(chosen)
        return Settings(
            chosen,
            self.heuristic,
            ties,
            self.limits,
            self.seed,
            self.progress,
            reduction,
            self.threads,
            check_choice(self.shrink),
            check_tier(self.tier),
            self.fairness,
            self.automaton,
            self.shortest_lasso,
            symmetry,
            costs,
        )

    def _check_costed(self, search: Search) -> None:
        """Raises `CostError` where something does not go with costs."""
        for is_wrong, remedy in (
            (search.name != COSTED, f"--search {COSTED}"),
            (self.store != PLAIN, f"--store {PLAIN}"),
            (self.threads > 1, "--threads 1"),
            (self.reduce != NONE, f"--reduce {NONE}"),
            (self.shrink not in (AUTO, CONE, WHOLE), f"--shrink {CONE}"),
            (self.automaton != AUTOMATA[0], f"--automaton {AUTOMATA[0]}"),
            (self.symmetry != APART, f"--symmetry {APART}"),
        ):
            if is_wrong:
                raise CostError(f"costs go with {remedy} only")


@contextmanager
def _about(option: str) -> Iterator[None]:
    """Says in errors which option they are about."""
    try:
        yield
    except BeelineError as error:
        error.option = option
        raise
