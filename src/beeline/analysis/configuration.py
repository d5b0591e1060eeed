"""The processes that exist after the start of a network, and their local variables that never change.

Most models start all processes at the beginning of a run. From the first state in which no process can start another,
every process number has a known kind, and a variable that is not written any more is a constant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from beeline.model.network import Network, Process
from beeline.model.scope import Scope
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.model.statements import Start, Statement, nested
from beeline.model.types import width
from beeline.model.usage import locals_written
from beeline.records import Record, field, replace

if TYPE_CHECKING:
    from random import Random

LONGEST_BEGINNING = 400  # states that are looked at until no process can start another
OTHER_BEGINNINGS = 8  # that are tried by chance


class Configuration(Record, frozen=True):
    """The processes of the states in which no process can start another.

    `kinds` has the kind of each number; `constants` the locals of each number that stay as they are, by their position
    among the locals. `resting` are the locations of each number from which no process can be started. `fixed` says that
    every reachable state is of this configuration."""

    kinds: tuple[int, ...]
    constants: tuple[Mapping[int, int], ...]
    resting: tuple[frozenset[int], ...]
    fixed: bool
    names: tuple[frozenset[str], ...] = field(default=())  # of the constants

    def __len__(self) -> int:
        return len(self.kinds)


def find_configuration(network: Network) -> Configuration | None:
    """The configuration that the network settles in, or None if none was found.

    >>> from beeline.model.builder import NetworkBuilder
    >>> builder = NetworkBuilder("tiny")
    >>> _ = builder.process("P").location("a").edge("a", "a")
    >>> find_configuration(builder.build()).kinds
    (0,)
    """
    busy = _busy(network)
    state = None if busy is None else _first_at_rest(network, busy)
    if busy is None or state is None:
        return None
    scope = Scope(network)
    names = tuple(_constant_names(scope, process.kind) for process in state.processes)
    return Configuration(
        _kinds(state),
        tuple(
            _constants(scope, process.kind, process.locals, known)
            for process, known in zip(state.processes, names, strict=True)
        ),
        tuple(
            frozenset(range(len(network.processes[process.kind].locations))) - busy[process.kind]
            for process in state.processes
        ),
        not any(busy),
        names,
    )


def typical_configuration(network: Network) -> Configuration | None:
    """The configuration without constants that differ from one beginning to another, such as numbers that are drawn:
    who looks whether a state fits finds that most do. Which those are is tried by chance, so it is no promise."""
    found, busy = find_configuration(network), _busy(network)
    if found is None or found.fixed or busy is None:
        return found
    from random import Random

    ends = (_end_of_walk(network, busy, Random(seed)) for seed in range(OTHER_BEGINNINGS))
    others = [end for end in ends if end is not None and _kinds(end) == found.kinds]
    constants = tuple(
        {i: value for i, value in known.items() if all(end.processes[number].locals[i] == value for end in others)}
        for number, known in enumerate(found.constants)
    )
    return replace(found, constants=constants, names=())


def processes_to_come(network: Network) -> int | None:
    """How many processes there are once no process starts another, or at the start, if that is more. None if no process
    starts another at all, or if no such state was found."""
    busy = _busy(network)
    state = _first_at_rest(network, busy) if busy is not None and any(busy) else None
    return None if state is None else max(len(state.processes), len(network.initial))


def _busy(network: Network) -> list[frozenset[int]] | None:
    """For each kind the locations from which it can still come to start another; None if that cannot be told."""
    functions = [*network.functions, *(function for process in network.processes for function in process.functions)]
    if any(_starts(function.body) for function in functions):
        return None
    return [_starting_locations(process) for process in network.processes]


def _first_at_rest(network: Network, busy: list[frozenset[int]]) -> State | None:
    return next((state for state in _beginnings(network, busy) if _rests(state, busy)), None)


def _starting_locations(process: Process) -> frozenset[int]:
    """Locations from which a process of this kind can still come to start another."""
    starting = {edge.source_location for edge in process.edges if _starts(edge.effect)}
    while True:
        before = {edge.source_location for edge in process.edges if edge.target_location in starting}
        if before <= starting:
            return frozenset(starting)
        starting |= before


def _starts(statements: tuple[Statement, ...]) -> bool:
    return any(isinstance(statement, Start) for statement in nested(statements))


def _rests(state: State, busy: list[frozenset[int]]) -> bool:
    return all(process.location not in busy[process.kind] for process in state.processes)


def _beginnings(network: Network, busy: list[frozenset[int]]) -> Iterator[State]:
    """States on the way of those who can start others, depth first."""
    semantics = Semantics(network)
    stack = [semantics.unopened()]
    seen = set(stack)
    while stack and len(seen) < LONGEST_BEGINNING:
        state = stack.pop()
        yield state
        for target in reversed(_after_starters(semantics, state, busy)):
            if target not in seen:
                seen.add(target)
                stack.append(target)


def _end_of_walk(network: Network, busy: list[frozenset[int]], random: Random) -> State | None:
    """Where those who can start others come to rest by steps of chance; None if they do not soon."""
    semantics = Semantics(network)
    state = semantics.unopened()
    for _ in range(LONGEST_BEGINNING):
        if _rests(state, busy):
            return state
        targets = _after_starters(semantics, state, busy)
        if not targets:
            return None
        state = random.choice(targets)
    return None


def _after_starters(semantics: Semantics, state: State, busy: list[frozenset[int]]) -> list[State]:
    """The states after steps of those who can start others."""
    starters = {pid for pid, process in enumerate(state.processes) if process.location in busy[process.kind]}
    return [
        step.target
        for step in semantics.steps_begun_by(state, starters)
        if step.target is not None and max(step.moves[0].pid, 0) in starters
    ]


def _kinds(state: State) -> tuple[int, ...]:
    return tuple(process.kind for process in state.processes)


def _constant_names(scope: Scope, kind: int) -> frozenset[str]:
    written = locals_written(scope.network, scope.network.processes[kind])
    return frozenset(variable.name for variable in scope.processes[kind].declared) - written


def _constants(scope: Scope, kind: int, values: tuple[int, ...], names: frozenset[str]) -> dict[int, int]:
    slots = [scope.processes[kind].slots[name] for name in names]
    return {i: values[i] for slot in slots for i in range(slot.offset, slot.offset + width(slot.type))}
