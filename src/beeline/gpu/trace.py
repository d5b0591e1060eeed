"""The shortest trace to what a search on a device found, and among those the one that the engine's own search finds.

States are numbered there in the order in which they are met, and each keeps the first arc that led to it. Hence the
trace to a state is, among its shortest ones, the first in the lexicographic order of the positions of its arcs; and of
several violations at one distance the one is found whose trace is the first. So it is enough to know for each layer
from which states a violation can be reached in the steps that are left: passes backward through the layers mark these.
Then a walk from the beginning takes the first arc into a marked state of the next layer.
"""

from __future__ import annotations

from collections.abc import Sequence

from beeline.engine import Found, core
from beeline.gpu.control import MARK_DEADLOCKS, MARK_PARENTS, MARK_VIOLATORS
from beeline.gpu.store import DeviceStore
from beeline.records import Record


class Traced(Record, frozen=True):
    """A path in the full layout, with the action that led to each state, and what is at its end."""

    found: Found
    path: tuple[tuple[int, tuple[int, ...]], ...]
    error_action: int = 0
    error_detail: int = 0
    cycle: int = -1
    """The position in the path from which on its states repeat, its last one being the same, or -1."""


def find_trace(
    store: DeviceStore,
    space: core.ProgramSpace,
    twin: core.HostTwin,
    layers: Sequence[tuple[int, int]],
    stop: Found,
    found: Found,
) -> Traced:
    """The trace to a deadlock of the last layer, or to a step from there that is sought."""
    if len(layers) == 1 and found is Found.GOAL and (start := initial_goal(space)):
        return start
    passes = _Passes(store, space, twin, layers, stop)
    last = len(layers) - 1
    passes.mark(last, MARK_DEADLOCKS if found is Found.DEADLOCK else MARK_VIOLATORS)
    passes.mark_ways_to(last)
    path = [(0, initial_state(space))]
    for layer in range(1, last + 1):
        path.append(passes.step(path[-1][1], layer))
    return ending_of(space, tuple(path), stop)


def find_way(
    store: DeviceStore,
    space: core.ProgramSpace,
    twin: core.HostTwin,
    layers: Sequence[tuple[int, int]],
    start: tuple[int, ...],
    target: tuple[int, bytes],
    ahead: int,
) -> list[tuple[int, tuple[int, ...]]]:
    """The first shortest way to a state, told by its layer and its words there, with actions: from a `start` that lies
    in a layer, or in front of the first one, `ahead` of which are passed over."""
    passes = _Passes(store, space, twin, layers, Found.NOTHING)
    last, words = target
    passes.mark_one(last, words)
    passes.mark_ways_to(last)
    way = [(0, start)]
    for layer in range(ahead, last + 1):
        way.append(passes.step(way[-1][1], layer))
    return way[1:]


def layer_of(
    store: DeviceStore,
    space: core.ProgramSpace,
    twin: core.HostTwin,
    layers: Sequence[tuple[int, int]],
    state: bytes,
) -> int:
    """The layer of a state, which must be in one."""
    passes = _Passes(store, space, twin, layers, Found.NOTHING)
    return next(number for number in range(len(layers)) if any(passes.locate(state, number)))


def ending_of(space: core.ProgramSpace, path: tuple[tuple[int, tuple[int, ...]], ...], stop: Found) -> Traced:
    """The path to a state that is a deadlock, or from which the first step that is sought is taken."""
    marks, arcs = space.successor_arcs(path[-1][1])
    if Found(marks & core.DEADLOCK) & stop:
        return Traced(Found.DEADLOCK, path)
    for action, marks, detail, words in arcs:
        ending = Found(marks & (Found.ERROR | Found.GOAL).value) & stop
        if Found.ERROR in ending:
            return Traced(ending, path, action, detail)
        if ending and words is not None:
            return Traced(ending, (*path, (action, words)))
    raise AssertionError("the state before a violation has no step to it")


def initial_state(space: core.ProgramSpace) -> tuple[int, ...]:
    return next(words for _, _, _, words in space.initial_arcs() if words is not None)


def initial_goal(space: core.ProgramSpace) -> Traced | None:
    """The trace without steps, if it begins where it should end."""
    if any(marks & core.GOAL for _, marks, _, _ in space.initial_arcs()):
        return Traced(Found.GOAL, ((0, initial_state(space)),))
    return None


class _Passes:
    """The layers, wherever they are."""

    def __init__(
        self,
        store: DeviceStore,
        space: core.ProgramSpace,
        twin: core.HostTwin,
        layers: Sequence[tuple[int, int]],
        stop: Found,
    ) -> None:
        self.store, self.space, self.twin, self.layers, self.stop = store, space, twin, layers, stop

    def mark(self, layer: int, mode: int) -> None:
        """Marks the states of a layer that are at a violation, or one step before marked ones of the next layer."""
        parity = layer % 2
        for first, end in self.store.stretches(*self.layers[layer]):
            while first < end:
                c = self.store.expand(first, end, mode, parity)
                reached = min(c.cursor, c.end)
                if c.left_count:
                    self._mark_left(mode, parity)
                first = reached

    def mark_one(self, layer: int, state: bytes) -> None:
        """Marks a state of a layer."""
        self.store.control.parity = layer % 2
        self.store.give("beeline_mark", state)

    def mark_ways_to(self, last: int) -> None:
        """Marks the states from which one that is marked in layer `last` can be reached in the steps up to there."""
        for layer in range(last - 1, -1, -1):
            self.mark(layer, MARK_PARENTS)

    def _mark_left(self, mode: int, parity: int) -> None:
        store = self.store
        for states in store.pieces(store.left()):
            targets, counts, _, marks = self.twin.expand(states)
            if mode == MARK_PARENTS:
                answers, chosen, first = store.ask(targets, 1 - parity), [], 0
                for count in counts:
                    chosen.append(2 in answers[first : first + count])
                    first += count
            else:
                wanted = core.DEADLOCK if mode == MARK_DEADLOCKS else self.stop.value & (core.ERROR | core.GOAL)
                chosen = [bool(one & wanted) for one in marks]
            size = 4 * store.words
            picked = b"".join(states[i * size : (i + 1) * size] for i, one in enumerate(chosen) if one)
            store.control.parity = parity
            for piece in store.pieces(picked):
                store.give("beeline_mark", piece)

    def step(self, state: tuple[int, ...], layer: int) -> tuple[int, tuple[int, ...]]:
        """The first arc from a state into a marked one of a layer."""
        arcs = [(action, words) for action, _, _, words in self.space.successor_arcs(state)[1] if words is not None]
        there = [self.twin.to_device(words) for _, words in arcs]
        answers = self.store.ask(b"".join(there), layer % 2)
        marked = [i for i, answer in enumerate(answers) if answer == 2]
        located = self.locate(b"".join(there[i] for i in marked), layer)
        return next(arcs[i] for i, one in zip(marked, located, strict=True) if one)

    def locate(self, states: bytes, layer: int) -> bytes:
        """For each of a few states whether it is in a layer: a mark tells only whether that has an odd number."""
        store, count = self.store, len(states) // (4 * self.store.words)
        found = bytearray(count)
        for first, end in self.store.stretches(*self.layers[layer]):
            c = store.control
            c.first, c.end = first, end
            store.device.clear(c.output, count)
            store.give("beeline_locate", states)
            for i, one in enumerate(store.device.read(c.output, count)):
                found[i] |= one
        return bytes(found)
