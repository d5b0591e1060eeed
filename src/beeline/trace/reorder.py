"""Removes steps that have nothing to do with what comes after them.

Edelkamp, Leue and Lluch-Lafuente, Partial-order reduction and trail improvement in directed model checking, STTT 6,
2004, section 5: a step that cannot be seen, is independent of all later ones and enables none of them could be moved to
the end, and then left out. One pass from the end backwards is enough, because only what is kept counts as later.
"""

from __future__ import annotations

from beeline.analysis.configuration import Configuration, find_configuration
from beeline.analysis.dependence import Dependence
from beeline.compile.program import compile_network
from beeline.model.property import Property
from beeline.model.state import State
from beeline.trace.trail import Moves, Replayer, Trail

Unit = tuple[Moves, ...]


def reorder(trail: Trail, asked: Property) -> Trail:
    """The trail without irrelevant steps. A deadlock needs them all: a step that is put off would still be possible."""
    configuration = find_configuration(trail.network)
    failed = bool(trail.steps) and trail.steps[-1].error is not None
    if configuration is None or (asked.sought is None and not failed):
        return trail
    kept = _relevant(trail, asked, configuration, failed)
    return Replayer(trail.network, asked).follow(kept) or trail


def _relevant(trail: Trail, asked: Property, configuration: Configuration, failed: bool) -> list[Unit]:
    max_processes = max(len(configuration), len(trail.network.initial))
    dependence = Dependence(compile_network(trail.network, max_processes=max_processes), configuration)
    position = {(facts.process, facts.edge): number for number, facts in enumerate(dependence.edges)}
    goal = None if failed else asked.sought
    seen = 0 if goal is None else dependence.footprints.reads(goal, -1).reads
    kept: list[Unit] = []
    edges_kept: list[int] = []
    units = trail.units
    for number, (unit, before) in enumerate(zip(reversed(units), reversed(_starts(trail)), strict=True)):
        edges = [
            position.get((move.pid, trail.network.processes[move.kind].edges[move.edge]), -1)
            for moves in unit
            for move in moves
        ]
        needed = number == 0 or -1 in edges or not _fits(before, configuration)
        needed = needed or any(dependence.edges[edge].run.writes & seen for edge in edges)
        if needed or any(_matters(dependence, edge, later) for edge in edges for later in edges_kept):
            kept.append(unit)
            edges_kept += [edge for edge in edges if edge >= 0]
    return kept[::-1]


def _starts(trail: Trail) -> list[State]:
    """The state before each unit."""
    states, found, position = trail.states, [], 0
    for unit in trail.units:
        found.append(states[position])
        position += len(unit)
    return found


def _fits(state: State, configuration: Configuration) -> bool:
    """Whether the processes are those that the analysis speaks about."""
    return len(state.processes) <= len(configuration) and all(
        process.kind == configuration.kinds[number]
        and process.location in configuration.resting[number]
        and all(process.locals[i] == value for i, value in configuration.constants[number].items())
        for number, process in enumerate(state.processes)
    )


def _matters(dependence: Dependence, earlier: int, later: int) -> bool:
    one, other = dependence.edges[earlier], dependence.edges[later]
    return one.run.meets(other.run) or bool(one.run.writes & other.condition) or other.asks_timeout
