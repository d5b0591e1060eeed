"""Runs that go on for ever, on a device: whether states that were stored lie on a cycle through an accepting one, and a
lasso if some do.

First the states are searched layer by layer. Then passes over all of them leave marks on those that can still go
through accepting ones for ever (see kernels/cycles.h): from the last layer to the first, so that one pass carries a
mark back through all layers. As the space grows, it is looked from time to time whether there is a cycle among what is
known. From the first accepting state with a mark a second search looks for the way back to it: the shortest one. If
there is none, the state only leads to a cycle, and the same is done with what lies behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from beeline.engine import Found, Status, core
from beeline.gpu.control import CLOSE, FOLLOW, FOUND, KEEP_FOUND, MARK_ALL, MARK_NONE, ON, TRIM
from beeline.gpu.search import Attempt, Ended
from beeline.gpu.store import MOST_LAYERS, DeviceStore, OutOfMemory
from beeline.gpu.trace import Traced, find_way, initial_state, layer_of
from beeline.records import replace

NOWHERE = 2**64 - 1
PASSED = 1 << 26  # states that one launch passes over
FURTHER = 8  # how many times as many states there are when it is looked for a cycle again
MOST_FOLLOWED = 32  # passes that leave out states that only lead to cycles

Layers = Sequence[tuple[int, int]]


class Marks:
    """Marks on the states of a store, which must know all of them exactly; `tick` is called between launches."""

    def __init__(self, store: DeviceStore, twin: core.HostTwin, layers: Layers, tick: Callable[[], None]) -> None:
        self.store, self.twin, self.layers, self.tick = store, twin, layers, tick
        self.passes = 0

    def leave_circling(self) -> int:
        """Leaves the mark on the states from which one can go through accepting ones for ever; tells how many."""
        left = self.store.remark(MARK_ALL)
        while left > 0:
            while self._pass(CLOSE):
                pass
            left = self.store.remark(KEEP_FOUND)
            taken = 0
            while left > 0 and (now := self._pass(TRIM)):
                taken += now
            if taken == 0:
                break
            left -= taken
        return left

    def leave_reached(self) -> None:
        """Takes the mark from those that no cycle leads to, as far as some passes do."""
        on = -1
        for _ in range(MOST_FOLLOWED):
            self._pass(FOLLOW)
            before, on = on, self.store.remark(KEEP_FOUND)
            if before == on:
                return

    def first_accepting(self) -> tuple[int, bytes]:
        """One of the accepting states with the mark: its layer, which is the first one with any, and its words. It is
        the same each time, whatever the order in which the device found them."""
        store, c = self.store, self.store.control
        for number, layer in enumerate(self.layers):
            c.origin, c.finds = NOWHERE, 0
            self._choose(layer)
            if c.origin == NOWHERE:
                continue
            c.finds, c.found, state = 1, NOWHERE, b""
            for first, end in store.stretches(*layer):
                store.choose(first, end)
                if c.found != NOWHERE and not state:
                    state = store.state_at(c.found)
            c.finds = 0
            return number, state
        raise AssertionError("no accepting state has the mark")

    def _choose(self, layer: tuple[int, int]) -> None:
        for first, end in self.store.stretches(*layer):
            self.store.choose(first, end)

    def _pass(self, mode: int) -> int:
        """Goes through all states, from the last layer to the first; how many marks changed."""
        self.passes += 1
        near = [layer for layer in self.layers if layer[0] >= self.store.oldest]
        far = self.layers[: len(self.layers) - len(near)]
        changed = sum(self._retreat(ends, mode) for ends in _groups(near))
        for layer in reversed(far):
            for first, end in self.store.stretches(*layer):
                changed += self._sweep(first, end, mode)
        return changed

    def _retreat(self, ends: list[int], mode: int) -> int:
        """Several layers in one launch, given by where they meet, as long as the host has nothing to do."""
        changed = 0
        while len(ends) > 2:
            c = self.store.retreat(ends, mode)
            changed += c.marked
            done, cut, end = c.layers, min(c.cursor, c.end), c.end
            changed += self._decide_left(mode)
            self.tick()
            if done == len(ends) - 1:
                return changed
            changed += self._sweep(cut, end, mode)
            ends = ends[done + 1 :]
        for first, end in self.store.stretches(*reversed(ends)) if len(ends) == 2 else ():
            changed += self._sweep(first, end, mode)
        return changed

    def _sweep(self, first: int, end: int, mode: int) -> int:
        changed = 0
        while first < end:
            c = self.store.sweep(first, min(end, first + PASSED), mode)
            changed += c.marked
            first = min(c.cursor, c.end)
            changed += self._decide_left(mode)
            self.tick()
        return changed

    def _decide_left(self, mode: int) -> int:
        """As the device does, for states whose steps it left to the host."""
        store = self.store
        if not store.control.left_count:
            return 0
        changed, size = 0, 4 * store.words
        for states in store.pieces(store.left()):
            targets, counts, _, _ = self.twin.expand(states)
            answers = store.ask(targets, FOUND if mode == CLOSE else ON)
            picked = []
            if mode == FOLLOW:
                picked = [targets[size * i : size * (i + 1)] for i, answer in enumerate(answers) if answer == 2]
            else:
                for i, met in enumerate(_met(counts, answers)):
                    if met == (mode == CLOSE):
                        picked.append(states[size * i : size * (i + 1)])
            for piece in store.pieces(b"".join(picked)):
                store.control.parity = ON if mode == TRIM else FOUND
                changed += store.give("beeline_drop" if mode == TRIM else "beeline_mark", piece).marked
        return changed


def _met(counts: Sequence[int], answers: bytes) -> Iterator[bool]:
    """For each of some states with so many targets whether one of these has the mark that was asked for."""
    first = 0
    for count in counts:
        yield 2 in answers[first : first + count]
        first += count


def _groups(layers: Layers) -> Iterator[list[int]]:
    """Positions where layers meet, from the last one to the first, for as many layers as go into one launch."""
    ends: list[int] = []
    for first, end in reversed(layers):
        ends = ends or [end]
        ends.append(first)
        if len(ends) > MOST_LAYERS or ends[0] - first > PASSED:
            yield ends
            ends = []
    if ends:
        yield ends


class CycleAttempt(Attempt):
    """A search for states that are violations, and for cycles through accepting ones."""

    marks: Marks | None = None
    looks_at = 0
    """How many states there must be when it is looked for a cycle next."""
    start: tuple[int, ...] | None = None
    """Where a way back is looked for: the state, as the host and as the device have it."""
    start_there = b""
    told: dict[str, int] | None = None
    """The numbers of the search before."""

    def _search(self) -> Found:
        self.looks_at = self.setup.first_look
        try:
            found = super()._search()
        except (OutOfMemory, Ended) as end:
            ends_early = isinstance(end, Ended) and end.status not in (Status.DEPTH, Status.STATES)
            if ends_early or not self._circles():
                raise
            return Found.CYCLE
        return found or (Found.CYCLE if self._circles() else Found.NOTHING)

    def _look_back(self) -> Found:
        assert self.store is not None
        stored = self.store.control.next
        if self.start is not None:
            return Found.CYCLE if any(self.store.ask(self.start_there, ON)) else Found.NOTHING
        if stored < self.looks_at:
            return Found.NOTHING
        self.looks_at = FURTHER * stored
        return Found.CYCLE if self._circles() else Found.NOTHING

    def _first_arcs(self) -> list[tuple[int, int, int, tuple[int, ...] | None]]:
        return super()._first_arcs() if self.start is None else self.space.successor_arcs(self.start)[1]

    def _circles(self) -> bool:
        """Whether some states that are known lead round for ever; they have the mark then."""
        assert self.store is not None
        layers, known = list(self.layers), self.store.control.next
        if layers[-1][1] < known:  # the search ended within a layer
            layers.append((layers[-1][1], known))
        self.marks = Marks(self.store, self.twin, layers, self._watch_time)
        left = self.marks.leave_circling()
        if not left:
            self.store.remark(MARK_NONE)
        return left > 0

    def _trace(self, found: Found) -> Traced:
        if found is not Found.CYCLE:
            return super()._trace(found)
        self.told = self._numbers()
        path, ahead = [(0, initial_state(self.space))], 1
        while True:
            assert self.store is not None and self.marks is not None
            self.marks.leave_reached()
            layer, state = self.marks.first_accepting()
            self.store.remark(MARK_NONE)
            path += self._way(self.marks.layers, path[-1][1], (layer, state), ahead)
            cycle, ahead = len(path) - 1, 0
            if self._comes_back(path[-1][1], state):
                there = layer_of(self.store, self.space, self.twin, self.layers, state), state
                path += self._way(self.layers, path[-1][1], there, ahead)
                return Traced(Found.CYCLE, tuple(path), cycle=cycle)
            if not self._circles():
                raise OutOfMemory

    def _way(
        self, layers: Layers, start: tuple[int, ...], target: tuple[int, bytes], ahead: int
    ) -> list[tuple[int, tuple[int, ...]]]:
        assert self.store is not None
        return find_way(self.store, self.space, self.twin, layers, start, target, ahead)

    def _comes_back(self, start: tuple[int, ...], there: bytes) -> bool:
        """Searches what lies behind a state until it comes back to it."""
        assert self.store is not None
        self.store.close()
        self.start, self.start_there = start, there
        limits = replace(self.setup.limits, depth=None, states=None)
        self.setup = replace(self.setup, stop=Found.CYCLE, limits=limits)
        self.layers.clear()
        self.position = 0
        self.store = self._new_store()
        try:
            return bool(super()._search())
        except OutOfMemory:
            return False

    def _numbers(self) -> dict[str, int]:
        return super()._numbers() if self.told is None else dict(self.told)
