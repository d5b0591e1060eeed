"""hAA: processes and variables composed two at a time and abstracted in between; distances in what is left."""

from __future__ import annotations

from time import monotonic, perf_counter

from beeline.engine import core
from beeline.heuristics.declaration import Context, Estimator, Heuristic, HeuristicError, Option, Options, Promises
from beeline.heuristics.grounding import grounded
from beeline.records import Record

PROMISES = Promises(admissible=True, consistent=True, safe=True)
DEFAULT_STATES = 200
ORDERS = ("smallest", "nearest", "ranking", "definition")
SHRINKS = ("near", "far", "bisimulation")
WORK = 4_000_000  # moves of all products together: a second or so
ENTRIES = 80_000_000  # of all tables, four bytes each
BYTES_PER_MOVE = 40  # while it is composed; a quarter of all moves at once, in a quarter of the memory
BYTES_PER_ENTRY = 32  # tables take an eighth of the memory


class Budget(Record, frozen=True):
    """How much may be built: moves, entries of tables, seconds."""

    work: int
    entries: int
    seconds: float | None

    @classmethod
    def of(cls, context: Context, work: int) -> Budget:
        """What a check's limits leave of the usual."""
        memory = context.memory
        return cls(
            work if memory is None else min(work, memory // BYTES_PER_MOVE),
            ENTRIES if memory is None else min(ENTRIES, memory // BYTES_PER_ENTRY),
            None if context.deadline is None else max(0.0, context.deadline - monotonic()),
        )


def factored(context: Context, name: str) -> tuple[core.FactoredTask, core.Task]:
    """The task as a product of small systems; made once for each check."""
    task, _ = grounded(context, name)
    return context.once(("factors", task), lambda: core.FactoredTask(task)), task


def note(native: core.AbstractionEstimator, seconds: float, asked: int | None = None) -> str:
    """How much was built, how long that took, and a word where it had to be less than was asked for."""
    parts = native.report
    size = sum(part["bytes"] for part in parts)
    text = f"{max((part['largest'] for part in parts), default=0):,} states, {size / 1024:,.0f} KiB, {seconds:.2f} s"
    least = min((part["bound"] for part in parts), default=0)
    if asked is not None and least < asked:
        text += f"; the bound was lowered to {least}, because the compositions grew too large"
    if any(part["late"] for part in parts):
        text += "; the time was up before everything was composed"
    elif any(part["cut"] for part in parts):
        text += "; not everything could be composed"
    return text


def build(context: Context, options: Options) -> Estimator:
    states, order, shrink = options["states"], options["order"], options["shrink"]
    if states < 2:
        raise HeuristicError("hAA needs at least 2 states")
    for chosen, known in ((order, ORDERS), (shrink, SHRINKS)):
        if chosen not in known:
            raise HeuristicError(f"hAA knows {', '.join(known)}, not {chosen!r}")
    _, covers = grounded(context, "hAA")
    factors, _ = factored(context, "hAA")
    start = perf_counter()
    budget = Budget.of(context, WORK)
    native = core.abstraction_estimator(
        factors, states, order, shrink, True, budget.work, budget.entries, budget.seconds
    )
    return Estimator("hAA", native, PROMISES, covers, note(native, perf_counter() - start, states))


HEURISTIC = Heuristic(
    name="hAA",
    summary="distances in a composition of processes and variables that is abstracted to a bound",
    paper="Draeger, Finkbeiner and Podelski, Directed model checking with distance-preserving abstractions, SPIN 2006",
    promises=PROMISES,
    build=build,
    options=(
        Option("states", "bound on the states of each composition but the last", DEFAULT_STATES),
        Option("order", f"what is composed first: {', '.join(ORDERS)}", "smallest"),
        Option("shrink", f"what is kept apart first: {', '.join(SHRINKS)}", "near"),
    ),
)
