"""How to search, as a person says it: names and numbers, checked and made into `Settings`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from beeline.analysis.tiers import INDEX, Service
from beeline.analysis.tiers import TIERS as SERVICES
from beeline.engine import Limits, Progress
from beeline.engine.limits import parse_time
from beeline.engines import AUTO as AUTO_ENGINE
from beeline.engines import find_engine
from beeline.heuristics.language import check as check_heuristic
from beeline.jit import AUTO as TIER_AUTO
from beeline.jit import TIERS, check_tier
from beeline.model.source import BeelineError
from beeline.parameters import Parameter
from beeline.por import NONE, find_reduction
from beeline.preprocessing import AUTO, CONE, EXACT, check_choice, check_match, match_choices, shrink_choices
from beeline.preprocessing import NONE as WHOLE
from beeline.problems.costs import CostError, Costs
from beeline.problems.settings import Settings, check_reduction
from beeline.records import Record, replace
from beeline.searches import AUTOMATA, FAIRNESS, Search, SearchError, Takes, Ties, check_threads, find
from beeline.searches.declaration import Checkpoint
from beeline.searches.registry import MOST_THREADS
from beeline.stores import PLAIN, all_stores, with_store
from beeline.symmetry import NONE as APART
from beeline.symmetry import find_symmetry
from beeline.timed.options import ZoneOptions

if TYPE_CHECKING:
    from beeline.model.state import State

DEFAULT_SEARCH = "auto"
SEARCH_FILE = "search"
"""What the engine writes into the folder of a checkpoint."""
COSTED = "astar"  # the search that takes costs into account


class Options(Record, frozen=True):
    """What `check` takes besides the model and the question, and what `beeline check` has as options."""

    search: Annotated[str, Parameter("See `beeline list`.", "NAME")] = DEFAULT_SEARCH
    heuristic: Annotated[
        str | None, Parameter("What a directed search goes by, such as 'hU' or 'max(dL, hL)'.", "HEURISTIC")
    ] = None
    ties: Annotated[
        str | None, Parameter("Which of equally good states is first: fifo, lifo or random:SEED.", "RULE")
    ] = None
    target: Annotated[
        "str | Path | State | None", Parameter("A JSON trace whose end hamming and fsm aim at.", "FILE", kind="file")
    ] = None
    zones: Annotated[ZoneOptions | None, ZoneOptions] = None
    reduce: Annotated[
        str, Parameter("Steps to leave out: stubborn, ample, seeds, transactions; see docs/reduction.md.", "NAME")
    ] = NONE
    dependence: Annotated[
        str, Parameter("How --reduce finds out which steps have to do with each other.", choices=SERVICES)
    ] = INDEX
    proof_time: Annotated[str, Parameter("For each question to the solver of --dependence smt.", "TIME")] = "1s"
    shrink: Annotated[
        str, Parameter(lambda: f"What to take out, since it cannot matter: {', '.join(shrink_choices())}.", "NAME")
    ] = AUTO
    match: Annotated[
        str,
        Parameter(lambda: f"Which states count as equal: {', '.join(match_choices())}; see docs/matching.md.", "NAME"),
    ] = EXACT
    fairness: Annotated[
        str, Parameter("Cycles count only if they starve no process: weak as SPIN's -f, or strong.", choices=FAIRNESS)
    ] = FAIRNESS[0]
    automaton: Annotated[str, Parameter("What watches for violations of a formula.", choices=AUTOMATA)] = AUTOMATA[0]
    shortest_lasso: Annotated[
        bool, Parameter("Of runs that go on for ever, find the shortest and prove that it is.")
    ] = False
    seed: Annotated[int | None, Parameter("For searches that use chance.", "N", most=2**64 - 1)] = None
    limits: Annotated[Limits | None, Limits] = None
    threads: Annotated[
        int, Parameter("Threads that share the work, or, by auto, do a search each.", "N", least=1, most=MOST_THREADS)
    ] = 1
    store: Annotated[str, Parameter(lambda: f"How states are kept: {', '.join(all_stores())}.", "NAME")] = PLAIN
    tier: Annotated[
        str,
        Parameter(
            "How steps are found: by bytecode, or by native code that a C compiler makes of the model.", choices=TIERS
        ),
    ] = TIER_AUTO
    engine: Annotated[str, Parameter("Who answers; see `beeline list`.", "NAME")] = AUTO_ENGINE
    symmetry: Annotated[
        str,
        Parameter(
            "Take states that differ only in the names of interchangeable things for one: auto, exact or quick.", "NAME"
        ),
    ] = APART
    cost: Annotated[
        str | None, Parameter("What steps of a process cost: find the trace that costs least.", "NAME=N,..")
    ] = None
    certify: Annotated[bool, Parameter("Where nothing is found: have the interpreter check a proof of that.")] = False
    progress: Progress | None = None
    """Called a few times a second while a search runs."""

    checkpoint: Annotated[
        str | None, Parameter("Leave there what it takes to go on later, see `beeline resume`.", "FOLDER")
    ] = None
    every: Annotated[str, Parameter("How often to do so, such as 30s, 10m or 2h.", "TIME")] = "10m"
    resumes: bool = False
    """Whether the search goes on from the checkpoint."""

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
                    raise SearchError(f"{chosen.name} goes by no heuristic")
        with _about("ties"):
            ties = None if self.ties is None else Ties.parse(self.ties)
        with _about("reduce"):
            reduction = find_reduction(self.reduce)
            if reduction is not None:
                check_reduction(reduction, chosen)
        with _about("dependence"):
            service = Service(self.dependence).check()
        with _about("proof_time"):
            service = replace(service, seconds=parse_time(self.proof_time))
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
        with _about("every"):
            every = parse_time(self.every)
        with _about("checkpoint"):
            checkpoint = None
            if self.checkpoint is not None:
                checkpoint = Checkpoint(str(Path(self.checkpoint) / SEARCH_FILE), every, self.resumes)
                if not chosen.keeps:
                    raise SearchError(
                        "checkpoints are left by --search auto, bfs, astar, wastar, greedy, ut and multi, and with "
                        f"--store disk:FOLDER by bfs and astar, not by {chosen.name} with the store {chosen.store}"
                    )
        with _about("shrink"):
            shrink = check_choice(self.shrink)
        with _about("match"):
            match = check_match(self.match)
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
            shrink,
            check_tier(self.tier),
            self.fairness,
            self.automaton,
            self.shortest_lasso,
            symmetry,
            costs,
            checkpoint,
            service,
            match,
        )

    def _check_costed(self, search: Search) -> None:
        """Raises `CostError` where something does not go with costs."""
        for is_wrong, remedy in (
            (search.name != COSTED, f"--search {COSTED}"),
            (self.store != PLAIN, f"--store {PLAIN}"),
            (self.threads > 1, "--threads 1"),
            (self.reduce != NONE, f"--reduce {NONE}"),
            (self.shrink not in (AUTO, CONE, WHOLE), f"--shrink {CONE}"),
            (self.match != EXACT, f"--match {EXACT}"),
            (self.automaton != AUTOMATA[0], f"--automaton {AUTOMATA[0]}"),
            (self.symmetry != APART, f"--symmetry {APART}"),
        ):
            if is_wrong:
                raise CostError(f"costs go with {remedy} only")
        if self.checkpoint is not None:
            raise CostError("a search that heeds costs leaves no checkpoints: leave out --checkpoint or --cost")


@contextmanager
def _about(option: str) -> Iterator[None]:
    """Says in errors which option they are about."""
    try:
        yield
    except BeelineError as error:
        error.option = option
        raise
