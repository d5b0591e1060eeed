"""Models that are too large for single states, and some where sets lose."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.folders import ROOT
from benchmarks.symbolic.circuits import generators

from beeline import Limits, NetworkBuilder, explore
from beeline.languages import load
from beeline.languages.smv import read_smv
from beeline.model.network import Network

STEPS = ("interleaving", "any", "synchronous")


def philosophers(count: int) -> Network:
    """Each takes the left fork, then the right one, and puts them back in this order."""
    builder = NetworkBuilder(f"{count} philosophers")
    for number in range(count):
        builder.variable(f"fork{number}")
    for number in range(count):
        left, right = f"fork{number}", f"fork{(number + 1) % count}"
        places = (
            builder.process(f"P{number}").location("thinks").location("has left").location("eats").location("has right")
        )
        places.edge("thinks", "has left", guard=f"{left} == 0", effect=f"{left} = 1")
        places.edge("has left", "eats", guard=f"{right} == 0", effect=f"{right} = 1")
        places.edge("eats", "has right", effect=f"{left} = 0").edge("has right", "thinks", effect=f"{right} = 0")
    return builder.build()


def counters(count: int) -> Network:
    """Counters of two bits each, free of each other."""
    builder = NetworkBuilder(f"{count} counters")
    for number in range(count):
        builder.variable(f"x{number}", high=3)
        place = builder.process(f"P{number}").location("a")
        place.edge("a", "a", guard=f"x{number} < 3", effect=f"x{number} = x{number} + 1")
    return builder.build()


def shifter(cells: int) -> str:
    """A register that takes any bit in at one end."""
    parts = "".join(f"  s{i} : boolean;\n" for i in range(cells))
    moves = "".join(f"  init(s{i}) := FALSE; next(s{i}) := s{i - 1};\n" for i in range(1, cells))
    return f"MODULE main\nVAR\n{parts}ASSIGN\n{moves}"


def models() -> Iterator[tuple[str, Network]]:
    """Names and networks."""
    made = generators()
    for count in (100, 130):
        yield f"philosophers {count}", philosophers(count)
    for steps in STEPS:
        yield f"ring of 8 cells, {steps}", read_smv(made.ring(8, steps))
    for steps in STEPS:
        yield f"tree of 7 arbiters, {steps}", read_smv(made.tree_arbiter(7, steps, faulty=False))
    for steps in STEPS[:2]:
        yield f"Martin's ring of 6 cells, {steps}", read_smv(made.dme(6, steps))
    yield "shift register of 60 bits", read_smv(shifter(60))
    yield "50 counters", counters(50)


def losing() -> Iterator[tuple[str, Network]]:
    """Bundled models, on which single states are quicker."""
    for name in ("sliding_window.pml", "leader.pml", "elevator.pml", "cache_coherence.pml", "needham_schroeder.pml"):
        yield name, load(Path(ROOT / "models/promela" / name))


def table(seconds: float, lose: bool) -> Iterator[str]:
    """A row for each model: states, and the time of both engines."""
    yield "| model | states | by sets, s | nodes, MiB | one by one |"
    yield "|---|--:|--:|--:|---|"
    for name, network in losing() if lose else models():
        limits = Limits(time=seconds, memory=2**30)
        sets, single = explore(network, engine="bdd", limits=limits), explore(network, limits=limits)
        states = f"{sets.statistics.stored:.3g}" if sets.complete else "not finished"
        took = f"{single.statistics.seconds:.1f} s"
        told = took if single.complete else f"not finished: {single.statistics.stored:.2g} states in {took}"
        used = sets.statistics.memory / 2**20
        yield f"| {name} | {states} | {sets.statistics.seconds:.1f} | {used:.0f} | {told} |"
