"""`--engine auto` next to the engines that it chooses from."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

from benchmarks.symbolic.beyond import models
from benchmarks.symbolic.counts import bundled

from beeline import Limits, check_all
from beeline.engines.declaration import EngineError
from beeline.languages import load
from beeline.model.network import Network


def measured(network: Network, engine: str, seconds: float) -> tuple[float, str]:
    """Seconds of the processor to all answers, infinite if one is unknown; and who gave the last one."""
    began = process_time()
    try:
        found = check_all(network, engine=engine, limits=Limits(time=seconds, memory=2**30))
    except EngineError:
        return float("inf"), ""
    passed = process_time() - began
    return (float("inf") if any(one.verdict == "unknown" for one in found) else passed), found[-1].engine


def table(seconds: float) -> Iterator[str]:
    """Rows of models that one of both engines answers in this time."""
    yield "| model | one by one, s | by sets, s | auto, s | taken | auto / better |"
    yield "|---|--:|--:|--:|---|--:|"
    loaded = [(path.name, load(path)) for path in bundled()]
    for name, network in [*loaded, *models()]:
        if not isinstance(network, Network):
            continue
        single, sets = (measured(network, engine, seconds)[0] for engine in ("explicit", "bdd"))
        chosen, taken = measured(network, "auto", seconds)
        better = min(single, sets)
        if better < float("inf"):
            yield f"| {name} | {single:.2f} | {sets:.2f} | {chosen:.2f} | {taken} | {chosen / better:.2f} |"
