"""What a reduction costs where it brings nothing, and what it brings on all models of ours."""

from __future__ import annotations

import time
import tomllib
from datetime import date

from beeline import Network, NetworkBuilder, check
from beeline.checking import Result
from beeline.por.tables import PATIENCE
from beeline.properties import SAFETY

from .measure import LIMITS, MODELS, NEVER, Model, explore_all, seconds_of
from .report import table


def entangled(count: int = 6, top: int = 5) -> Network:
    """Processes that all write one variable: there is nothing to leave out."""
    builder = NetworkBuilder("entangled")
    builder.variable("last", 0, count - 1)
    builder.variable("value", 0, top, size=count)
    counter = builder.process("counter", parameters={"me": (0, count - 1)})
    counter.location("counts")
    counter.edge("counts", "counts", effect=f"value[me] = (value[me] + 1) % {top + 1}; last = me")
    for position in range(count):
        builder.start("counter", me=position)
    return builder.build()


def contended(count: int = 6, top: int = 4) -> Network:
    """Processes that take a lock, work and give it back, over and over; each step looks at the lock."""
    builder = NetworkBuilder("contended")
    builder.variable("lock", 0, count)
    builder.variable("value", 0, top, size=count)
    worker = builder.process("worker", parameters={"me": (1, count)})
    worker.location("waits").location("works").location("leaves")
    worker.edge("waits", "works", guard="lock == 0", effect="lock = me")
    worker.edge("works", "leaves", guard="lock == me", effect=f"value[me - 1] = (value[me - 1] + 1) % {top + 1}")
    worker.edge("leaves", "waits", guard="lock == me", effect="lock = 0")
    worker.edge("waits", "waits", effect="lock = lock")
    for position in range(count):
        builder.start("worker", me=position + 1)
    return builder.build()


def overhead() -> str:
    """Both with the usual patience and without any rest."""
    ways = [("none", PATIENCE), *((name, patience) for name in ("stubborn", "ample") for patience in (NEVER, PATIENCE))]
    rows = []
    for network in (entangled(), contended()):
        plain, *others = seconds_of(network, "bfs", ways)
        stored = {explore_all(network, "bfs", name, patience).statistics.stored for name, patience in ways}
        assert len(stored) == 1, "something was left out"
        rows.append(
            [network.name, *stored, f"{plain:.3f} s", *(f"{100 * (took / plain - 1):.0f} %" for took in others)]
        )
    return table(
        "What it costs where there is nothing to leave out",
        "More seconds than without reduction, breadth first. Each reduction looks at every state, and then as it does\n"
        f"by itself: at one in sixteen after {PATIENCE} in a row of which nothing could be left out.",
        ["network", "states", "none", "stubborn, every state", "stubborn", "ample, every state", "ample"],
        rows,
    )


def everywhere() -> str:
    """All known answers of `models/promela`, by the default search."""
    answers = tomllib.loads((MODELS / "answers.toml").read_text())["answer"]
    large = [answer for answer in answers if answer["verdict"] == "violated" or answer["states"] >= 10_000]
    rows = []
    longer, slower = 0, 0
    for answer in large:
        macros = (macro.removeprefix("-D").partition("=") for macro in answer["macros"])
        model = Model(answer["model"].removesuffix(".pml"), tuple((name, value or "1") for name, _, value in macros))
        network = model.network()
        (plain, before), (reduced, after) = timed_check(network, "none"), timed_check(network, "stubborn")
        longer += len(reduced.trace or ()) > len(plain.trace or ())
        slower += after > 1.1 * before
        rows.append([model, *shown(plain, before), *shown(reduced, after)])
    return table(
        "Everywhere",
        "All models with a fault, and those of ten thousand states and more, by the default search without reduction\n"
        "and with `stubborn`: states stored, processor seconds of the whole check, steps of the trace\n"
        f"({date.today():%d %B %Y}).",
        ["model", "states", "time", "steps", "stubborn: states", "time", "steps"],
        rows,
        f"Of {len(rows)} checks {slower} take over a tenth longer with the reduction, and {longer} traces get longer.",
    )


def timed_check(network: Network, reduction: str) -> tuple[Result, float]:
    """The answer, and the processor time it took from network to trace, the quicker of two runs."""
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        result = check(network, SAFETY, reduce=reduction, limits=LIMITS)
        best = min(best, time.process_time() - start)
    return result, best


def shown(result: Result, seconds: float) -> list[str]:
    """States, seconds and steps."""
    states = f"{result.statistics.stored}" if result.verdict != "unknown" else f"> {result.statistics.stored}"
    steps = "-" if result.trace is None else f"{len(result.trace)}{' (shortest)' if result.shortest else ''}"
    return [states, f"{seconds:.2f} s", steps]
