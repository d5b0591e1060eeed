"""Distances to one given state, such as the end of a trace that is to be made shorter: how many cells differ (hamming),
and how far the processes are from its locations in their own graphs (fsm)."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.declaration import Context, Heuristic, HeuristicError, Options, Promises
from beeline.heuristics.formula import Formula
from beeline.heuristics.graphs import distances_to
from beeline.model.state import State

PAPER = (
    "Edelkamp, Lluch-Lafuente and Leue, Trail-directed model checking, 2001; Edelkamp, Leue and Lluch-Lafuente, "
    "Partial-order reduction and trail improvement in directed model checking, STTT 6, 2004"
)


def target_of(context: Context, name: str) -> State:
    """The state that was given, or an error that says how to give one."""
    if context.target is None:
        raise HeuristicError(f"{name} needs a state to go to: give a JSON trace with --target FILE")
    return context.target


def hamming(context: Context, options: Options) -> core.Estimator:
    formula = Formula(context, "hamming")
    layout = formula.program.layout
    values = layout.encode(target_of(context, "hamming"))
    cells = [i for i, cell in enumerate(layout.cells) if cell.low != cell.high]
    return formula.build(formula.total([formula.differs(cell, values[cell]) for cell in cells]), safe=True)


def fsm(context: Context, options: Options) -> core.Estimator:
    formula = Formula(context, "fsm")
    network = formula.program.network
    parts = []
    for number, process in enumerate(target_of(context, "fsm").processes):
        kind = network.processes[process.kind]
        distance = distances_to(kind, [process.location])
        born = 1 + max(0, distance[kind.initial])
        # Where the graph says that there is no way, another process may take the number: no more than a high price.
        row = [len(kind.locations) if steps < 0 else steps for steps in distance]
        parts.append(formula.place(number, {process.kind: row}, born, born))
    return formula.build(formula.total(parts), safe=True)


HEURISTICS = (
    Heuristic(
        name="hamming",
        summary="how many cells differ from the state given with --target",
        paper=PAPER,
        promises=Promises(safe=True),
        build=hamming,
    ),
    Heuristic(
        name="fsm",
        summary="the distances of all processes to their locations in the state given with --target, added up",
        paper=PAPER,
        promises=Promises(safe=True),
        build=fsm,
    ),
)
