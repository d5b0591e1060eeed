"""Formulas of the mu-calculus: the equations of the formula and the network are solved on the fly, and what they say is
checked by the interpreter."""

from __future__ import annotations

from functools import reduce
from typing import cast

from beeline.compile.program import Program, compile_values
from beeline.engine import Ending, Found, Limits, Statistics, Status, core
from beeline.engine.budget import SEARCHING, current, doing
from beeline.engine.limits import default_memory
from beeline.engines.branching import NO_VALUE, failed
from beeline.engines.explicit import begin_again
from beeline.engines.modal_evidence import Diagnostic, Node, Words
from beeline.heuristics import Context, Estimator
from beeline.lts.step_labels import StepLabels
from beeline.model import expressions as ir
from beeline.mu.equations import System
from beeline.problems.networks import NetworkProblem
from beeline.problems.problem import Problem
from beeline.problems.settings import LIMIT_REASONS, Result, Settings
from beeline.properties.modal import Modal
from beeline.records import replace

ORDERS = {"dfs": "latest", "random-dfs": "latest", "greedy": "estimate", "astar": "sum", "wastar": "sum"}
"""In which order open variables are looked at, by the search that was asked for; others go by distance."""
GUIDED = ("estimate", "sum")
MOST_SHOWN = 5_000  # variables of a diagnostic that is looked at and checked


def check_modal(problem: NetworkProblem, settings: Settings) -> Result:
    """Whether the formula holds in the initial states."""
    return begin_again(problem, settings, _attempt)


def _attempt(problem: Problem, settings: Settings) -> Result:
    assert isinstance(problem, NetworkProblem) and isinstance(problem.asked, Modal)
    asked, order = problem.asked, ORDERS.get(settings.search.name, "nearest")
    goal = decisive(asked) if order in GUIDED else None
    program = problem.compiled(goal=goal)
    labels = StepLabels(program)
    estimators = _guides(problem, program, goal, settings)
    order = "nearest" if order in GUIDED and not estimators else order
    solver = _solver(asked, program, labels, settings, estimators, order)
    doing(SEARCHING)
    try:
        value = solver.solve()
    except core.NoValue:
        ending = Ending(Status.GAVE_UP, Found.NOTHING, Statistics.of(solver.statistics))
        return settings.result(asked, ending, estimators, ("unknown", NO_VALUE.format("a proposition")))
    statistics = Statistics.of(solver.statistics)
    if solver.start_fails:
        return failed(problem, settings, [], statistics)
    if value is None:
        status = Status(solver.status)
        return settings.result(
            asked, Ending(status, Found.NOTHING, statistics), estimators, ("unknown", LIMIT_REASONS[status])
        )
    return _shown(problem, settings, program, labels, solver, value, estimators)


def _shown(
    problem: NetworkProblem,
    settings: Settings,
    program: Program,
    labels: StepLabels,
    solver: core.ModalSolver,
    value: bool,
    estimators: list[Estimator],
) -> Result:
    """The verdict, with the diagnostic if it is small enough to be looked at."""
    doing("replaying")
    asked, statistics = problem.asked, Statistics.of(solver.statistics)
    assert isinstance(asked, Modal)
    found = cast("tuple[list[Node], list[Words | None]] | None", solver.diagnostic(MOST_SHOWN))
    trace, size = None, "for more reasons than are shown"
    if found is not None:
        diagnostic = Diagnostic(problem, program, labels, *found)
        diagnostic.check(value)
        size = f"by {len(diagnostic.nodes):,} values in {len(diagnostic.words):,} states, checked"
        trace, is_whole = diagnostic.trace()
        if trace is not None and not is_whole:
            size += "; the trace leads to where their ways part"
        trace = None if value and not is_whole else trace
    verdict = ("holds", "exhausted") if value else ("violated", f"the formula fails, {size}")
    ending = Ending(Status.FOUND if trace is not None else Status.EXHAUSTED, Found.NOTHING, statistics)
    return replace(settings.result(asked, ending, estimators, verdict, trace), shortest=False)


def _solver(
    asked: Modal, program: Program, labels: StepLabels, settings: Settings, estimators: list[Estimator], order: str
) -> core.ModalSolver:
    system, atoms = asked.system, dict(asked.atoms)
    tables, blocks = compile_values(program.layout, [atoms[name] for name in system.propositions])
    limits, budget = settings.limits or Limits(), current()
    progress = settings.progress
    request = core.Request(
        stop=Found.NOTHING.value,
        seconds=limits.time if budget is None else budget.seconds(limits.time),
        memory=limits.memory if limits.memory is not None else default_memory(),
        states=limits.states,
        progress=None if progress is None else lambda native: progress(Statistics.of(native)),
    )

    def sets_of(words: tuple[int, ...], action: int, detail: int, target: tuple[int, ...] | None) -> int:
        label = labels.of_arc(words, action, detail, target)
        return sum(1 << number for number, actions in enumerate(system.sets) if actions.has(label))

    return core.ModalSolver(
        core.ProgramSpace(program.native),
        core.Program(tables),
        blocks,
        labels.cells(),
        sets_of,
        *rows_of(system),
        estimators[0].native if estimators else None,
        order,
        settings.seed,
        request,
    )


def rows_of(
    system: System,
) -> tuple[list[tuple[bool, int, int, list[tuple[str, bool, int, int]]]], list[str]]:
    """A system as the engine reads it."""
    rows = [
        (one.is_disjunction, one.block, one.rank, [(t.kind, t.negated, t.which, t.equation) for t in one.terms])
        for one in system.equations
    ]
    return rows, list(system.kinds)


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
