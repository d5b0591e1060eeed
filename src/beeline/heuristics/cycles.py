"""What heuristics for the way round a cycle are built from."""

from __future__ import annotations

from beeline.engine import core
from beeline.engine.outcome import Found
from beeline.heuristics.declaration import Context, Estimator, HeuristicError, Option, Promises
from beeline.heuristics.grounding import grounded


def way_option(default: str) -> Option:
    """Which heuristic tells the way to an accepting state."""
    return Option("way", "the heuristic for the way to an accepting state, such as pdb or max(hL, pdb)", default)


def cycle_distance(context: Context, name: str, way: str, by_sum: bool) -> Estimator:
    """The estimator for the space of pairs of a compiled network. Where the network's steps cannot be listed, it
    knows only the graphs of processes and of the automaton."""
    from beeline.heuristics.language import build

    _, native = context.compiled(name)
    if not context.closes_cycles:
        raise HeuristicError(f"{name} is about cycles, and the property asks for none")
    promises = Promises(not by_sum, not by_sum, safe=True)
    try:
        task, covers = grounded(context, name)
        (to_acceptance,) = build(way, context)
    except HeuristicError as error:
        return Estimator(name, core.pair_distance(native, by_sum), promises, Found.GOAL, str(error))
    factors = context.once(("whole factors", task), lambda: core.FactoredTask(task, whole=True))
    distance = core.pair_distance(native, by_sum, factors, to_acceptance.native)
    return Estimator(name, distance, promises & to_acceptance.promises, covers, to_acceptance.note)
