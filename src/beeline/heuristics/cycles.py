"""What estimates of the way round a cycle are built from."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.declaration import Context, HeuristicError


def cycle_distance(context: Context, name: str, by_sum: bool) -> core.Estimator:
    """The native estimate, for the space of pairs of a compiled network."""
    _, native = context.compiled(name)
    if not context.closes_cycles:
        raise HeuristicError(f"{name} is about cycles, and the property asks for none")
    return core.pair_distance(native, by_sum)
