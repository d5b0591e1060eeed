"""Several processes, on one machine or many, each with a part of the states."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING

from beeline.cluster.directions import Directions
from beeline.cluster.job import Job, line_for
from beeline.cluster.keeping import Keeper, read
from beeline.cluster.member import Pace
from beeline.cluster.mpi import MISSING, is_installed
from beeline.compile.program import Program
from beeline.engine import Found, Outcome, core
from beeline.engine.budget import SEARCHING, current, doing
from beeline.engine.limits import Limits, default_memory
from beeline.engines.cycles import check_cycles, estimators_about, result_of
from beeline.engines.declaration import Counting, Engine, EngineError
from beeline.engines.explicit import conclude
from beeline.engines.shrunk import shrink_and_search
from beeline.heuristics import Estimator
from beeline.model.property import Range
from beeline.problems.again import count_again
from beeline.problems.folding import folded
from beeline.problems.networks import NetworkProblem, ReadyNetwork
from beeline.problems.problem import Problem
from beeline.problems.settings import Folded, Reduced, Result, Settings
from beeline.properties.modal import Modal
from beeline.records import replace
from beeline.searches import AUTOMATA, FAIRNESS, Option, Search, SearchError, find
from beeline.searches.declaration import Checkpoint, Values, given_options, with_defaults
from beeline.stores import PLAIN, with_store
from beeline.stores.disk import check_consistency

if TYPE_CHECKING:
    from beeline.engines.modal_answer import Solved

NAME = "mpi"
PAPER = "Melatti, Palmer, Sawaya, Yang, Kirby and Gopalakrishnan, Parallel and distributed model checking in Eddy, 2006"
BREADTH_FIRST, A_STAR, BY_DEFAULT = "bfs", "astar", "auto"
DISK = "disk"
OPTIONS = (
    Option("line", "states that are sent at once; as many as suits their size if not given", least=1, most=2**24),
    Option("window", "messages on their way at which a process stops to expand", 32, least=1, most=2**16),
)


def accepts(problem: Problem) -> str | None:
    """Questions about states, or about single runs, of networks without clocks."""
    if not is_installed():
        return MISSING
    if not isinstance(problem, NetworkProblem):
        return "only networks without clocks are searched by several processes"
    asked = problem.asked
    if isinstance(asked, Modal):
        from beeline.engines.modal_ranks import NEAREST, why_not_shared

        return why_not_shared(asked.system, NEAREST) or None
    if asked.asks_runs or asked.asks_branches:
        return "it asks about more than one run, and several processes look for states and for cycles only"
    if isinstance(asked, Range):
        return "it asks for a range, and several processes look for states only"
    return asked.unsupported_reason or None


def _search_of(settings: Settings) -> Search:
    """The search that was asked for, if there is one like it."""
    search = settings.search
    if search.name == BY_DEFAULT:
        search = with_store(find(BREADTH_FIRST), search.store)
    if search.name not in (BREADTH_FIRST, A_STAR):
        raise EngineError(f"the engine mpi has no search '{search.name}': use --search {BREADTH_FIRST} or {A_STAR}")
    if search.name == A_STAR and settings.limits is not None and settings.limits.depth is not None:
        raise EngineError(f"the engine mpi bounds the depth of --search {BREADTH_FIRST} only")
    _check(search, settings.threads)
    if settings.threads > 1 and settings.checkpoint is not None:
        raise EngineError("processes with --threads leave no checkpoints: start more processes instead")
    if settings.reduction is not None:
        raise EngineError("the engine mpi leaves out no steps: use --reduce none")
    if settings.fairness != FAIRNESS[0]:
        raise EngineError(f"the engine mpi knows no fairness: use --fairness {FAIRNESS[0]}")
    if settings.shortest_lasso or settings.automaton != AUTOMATA[0]:
        raise EngineError("the engine mpi finds the shortest cycle through an accepting state: leave out other wishes")
    return search


def _folder(search: Search) -> str:
    """Where states are kept in files; empty if they are not."""
    name, _, folder = search.store.partition(":")
    return folder if name == DISK else ""


def _check(search: Search, threads: int) -> None:
    if search.store.partition(":")[0] not in (PLAIN, DISK):
        raise EngineError(
            f"the engine mpi does not keep states by '{search.store}': use --store {PLAIN} or {DISK}:FOLDER"
        )
    if threads > 1 and (search.name != BREADTH_FIRST or _folder(search)):
        raise EngineError(f"processes with --threads search by --search {BREADTH_FIRST}, and in memory")


def _solver(values: Values) -> Callable[[Problem, Settings], Result]:
    def solve(problem: Problem, settings: Settings) -> Result:
        settings = replace(settings, search=_search_of(settings))
        if isinstance(problem.asked, Modal):
            return _solve_equations(problem, settings, values)

        if problem.asked.seeks_cycle and settings.threads > 1:
            raise EngineError("processes look for cycles with one thread each: start more of them instead of --threads")
        if problem.asked.seeks_cycle:
            return check_cycles(problem, settings, lambda one, rest: _attempt_cycles(one, rest, values))
        return shrink_and_search(problem, settings, lambda one, rest: _attempt(one, rest, values))

    return solve


def _solve_equations(problem: Problem, settings: Settings, values: Values) -> Result:
    if settings.search.name != BREADTH_FIRST:
        raise EngineError(f"the engine mpi solves equations by distance only: use --search {BREADTH_FIRST}")
    if settings.checkpoint is not None:
        raise EngineError("the engine mpi leaves no checkpoints of formulas: leave out --checkpoint")
    from beeline.engines.modal import check_modal
    from beeline.engines.modal_ranks import solve_by_processes

    def together(asked: Modal, program: Program, rest: Settings) -> Solved:
        return solve_by_processes(asked, program, rest, values["line"] or 1, values["window"] or 1)

    return check_modal(problem, settings, together)


def _attempt(problem: Problem, settings: Settings, values: Values) -> Result:
    ready = problem.ready(settings)
    assert isinstance(ready, ReadyNetwork)
    asked = Counting(
        settings.search, settings.limits, settings.progress, settings.threads, settings.tier, settings.symmetry
    )
    estimators: list[Estimator] = []
    directions = None
    if settings.search.name == A_STAR:
        estimators, _ = settings.choose(ready.context)
        directions = _directions(estimators, ready, problem.stop, settings)
    ready.merged = not settings.may_be_shortest(estimators)
    try:
        outcome = _searched(
            ready.program, problem.stop, asked, values, ready.folded, ready.merged, directions, settings.checkpoint
        )
    except core.CheckpointError as error:
        raise SearchError(f"the checkpoint cannot be used: {error}") from None
    outcome.proven &= all(problem.stop in estimator.covers for estimator in estimators)
    result = conclude(problem, ready, settings, outcome, estimators, Reduced())
    return replace(result, symmetry=ready.folded.name, symmetry_note=ready.folded.note)


def _directions(estimators: list[Estimator], ready: ReadyNetwork, stop: Found, settings: Settings) -> Directions:
    if _folder(settings.search):
        check_consistency(estimators)
    return Directions.of(estimators, ready.context, stop)


def _attempt_cycles(problem: Problem, settings: Settings, values: Values) -> Result:
    """By pairs of states: whoever owns a pair may own neither state."""
    ready = problem.ready(settings)
    assert isinstance(ready, ReadyNetwork)
    estimators = estimators_about(ready, settings)
    stop = problem.stop & ~Found.CYCLE
    directions = _directions(estimators, ready, stop, settings) if estimators else None
    asked = Counting(
        settings.search, settings.limits, settings.progress, tier=settings.tier, symmetry=settings.symmetry
    )
    try:
        outcome = _searched(
            ready.program, stop, asked, values, ready.folded, False, directions, settings.checkpoint, pairs=True
        )
    except core.CheckpointError as error:
        raise SearchError(f"the checkpoint cannot be used: {error}") from None
    return result_of(problem, ready, settings, outcome, estimators)


def _explorer(values: Values) -> Callable[[Problem, Counting], Outcome]:
    def explore(problem: Problem, asked: Counting) -> Outcome:
        """All states of a model."""
        if why := accepts(problem):
            raise EngineError(f"the engine mpi does not take the model: {why}")
        assert isinstance(problem, NetworkProblem)
        _check(asked.search, asked.threads)

        def count(one: NetworkProblem) -> Outcome:
            program = one.counted_program(asked.symmetry)
            one.counted = folded(program, asked.symmetry, None)
            return _searched(program, Found.NOTHING, asked, values, one.counted, merged=True)

        return count_again(problem, count)

    return explore


def _searched(
    program: Program,
    stop: Found,
    asked: Counting,
    values: Values,
    folds: Folded,
    merged: bool,
    directions: Directions | None = None,
    checkpoint: Checkpoint | None = None,
    pairs: bool = False,
) -> Outcome:
    """By all processes."""
    from beeline.cluster.following import lead
    from beeline.cluster.mpi import world

    transport, limits, budget = world(), asked.limits or Limits(), current()
    memory = limits.memory or default_memory() // transport.on_this_machine
    words = core.ProgramSpace(program.native).words
    job = Job(
        program.tables,
        stop.value,
        merged,
        folds.tables or None,
        0 if asked.symmetry is None else asked.symmetry.most,
        memory,
        limits.states,
        limits.depth,
        values["line"] or line_for(2 * words + 1 if pairs else words, transport.ranks, memory),
        Pace(values["window"] or 1),
        asked.tier,
        pairs,
        directions,
        asked.threads,
        _folder(asked.search),
        None if limits.disk is None else limits.disk // transport.on_this_machine,
    )
    if checkpoint is not None:
        job = replace(job, keeper=_keeper(job, checkpoint))
    doing(SEARCHING)
    return lead(transport, job, limits.time if budget is None else budget.seconds(limits.time), asked.progress)


def _keeper(job: Job, checkpoint: Checkpoint) -> Keeper | None:
    """Where the ranks leave checkpoints. Where processes are started, a model is compiled with more and more room for
    them: a checkpoint of a later attempt is none for an earlier one, which ends soon, as it did before."""
    way = None if job.directions is None else job.directions.text
    parts = job.tables, job.stop, job.merged, job.symmetry, job.orders, job.depth, job.pairs, way
    identity = sha256(repr(parts).encode()).hexdigest()
    if not checkpoint.resumes:
        return Keeper(checkpoint.file, checkpoint.every, identity)
    kept = read(checkpoint.file)
    return Keeper(checkpoint.file, checkpoint.every, identity, kept) if kept.identity == identity else None


def _engine(values: Values) -> Engine:
    return Engine(
        NAME,
        "several processes, on one machine or many, each with a part of the states",
        accepts,
        _solver(values),
        PAPER,
        automatic=False,
        keeps=True,
        explore=_explorer(values),
        configure=lambda text: _engine({**values, **given_options(NAME, OPTIONS, text)}),
    )


ENGINE = _engine(with_defaults(OPTIONS))
