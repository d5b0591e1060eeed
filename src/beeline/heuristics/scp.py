"""scp: abstractions of several kinds share the costs of steps, in several orders; the largest sum counts."""

from __future__ import annotations

from time import perf_counter

from beeline.engine import core
from beeline.heuristics.abstraction import DEFAULT_STATES, PROMISES, Budget, factored
from beeline.heuristics.cartesian import steps_within
from beeline.heuristics.declaration import Context, Estimator, Heuristic, HeuristicError, Option, Options, Promises
from beeline.heuristics.grounding import grounded

# An order made for a state may say much of it, and another one little of the next.
ONLINE = Promises(admissible=True, safe=True)
KINDS = ("hAA", "pdb", "cartesian", "goals", "landmarks")
SATURATIONS = ("general", "nonnegative")
DEFAULT_PARTS = "hAA+pdb+cartesian+goals+landmarks"
DEFAULT_ORDERS = 20
WORK = 100_000_000  # steps of abstractions that are looked at, for all orders together
COMPOSING_WORK = 4_000_000
CARTESIAN_WORK = 30_000_000
CARTESIAN_STATES = 3_000  # of each kind
MOST_PATTERNS = 60
PATTERN_SIZE = 5_000
ENTRIES = 20_000_000


def build(context: Context, options: Options) -> Estimator:
    kinds = _kinds(options)
    _, covers = grounded(context, "scp")
    factors, _ = factored(context, "scp")
    start = perf_counter()
    parts = core.PartitionParts(factors)
    for number, kind in enumerate(kinds):
        _add(context, parts, kind, len(kinds) - number + 1)
    budget = Budget.of(context, WORK)
    native = core.partition_estimator(
        parts,
        options["saturate"] == "general",
        options["online"] == 1,
        options["orders"],
        options["samples"],
        options["swaps"],
        options["seed"],
        WORK,
        min(ENTRIES, budget.entries),
        budget.seconds,
    )
    note = (
        f"{native.states:,} states in {native.systems}, {native.orders} orders, {native.bytes / 1024:,.0f} KiB, "
        f"{perf_counter() - start:.2f} s"
    )
    return Estimator("scp", native, ONLINE if options["online"] else PROMISES, covers, note)


def _kinds(options: Options) -> list[str]:
    """What is to share costs; raises `HeuristicError` for what is not understood."""
    kinds = [kind.strip() for kind in options["of"].split("+")]
    for kind in kinds:
        if kind not in KINDS:
            raise HeuristicError(f"scp knows {', '.join(KINDS)}, not {kind!r}; several are joined by '+'")
    if options["saturate"] not in SATURATIONS:
        raise HeuristicError(f"scp saturates {' or '.join(SATURATIONS)}, not {options['saturate']!r}")
    for name, least in (("orders", 1), ("samples", 1), ("swaps", 0), ("seed", 0)):
        if options[name] < least:
            raise HeuristicError(f"scp: {name} must be at least {least}")
    if options["online"] not in (0, 1):
        raise HeuristicError("scp: online is 0 or 1")
    return kinds


def _add(context: Context, parts: core.PartitionParts, kind: str, left: int) -> None:
    """Build one kind, in its share of the time that is left."""
    budget = Budget.of(context, COMPOSING_WORK)
    seconds = None if budget.seconds is None else budget.seconds / left
    factors, _ = factored(context, "scp")
    if kind == "hAA":
        parts.add_composed(DEFAULT_STATES, "smallest", "near", budget.work, budget.entries, seconds)
    elif kind == "pdb":
        patterns = core.choose_patterns(factors, "causal", PATTERN_SIZE, budget.work, budget.entries, seconds)
        patterns += [one for one in core.small_patterns(factors, PATTERN_SIZE, MOST_PATTERNS) if one not in patterns]
        parts.add_patterns(patterns, budget.work, budget.entries, seconds)
    else:
        aims = "goal" if kind == "cartesian" else kind
        parts.add_cartesian(aims, CARTESIAN_STATES, steps_within(context), CARTESIAN_WORK, seconds)


HEURISTIC = Heuristic(
    name="scp",
    summary="abstractions that share the costs of steps, in several orders",
    paper="Seipp, Keller and Helmert, Saturated cost partitioning for optimal classical planning, JAIR 67, 2020",
    promises=PROMISES,
    build=build,
    options=(
        Option("of", f"what shares costs, joined by '+': {', '.join(KINDS)}", DEFAULT_PARTS),
        Option("orders", "how many orders are kept", DEFAULT_ORDERS),
        Option("samples", "states of random walks that orders are made for and tried on", 300),
        Option("swaps", "exchanges tried in each order, to make it better for its state", 0),
        Option("saturate", f"what is given back: {' or '.join(SATURATIONS)} costs", "general"),
        Option("online", "1: every state has an order of its own, too; then not consistent", 0),
        Option("seed", "of the random walks", 1),
    ),
)
