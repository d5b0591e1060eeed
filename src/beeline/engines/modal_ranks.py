"""Formulas of the mu-calculus, solved by several ranks: threads of this process, or processes of MPI."""

from __future__ import annotations

from beeline.cluster.driving import run_in_threads
from beeline.cluster.equation_job import START_FAILS, EquationJob, statistics_of, watching
from beeline.cluster.equations import EquationRoot
from beeline.cluster.root import Root, raise_failure
from beeline.compile.program import Program
from beeline.engine import Limits, Status
from beeline.engine.budget import SEARCHING, current, doing
from beeline.engine.limits import default_memory
from beeline.engines.modal_answer import MOST_SHOWN, Solved, Told
from beeline.engines.modal_evidence import Node, Words
from beeline.mu.equations import System
from beeline.problems.settings import Settings
from beeline.properties.modal import Modal
from beeline.records import replace

NO_VALUE, NEAREST = "NoValue", "nearest"


def why_not_shared(system: System, order: str) -> str:
    """Why several ranks cannot solve a system; empty if they can."""
    if system.alternates:
        return "least and greatest fixpoints that depend on each other are solved by one"
    return "" if order == NEAREST else "variables are looked at by their distance where several share them"


def solve_in_threads(asked: Modal, program: Program, settings: Settings) -> Solved:
    """By threads of this process."""
    ranks = settings.threads
    job = _job(asked, program, settings, ranks)
    root = run_in_threads(
        ranks,
        lambda transport: job.root(transport, None, _seconds(settings), watching(settings.progress, ranks)),
        job.member,
    )
    return replace(_solved_by(root, ranks), threads=ranks)


def solve_by_processes(asked: Modal, program: Program, settings: Settings, line: int, window: int) -> Solved:
    """By all processes of MPI."""
    from beeline.cluster.following import lead_to_end
    from beeline.cluster.mpi import world

    transport = world()
    job = _job(asked, program, settings, transport.on_this_machine)
    job = replace(job, line=line, pace=replace(job.pace, window=window), tier=settings.tier)
    watch = watching(settings.progress, transport.ranks)
    root, _ = lead_to_end(transport, job, _seconds(settings), watch)
    return _solved_by(root, transport.ranks)


def _job(asked: Modal, program: Program, settings: Settings, sharing: int) -> EquationJob:
    limits = settings.limits or Limits()
    memory = (limits.memory if limits.memory is not None else default_memory()) // sharing
    doing(SEARCHING)
    return EquationJob(EquationJob.about(asked, program), MOST_SHOWN, memory, limits.states)


def _seconds(settings: Settings) -> float | None:
    limits, budget = settings.limits or Limits(), current()
    return limits.time if budget is None else budget.seconds(limits.time)


def _solved_by(root: Root, ranks: int) -> Solved:
    """What the first rank says when it is done. Raises what the space of a rank raised."""
    assert isinstance(root, EquationRoot) and root.status is not None
    statistics = statistics_of(root.overview(), ranks)
    if root.cause.startswith((START_FAILS, NO_VALUE)):
        return Solved(Status.GAVE_UP, statistics, start_fails=root.cause == START_FAILS)
    raise_failure("" if root.is_broken else root.cause)
    if root.verdict is None:
        return Solved(root.status, statistics, cause=root.cause)
    return Solved(root.status, statistics, root.verdict[0], _diagnostic(root) if root.is_whole else None)


def _diagnostic(root: EquationRoot) -> Told:
    """The reasons that ranks told, as those of one solver."""
    numbers = {key: number for number, key in enumerate(root.reasons)}
    places: dict[bytes, int] = {}
    nodes: list[Node] = []
    states: list[Words | None] = []
    for key, (value, reasons) in root.reasons.items():
        first, *words = memoryview(key).cast("I")
        fails = first & 1
        state = b"" if fails else key[4:]
        if state not in places:
            places[state] = len(states)
            states.append(None if fails else tuple(words))
        nodes.append((first >> 1, value, places[state], [(numbers[other], arc) for _, other, arc in reasons]))
    return nodes, states
