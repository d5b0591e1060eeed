"""Hf: what a formula still needs (see `needs`). Without one, what an assertion needs to fail, and a deadlock to be
reached (see `aims`)."""

from __future__ import annotations

from beeline.engine.outcome import Found
from beeline.heuristics.aims import Aims
from beeline.heuristics.declaration import Context, Estimator, Heuristic, HeuristicError, Option, Options, Promises
from beeline.heuristics.formula import Formula
from beeline.heuristics.needs import Needs, may_fail
from beeline.model.expressions import Conditional, Expression, Literal

AIMS = {"any": Found.ERROR | Found.DEADLOCK, "assertions": Found.ERROR, "deadlocks": Found.DEADLOCK}


def build(context: Context, options: Options) -> Estimator:
    if options["aim"] not in AIMS:
        raise HeuristicError(f"Hf aims at {', '.join(AIMS)}, not at {options['aim']!r}")
    needs = Needs(Formula(context, "Hf"), bool(options["sum"]))
    if context.goal is None:
        return _without_goal(context, needs, AIMS[options["aim"]], exact=not options["sum"])
    root = _goal(needs, context.goal)
    exact = not options["sum"]
    native = needs.formula.build(root, safe=True)
    return Estimator("Hf", native, Promises(admissible=exact, consistent=exact, safe=True), Found.GOAL)


def _goal(needs: Needs, goal: Expression) -> int:
    root = needs.node(goal, True)
    if may_fail(goal, needs.channels):
        # A goal without a value counts as reached, and nothing is known of the way to such a state.
        fails = needs.formula.value(Conditional(goal, Literal(1), Literal(1)))
        root = needs.formula.minimum([root, fails])
    return root


def _without_goal(context: Context, needs: Needs, kinds: Found, exact: bool) -> Estimator:
    """What is nearer: a failing assertion or a deadlock, as far as either is looked for."""
    aims = Aims(needs, exact)
    roots = []
    if Found.ERROR in context.stop & kinds:
        roots.append(aims.failing())
    if Found.DEADLOCK in context.stop & kinds:
        roots.append(aims.blocking())
    if not roots or not aims.any:
        raise HeuristicError("Hf needs something to aim at: an expression, an assertion, or places to get stuck")
    native = needs.formula.build(needs.join(roots, False), safe=exact)
    # Without an expression there are no goals: whatever is said of them is true.
    return Estimator("Hf", native, Promises(exact, exact, exact), context.stop & kinds | Found.GOAL)


HEURISTIC = Heuristic(
    name="Hf",
    summary="what the formula, a failing assertion or a deadlock still needs: distances of processes, messages in "
    "channels, one step for the rest",
    paper="Edelkamp, Leue and Lluch-Lafuente, Directed explicit-state model checking in the validation of "
    "communication protocols, STTT 5, 2004",
    promises=Promises(admissible=True, consistent=True, safe=True),
    build=build,
    options=(
        Option("sum", "1: conjunctions add their parts up; no longer admissible", 0),
        Option("aim", f"without an expression: {', '.join(AIMS)}", "any"),
    ),
)
