"""pdb: exact distances in patterns, that is in some of the processes and variables; the largest sum of them counts."""

from __future__ import annotations

from math import prod
from time import perf_counter

from beeline.engine import core
from beeline.heuristics.abstraction import PROMISES, Budget, factored, note
from beeline.heuristics.declaration import Context, Estimator, Heuristic, HeuristicError, Option, Options
from beeline.heuristics.grounding import grounded

CHOICES = ("cegar", "doll", "causal")
DEFAULT_SIZE = 20_000
MOST_STATES = 16_000_000
UNBOUNDED = 2**31 - 1
WORK = 8_000_000


def build(context: Context, options: Options) -> Estimator:
    pattern, size = options["pattern"], options["size"]
    if not 1 <= size <= MOST_STATES:
        raise HeuristicError(f"pdb: the size must lie between 1 and {MOST_STATES}")
    _, covers = grounded(context, "pdb")
    factors, _ = factored(context, "pdb")
    start = perf_counter()
    if pattern in CHOICES:
        budget = Budget.of(context, WORK)
        patterns = core.choose_patterns(factors, pattern, size, budget.work, budget.entries, budget.seconds)
    else:
        patterns = [_named(context, factors, part, size) for part in pattern.split("/")]
    budget = Budget.of(context, WORK)
    native = core.pattern_estimator(factors, patterns, budget.work, budget.entries, budget.seconds)
    seconds = perf_counter() - start
    if any(entry["cut"] for entry in native.report):
        raise HeuristicError(f"pdb: the pattern {pattern} takes too much work; name fewer processes and variables")
    return Estimator("pdb", native, PROMISES, covers, note(native, seconds, UNBOUNDED))


def _named(context: Context, factors: core.FactoredTask, text: str, size: int) -> list[int]:
    """The factors that a pattern such as ``P0+x`` names, and those that say whether the goal is reached."""
    names = [name.strip() for name in text.split("+")]
    known = [factor_names(context, cell) for cell in factors.cells]
    for name in names:
        if not any(name in own for own in known):
            there = sorted({own[0] for own in known if own})
            raise HeuristicError(f"pdb: nothing called {name!r} matters for the goal; there are: {', '.join(there)}")
    chosen = [at for at, own in enumerate(known) if not own or any(name in own for name in names)]
    sizes = factors.sizes
    if prod(sizes[at] for at in chosen) > MOST_STATES:
        raise HeuristicError(f"pdb: the pattern {text} has more than {MOST_STATES} states; name fewer")
    return chosen


def factor_names(context: Context, cell: int) -> list[str]:
    """How a user may call a cell: the process that it belongs to, or its own name, with or without an index."""
    if cell < 0:
        return []
    program, _ = context.compiled("pdb")
    name = program.layout.cells[cell].name
    names = [name, name.partition("[")[0], name.partition("#")[0]]
    for number, place in enumerate(program.layout.processes):
        if cell in place.cells and number < len(program.network.initial):
            names.insert(0, program.network.initial[number].name)
    return names


HEURISTIC = Heuristic(
    name="pdb",
    summary="exact distances in patterns: cegar, doll, causal, or names such as P0+x/P1",
    paper="Culberson and Schaeffer, Pattern databases, 1998; Rovner et al., Counterexample-guided abstraction "
    "refinement for pattern selection, ICAPS 2019; Kupferschmid et al., Fast directed model checking via Russian "
    "doll abstraction, TACAS 2008",
    promises=PROMISES,
    build=build,
    options=(
        Option("pattern", f"how patterns are chosen ({', '.join(CHOICES)}), or their names", "cegar"),
        Option("size", "states of a pattern that is chosen", DEFAULT_SIZE),
    ),
)
