"""The circuits of Reffel and Edelkamp's paper, re-created: breadth-first search and A* by depth of the estimate."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

from benchmarks.folders import ROOT

from beeline.engine import Found, Limits
from beeline.engines.bdd import guides_of
from beeline.languages.smv import read_smv
from beeline.problems.make import problem_of
from beeline.problems.networks import NetworkProblem
from beeline.records import Record
from beeline.symbolic.ended import Ended
from beeline.symbolic.quest import Quest
from beeline.symbolic.room import with_room


class Run(Record, frozen=True):
    """One search: how long the trace is (none where a limit was reached), and what it took."""

    length: int | None
    iterations: int
    nodes: int
    seconds: float


def generators() -> ModuleType:
    """The functions that write the circuits."""
    spec = importlib.util.spec_from_file_location("circuits", ROOT / "models/smv/circuits.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def searched(text: str, search: str, guide: str, limits: Limits) -> Run:
    """A search for a violation of a circuit's invariant."""
    network = read_smv(text)
    problem = problem_of(network, network.properties[0])
    assert isinstance(problem, NetworkProblem) and problem.asked.sought is not None
    program = problem.compiled([problem.asked.sought])

    def run(quest: Quest) -> Run:
        length: int | None = None
        try:
            found = import_module(f"beeline.symbolic.{search}").search(quest)
            length = None if found.way is None else len(found.way.states) - 1
        except (Ended, MemoryError):
            pass
        statistics = quest.meter.statistics(quest.system.initial)
        return Run(length, quest.meter.iterations, quest.meter.most_nodes, statistics.seconds)

    return with_room(program, Found.GOAL, limits, run, guides=guides_of(guide) if guide else ())


SEARCHES = [("breadth-first", "forward", ""), ("bidirectional", "bidirectional", "")]
SEARCHES += [(f"A*, depth {depth}", "buckets", f"refine:{depth}") for depth in (2, 4, 6)]
SEARCHES += [("A*, depth 3, sum", "buckets", "refine:3;sum=1")]
SEARCHES += [(f"BDDA*, depth {depth}", "cost_bits", f"refine:{depth}") for depth in (4, 6, 7)]


def texts(circuit: str, sizes: list[int], steps: str) -> Iterator[tuple[int, str]]:
    """Faulty circuits by size."""
    made = generators()
    for size in sizes:
        if circuit == "tree":
            yield size, made.tree_arbiter(size, steps)
        else:
            yield size, getattr(made, circuit)(size, steps, tokens=2)


def table(circuit: str, sizes: list[int], steps: str, limits: Limits) -> Iterator[str]:
    """Rows of a table, one for each size and search."""
    yield "| size | search | trace | iterations | most nodes | seconds |"
    yield "|--:|---|--:|--:|--:|--:|"
    for size, text in texts(circuit, sizes, steps):
        for name, search, guide in SEARCHES:
            run = searched(text, search, guide, limits)
            length = "-" if run.length is None else str(run.length)
            yield f"| {size} | {name} | {length} | {run.iterations:,} | {run.nodes:,} | {run.seconds:.1f} |"
