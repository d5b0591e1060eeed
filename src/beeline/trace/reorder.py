"""Removes steps that have nothing to do with what comes after them.

Edelkamp, Leue and Lluch-Lafuente, Partial-order reduction and trail improvement in directed model checking, STTT 6,
2004, section 5: a step that cannot be seen, is independent of all later ones and enables none of them could be moved to
the end, and then left out. One pass from the end backwards is enough, because only what is kept counts as later.

By their text, any send enables any receive from the same channel. Along a trail it is known which message each receive
takes: a send matters to those alone that take its message or a later one.
"""

from __future__ import annotations

from collections import Counter

from beeline.analysis.configuration import Configuration, find_configuration
from beeline.analysis.dependence import Dependence, EdgeFacts
from beeline.compile.program import compile_network
from beeline.model.expressions import ChannelInfo, Poll, walk
from beeline.model.network import Network, Receive, Send
from beeline.model.property import Property
from beeline.model.state import State
from beeline.records import Record
from beeline.trace.trail import Moves, Replayer, Trail

Unit = tuple[Moves, ...]


class Step(Record, frozen=True):
    """An edge taken in a trail. `message` counts those of its channel that were sent or taken before, where the edge
    does no more than that to a queue that nobody looks into."""

    edge: int
    message: int | None = None


def reorder(trail: Trail, asked: Property) -> Trail:
    """The trail without irrelevant steps. A deadlock needs them all: a step that is put off would still be possible."""
    configuration = find_configuration(trail.network)
    failed = bool(trail.steps) and trail.steps[-1].error is not None
    if configuration is None or (asked.sought is None and not failed):
        return trail
    max_processes = max(len(configuration), len(trail.network.initial))
    dependence = Dependence(compile_network(trail.network, max_processes=max_processes), configuration)
    kept = _relevant(trail, asked, dependence, failed)
    return Replayer(trail.network, asked).follow(kept) or trail


def _relevant(trail: Trail, asked: Property, dependence: Dependence, failed: bool) -> list[Unit]:
    goal = None if failed else asked.sought
    seen = 0 if goal is None else dependence.footprints.reads(goal, -1).reads
    kept: list[Unit] = []
    steps_kept: list[Step] = []
    taken = zip(trail.units, _starts(trail), _steps(trail, dependence), strict=True)
    for number, (unit, before, steps) in enumerate(reversed(list(taken))):
        needed = number == 0 or any(step.edge < 0 for step in steps) or not _fits(before, dependence.configuration)
        needed = needed or any(dependence.edges[step.edge].run.writes & seen for step in steps)
        if needed or any(_matters(dependence, step, later) for step in steps for later in steps_kept):
            kept.append(unit)
            steps_kept += [step for step in steps if step.edge >= 0]
    return kept[::-1]


def _steps(trail: Trail, dependence: Dependence) -> list[list[Step]]:
    """What each unit does; an edge that the analysis does not know is -1."""
    position = {(facts.process, facts.edge): number for number, facts in enumerate(dependence.edges)}
    queues = not trail.network.rules.lossy and not _looks_into_channels(trail.network)
    sent: Counter[int] = Counter()
    received: Counter[int] = Counter()
    found: list[list[Step]] = []
    for unit in trail.units:
        moves = [move for moves in unit for move in moves]
        steps = []
        for move in moves:
            edge = position.get((move.pid, trail.network.processes[move.kind].edges[move.edge]), -1)
            counts = sent if edge < 0 or isinstance(dependence.edges[edge].edge.sync, Send) else received
            which = _queue(dependence, dependence.edges[edge]) if edge >= 0 and queues else None
            steps.append(Step(edge, None if which is None else counts[which]))
            if which is not None:
                counts[which] += 1
        found.append(steps)
    return found


def _looks_into_channels(network: Network) -> bool:
    """Whether anybody asks how many messages there are, or which, or takes or leaves some out of order."""
    for kind in network.processes:
        for edge in kind.edges:
            parts = walk(edge.guard) + walk(kind.provided)
            if any(isinstance(part, (ChannelInfo, Poll)) for part in parts):
                return True
            match edge.sync:
                case Send(sorted=True) | Receive(keep=True) | Receive(anywhere=True):
                    return True
                case _:
                    pass
    return False


def _queue(dependence: Dependence, facts: EdgeFacts) -> int | None:
    """The queue that an edge sends to or receives from, if it is known and the edge goes no further by itself."""
    alone = len(facts.members) == 1 and not facts.joins and not facts.partners
    return facts.channels[0] if alone and len(facts.channels) == 1 else None


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


def _matters(dependence: Dependence, earlier: Step, later: Step) -> bool:
    one, other = dependence.edges[earlier.edge], dependence.edges[later.edge]
    apart = ~_ends_apart(dependence, earlier, later)
    if one.run.writes & apart & other.condition or other.asks_timeout:
        return True
    written, touched = one.run.writes & apart, one.run.reads & apart
    return bool(written & (other.run.reads | other.run.writes) or touched & other.run.writes)


def _ends_apart(dependence: Dependence, earlier: Step, later: Step) -> int:
    """The ends of the queue through which a send has nothing to do with a later step at it: another send, or a receive
    of a message from before it."""
    one, other = dependence.edges[earlier.edge], dependence.edges[later.edge]
    if earlier.message is None or later.message is None or not isinstance(one.edge.sync, Send):
        return 0
    takes_it = isinstance(other.edge.sync, Receive) and later.message >= earlier.message
    if takes_it or one.channels != other.channels:
        return 0
    (which,) = one.channels
    return dependence.footprints.front(which) | dependence.footprints.back(which)
