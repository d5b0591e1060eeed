"""Formulas of the mu-calculus: the equations of the formula and the network are solved on the fly, and what they say is
checked by the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import cast

from beeline.compile.program import Program
from beeline.engine import Found, Limits, Statistics, Status, core
from beeline.engine.budget import SEARCHING, current, doing
from beeline.engine.limits import default_memory
from beeline.engines.modal_answer import MOST_SHOWN, Solved, Told, answer_of
from beeline.engines.modal_ranks import NEAREST, solve_in_threads, why_not_shared
from beeline.heuristics import Context, Estimator
from beeline.lts.modal_system import parts_of
from beeline.lts.step_labels import StepLabels
from beeline.model import expressions as ir
from beeline.problems.again import begin_again
from beeline.problems.networks import NetworkProblem
from beeline.problems.problem import Problem
from beeline.problems.settings import Result, Settings
from beeline.properties.modal import Modal
from beeline.records import replace

Together = Callable[[Modal, Program, Settings], Solved]
ORDERS = {"dfs": "latest", "random-dfs": "latest", "greedy": "estimate", "astar": "sum", "wastar": "sum"}
"""In which order open variables are looked at, by the search that was asked for; others go by distance."""
GUIDED = ("estimate", "sum")


def check_modal(problem: Problem, settings: Settings, together: Together | None = None) -> Result:
    """Whether the formula holds in the initial states; `together` is how several ranks find out."""
    return begin_again(problem, lambda one: _attempt(one, settings, together))


def _attempt(problem: Problem, settings: Settings, together: Together | None) -> Result:
    assert isinstance(problem, NetworkProblem) and isinstance(problem.asked, Modal)
    asked, order = problem.asked, ORDERS.get(settings.search.name, NEAREST)
    goal = decisive(asked) if order in GUIDED else None
    program = problem.compiled(goal=goal)
    labels = StepLabels(program)
    estimators = _guides(problem, program, goal, settings)
    order = NEAREST if order in GUIDED and not estimators else order
    why = why_not_shared(asked.system, order)
    if settings.threads > 1 and not why:
        together = solve_in_threads
    if together is not None:
        return answer_of(problem, settings, program, labels, together(asked, program, settings), estimators)
    solver = _solver(asked, program, labels, settings, estimators, order)
    doing(SEARCHING)
    result = answer_of(problem, settings, program, labels, _solved(solver), estimators)
    return replace(result, threads_note=f"one thread: {why}") if settings.threads > 1 else result


def _solved(solver: core.ModalSolver) -> Solved:
    try:
        value = solver.solve()
    except core.NoValue:
        return Solved(Status.GAVE_UP, Statistics.of(solver.statistics))
    diagnostic = None if value is None else cast("Told | None", solver.diagnostic(MOST_SHOWN))
    statistics, status = Statistics.of(solver.statistics), Status.FOUND if value is not None else Status(solver.status)
    return Solved(status, statistics, value, diagnostic, start_fails=solver.start_fails)


def _solver(
    asked: Modal, program: Program, labels: StepLabels, settings: Settings, estimators: list[Estimator], order: str
) -> core.ModalSolver:
    limits, budget = settings.limits or Limits(), current()
    progress = settings.progress
    request = core.Request(
        stop=Found.NOTHING.value,
        seconds=limits.time if budget is None else budget.seconds(limits.time),
        memory=limits.memory if limits.memory is not None else default_memory(),
        states=limits.states,
        progress=None if progress is None else lambda native: progress(Statistics.of(native)),
    )

    return core.ModalSolver(
        core.ProgramSpace(program.native),
        *parts_of(asked, program, labels),
        estimators[0].native if estimators else None,
        order,
        settings.seed,
        request,
    )


def _guides(
    problem: NetworkProblem, program: Program, goal: ir.Expression | None, settings: Settings
) -> list[Estimator]:
    """Estimators of the distance to states that may decide the formula."""
    if goal is None:
        return []
    context = Context(program.network, program, program.native, problem.asked, goal, Found.GOAL)
    return settings.choose(context)[0][:1]


def decisive(asked: Modal) -> ir.Expression | None:
    """What holds in states that may decide the formula: where a proposition of the outermost fixpoint is true, or false
    if that is a greatest one. Nothing if it has no propositions."""
    system, atoms = asked.system, dict(asked.atoms)
    sign = next((one.fixpoint for one in system.equations if one.fixpoint), "mu")
    found: list[ir.Expression] = []
    seen, waiting = {0}, [0]
    while waiting:
        for term in system.equations[waiting.pop()].terms:
            if term.kind == "proposition":
                expression = atoms[system.propositions[term.which]]
                found.append(expression if term.negated != (sign == "mu") else ir.Unary("!", expression))
            elif term.leads and term.equation not in seen and system.equations[term.equation].fixpoint in ("", sign):
                seen.add(term.equation)
                waiting.append(term.equation)
    return reduce(lambda left, right: ir.Binary("||", left, right), found) if found else None
