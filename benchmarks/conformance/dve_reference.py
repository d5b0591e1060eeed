"""The meaning of a small DVE model, worked out from its syntax tree alone.

No tool for DVE is at hand, so this is the other opinion: an explicit search that knows docs/dve.md and nothing of the
engine, of Networks, or of folding.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from functools import partial

from beeline.languages.dve import syntax
from beeline.model.types import wrap32

RANGES = {"byte": (0, 255), "int": (-(2**15), 2**15 - 1)}
Cell = tuple[str, str]  # a process (or nothing) and a variable
Move = tuple[syntax.Process, syntax.Transition]
Opened = tuple[syntax.Process, list[syntax.Transition]]


class Failure(Exception):
    """A step that ends in an error."""


@dataclasses.dataclass
class State:
    """Where each process is, what variables and channels hold."""

    at: dict[str, str]
    values: dict[Cell, list[int]]
    queues: dict[str, list[tuple[int, ...]]]

    def copy(self) -> State:
        """One that can be changed."""
        values = {cell: list(held) for cell, held in self.values.items()}
        return State(dict(self.at), values, {name: list(queue) for name, queue in self.queues.items()})

    def key(self) -> tuple[object, ...]:
        """What tells it from other states."""
        held = tuple(tuple(values) for values in self.values.values())
        return (tuple(self.at.values()), held, tuple(tuple(queue) for queue in self.queues.values()))


@dataclasses.dataclass
class Found:
    """What a whole search found."""

    states: int = 0
    steps: int = 0
    deadlocks: int = 0
    failures: int = 0
    asserts: bool = False
    claim: bool = False
    complete: bool = True


class Reference:
    """Searches one model."""

    def __init__(self, model: syntax.Model) -> None:
        self.model = model
        self.kinds: dict[Cell, str] = {}
        self.watch = next((p for p in model.processes if p.name == model.property_process), None)
        self.system = [p for p in model.processes if p is not self.watch]
        self.channels = {channel.name: channel for channel in model.channels}
        self.unguarded = False  # a guard of the state being looked at has no value

    def initial(self) -> State:
        """The first state."""
        at = {process.name: process.initial.name for process in self.model.processes}
        state = State(at, {}, {c.name: [] for c in self.model.channels if c.capacity})
        for owner, declared in [("", self.model.variables), *((p.name, p.variables) for p in self.model.processes)]:
            for variable in declared:
                given = [self.value(part, state, owner) for part in variable.initial or ()]
                size = variable.size or 1
                state.values[owner, variable.name] = (given + [0] * size)[:size]
                self.kinds[owner, variable.name] = variable.kind
        return state

    # expressions

    def cell(self, reference: syntax.Reference, state: State, owner: str) -> tuple[Cell, int]:
        """The variable and the index that a reference means."""
        owner = reference.process or owner
        cell = (owner, reference.name) if (owner, reference.name) in state.values else ("", reference.name)
        index = 0 if reference.index is None else self.value(reference.index, state, owner)
        if not 0 <= index < len(state.values[cell]):
            raise Failure("index")
        return cell, index

    def value(self, expression: syntax.Expression, state: State, owner: str) -> int:
        """The value of an expression for a process."""
        match expression:
            case syntax.Number(value):
                return value
            case syntax.InState(process, name):
                return int(state.at[process] == name)
            case syntax.Reference():
                cell, index = self.cell(expression, state, owner)
                return state.values[cell][index]
            case syntax.Unary(operator, operand):
                inner = self.value(operand, state, owner)
                return wrap32({"-": -inner, "~": ~inner, "not": int(not inner)}[operator])
            case syntax.Binary(operator, left, right):
                first = self.value(left, state, owner)
                if operator in ("and", "or", "imply"):
                    decided = {"and": not first, "or": bool(first), "imply": not first}[operator]
                    return int(operator != "and") if decided else int(self.value(right, state, owner) != 0)
                return _apply(operator, first, self.value(right, state, owner))

    def store(self, place: syntax.Reference, value: int, state: State, owner: str) -> None:
        """Assigns, if the variable can hold it."""
        cell, index = self.cell(place, state, owner)
        low, high = RANGES[self.kinds[cell]]
        if not low <= value <= high:
            raise Failure("range")
        state.values[cell][index] = value

    # steps

    def open(self, process: syntax.Process, state: State, committed: bool) -> Iterator[syntax.Transition]:
        """The transitions of a process whose guards hold."""
        name = process.name
        if committed and state.at[name] not in {s.name for s in process.committed}:
            return
        for transition in process.transitions:
            guard = transition.guard
            try:
                if transition.source == state.at[name] and (guard is None or self.value(guard, state, name)):
                    yield transition
            except Failure:
                self.unguarded = True

    def steps(self, state: State) -> Iterator[Callable[[], State]]:
        """What can happen, each to be computed when asked."""
        committed = any(state.at[p.name] in {s.name for s in p.committed} for p in self.system)
        opened = [(process, list(self.open(process, state, committed))) for process in self.system]
        for process, transitions in opened:
            for transition in transitions:
                sync = transition.sync
                if sync is None:
                    yield partial(self.taken, state, [(process, transition)])
                elif self.channels[sync.channel].capacity:
                    if self.ready(sync, state):
                        yield partial(self.buffered, state, process, transition)
                elif sync.sends:
                    for other, answer in self.answers(sync.channel, process, opened):
                        yield partial(self.handshake, state, process, transition, other, answer)

    def answers(self, channel: str, sender: syntax.Process, opened: list[Opened]) -> Iterator[Move]:
        """The receives of other processes on a channel."""
        for other, transitions in opened:
            for answer in transitions:
                sync = answer.sync
                if other is not sender and sync is not None and not sync.sends and sync.channel == channel:
                    yield other, answer

    def ready(self, sync: syntax.Sync, state: State) -> bool:
        """Whether a buffer has room or a message."""
        queue = state.queues[sync.channel]
        return len(queue) < self.channels[sync.channel].capacity if sync.sends else bool(queue)

    def sent(self, sync: syntax.Sync, state: State, owner: str) -> tuple[int, ...]:
        """The values of a message, cut to the types of the channel."""
        values = [self.value(part, state, owner) for part in sync.values]
        fields = self.channels[sync.channel].fields
        if fields is None:
            return tuple(values)
        return tuple(
            v & 255 if f == "byte" else (v + 2**15) % 2**16 - 2**15 for v, f in zip(values, fields, strict=True)
        )

    def taken(self, state: State, moves: list[Move]) -> State:
        """Moves processes and runs their effects, one after the other."""
        state = state.copy()
        for process, transition in moves:
            state.at[process.name] = transition.target
        for process, transition in moves:
            for effect in transition.effects:
                self.store(effect.target, self.value(effect.value, state, process.name), state, process.name)
        return state

    def buffered(self, state: State, process: syntax.Process, transition: syntax.Transition) -> State:
        """A step with a buffer."""
        state = state.copy()
        sync, name = transition.sync, process.name
        assert sync is not None
        if sync.sends:
            state.queues[sync.channel].append(self.sent(sync, state, name))
        else:
            self.received(sync, state.queues[sync.channel].pop(0), state, name)
        return self.taken(state, [(process, transition)])

    def received(self, sync: syntax.Sync, message: tuple[int, ...], state: State, owner: str) -> None:
        """Stores a message."""
        for place, value in zip(sync.values, message, strict=True):
            assert isinstance(place, syntax.Reference)
            self.store(place, value, state, owner)

    def handshake(
        self,
        state: State,
        sender: syntax.Process,
        sending: syntax.Transition,
        receiver: syntax.Process,
        receiving: syntax.Transition,
    ) -> State:
        """A step of two processes; the receiver's effects come first."""
        state = state.copy()
        assert sending.sync is not None and receiving.sync is not None
        message = self.sent(sending.sync, state, sender.name)
        self.received(receiving.sync, message, state, receiver.name)
        return self.taken(state, [(receiver, receiving), (sender, sending)])

    # the search

    def explore(self, most: int) -> Found:
        """All states of the system, without the property process."""
        found = Found()
        for state, targets, failed in self._walk(most, found, self._system_steps):
            found.steps += len(targets)
            found.failures += failed
            found.deadlocks += not targets and not failed
            found.asserts = found.asserts or self._asserts(state)
        return found

    def watched(self, most: int) -> Found:
        """All states of the system together with the property process; has it accepted, or failed?"""
        found = Found()
        for state, _, failed in self._walk(most, found, self._joint_steps):
            assert self.watch is not None
            found.claim = found.claim or failed or state.at[self.watch.name] in {s.name for s in self.watch.accepting}
        return found

    def _walk(
        self, most: int, found: Found, following: Callable[[State], tuple[list[State], bool]]
    ) -> Iterator[tuple[State, list[State], bool]]:
        first = self.initial()
        frontier, seen = [first], {first.key()}
        for state in frontier:
            targets, failed = following(state)
            yield state, targets, failed
            for target in targets:
                if target.key() not in seen:
                    seen.add(target.key())
                    frontier.append(target)
            if len(frontier) > most:
                found.complete = False
                return
        found.states = len(frontier)

    def _system_steps(self, state: State) -> tuple[list[State], bool]:
        targets: list[State] = []
        failed = self.unguarded = False
        for step in self.steps(state):
            try:
                targets.append(step())
            except Failure:
                failed = True
        return targets, failed or self.unguarded

    def _joint_steps(self, state: State) -> tuple[list[State], bool]:
        assert self.watch is not None
        self.unguarded = False
        moves = list(self.open(self.watch, state, False))
        unguarded = self.unguarded
        targets, failed = self._system_steps(state)
        targets = targets or [state]  # a system that is stuck stays as it is
        joint = []
        for move in moves:
            for target in targets:
                both = target.copy()
                both.at[self.watch.name] = move.target
                joint.append(both)
        return joint, failed or unguarded

    def _asserts(self, state: State) -> bool:
        for process in self.system:
            for assertion in process.assertions:
                if assertion.state == state.at[process.name]:
                    try:
                        if not self.value(assertion.condition, state, process.name):
                            return True
                    except Failure:
                        return True
        return False


def _apply(operator: str, left: int, right: int) -> int:
    if operator in ("/", "%"):
        if right == 0:
            raise Failure("division")
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return wrap32(quotient if operator == "/" else left - quotient * right)
    if operator in ("<<", ">>"):
        return wrap32(left << (right & 31) if operator == "<<" else left >> (right & 31))
    table = {
        "+": left + right, "-": left - right, "*": left * right, "&": left & right, "|": left | right,
        "^": left ^ right, "==": left == right, "!=": left != right, "<": left < right, "<=": left <= right,
        ">": left > right, ">=": left >= right,
    }  # fmt: skip
    return wrap32(int(table[operator]))
