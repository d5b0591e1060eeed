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

ENGINES = ("explicit", "bdd", "auto")
ALLOWED = 1.3
"""How many times as long as the better engine `auto` may take,"""
UNNOTICED = 0.1
"""unless these seconds are all the difference."""
BRIEF = 1.0
"""Whoever took fewer seconds is asked again, since the first time has costs of its own;"""
AGAIN = 2
"""so often. The least time counts."""


def measured(network: Network, engine: str, seconds: float) -> tuple[float, str]:
    """Seconds of the processor to all answers, infinite if one is unknown; and who gave the last one."""
    began = process_time()
    try:
        found = check_all(network, engine=engine, limits=Limits(time=seconds, memory=2**30))
    except EngineError:
        return float("inf"), ""
    passed = process_time() - began
    return (float("inf") if any(one.verdict == "unknown" for one in found) else passed), found[-1].engine


def compared(network: Network, seconds: float) -> tuple[dict[str, float], str]:
    """The least time by engine, and which one `auto` took."""
    first = {engine: measured(network, engine, seconds) for engine in ENGINES}
    least = {engine: passed for engine, (passed, _) in first.items()}
    for _ in range(AGAIN):
        for engine in ENGINES:
            if least[engine] < BRIEF:
                least[engine] = min(least[engine], measured(network, engine, seconds)[0])
    return least, first["auto"][1]


def _rows(networks: list[tuple[str, Network]], seconds: float) -> Iterator[str]:
    """Rows of the models that one of both engines answers in this time, and what they come to."""
    answered, lost = 0, []
    for name, network in networks:
        least, taken = compared(network, seconds)
        single, sets, chosen = (least[engine] for engine in ENGINES)
        better = min(single, sets)
        if better == float("inf"):
            continue
        answered += 1
        if chosen > ALLOWED * better and chosen - better > UNNOTICED:
            lost.append(name)
        yield f"| {name} | {single:.2f} | {sets:.2f} | {chosen:.2f} | {taken} | {chosen / better:.2f} |"
    yield ""
    told = ", ".join(lost) or "none"
    yield f"{answered} models; more than {ALLOWED} times the better engine, by more than {UNNOTICED} s: {told}"
    yield ""


def table(seconds: float) -> Iterator[str]:
    """The bundled models, then those that are too large for single states."""
    loaded = [(path.name, load(path)) for path in bundled()]
    networks = [(name, network) for name, network in loaded if isinstance(network, Network)]
    for group in (networks, list(models())):
        yield "| model | one by one, s | by sets, s | auto, s | taken | auto / better |"
        yield "|---|--:|--:|--:|---|--:|"
        yield from _rows(group, seconds)
