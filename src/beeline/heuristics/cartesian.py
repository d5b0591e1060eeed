"""cartesian: distances between states that stand for products of sets, split wherever an abstract trace fails."""

from __future__ import annotations

from time import perf_counter

from beeline.engine import core
from beeline.heuristics.abstraction import PROMISES, Budget, factored
from beeline.heuristics.declaration import Context, Estimator, Heuristic, HeuristicError, Option, Options
from beeline.heuristics.grounding import grounded

DEFAULT_STATES = 30_000
CHOICES = ("refined", "coarse", "first")
STEPS = 1_000_000  # between different abstract states
WORK = 100_000_000  # looks at labels and steps: a second or so
BYTES_PER_STEP = 64  # steps are kept at both ends; all that is built takes an eighth of the memory


def build(context: Context, options: Options) -> Estimator:
    states, choice = options["states"], options["split"]
    if states < 1:
        raise HeuristicError("cartesian needs at least 1 state")
    if choice not in CHOICES:
        raise HeuristicError(f"cartesian knows {', '.join(CHOICES)}, not {choice!r}")
    _, covers = grounded(context, "cartesian")
    factors, _ = factored(context, "cartesian")
    start = perf_counter()
    seconds = Budget.of(context, WORK).seconds
    native = core.cartesian_estimator(factors, states, choice, steps_within(context), WORK, seconds)
    return Estimator("cartesian", native, PROMISES, covers, _note(native, perf_counter() - start))


def steps_within(context: Context) -> int:
    """How many steps between abstract states a check's memory allows."""
    return STEPS if context.memory is None else min(STEPS, context.memory // 8 // BYTES_PER_STEP)


def _note(native: core.CartesianEstimator, seconds: float) -> str:
    text = f"{native.states:,} states, {native.bytes / 1024:,.0f} KiB, {seconds:.2f} s"
    if native.is_exact:
        return f"{text}; no abstract trace fails any more"
    return f"{text}; the time was up before the limit on states" if native.is_late else text


HEURISTIC = Heuristic(
    name="cartesian",
    summary="distances in a Cartesian abstraction that is refined where its error traces fail",
    paper="Seipp and Helmert, Counterexample-guided Cartesian abstraction refinement for classical planning, JAIR 62, "
    "2018",
    promises=PROMISES,
    build=build,
    options=(
        Option("states", "bound on abstract states", DEFAULT_STATES),
        Option("split", f"what is split where several fail: {', '.join(CHOICES)}", "refined"),
    ),
)
