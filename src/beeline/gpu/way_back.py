"""A trace through the layers of a store that may take a state for another one, and has no room for marks.

A state of a layer was met from one before it, whatever the table knows. So a pass through that layer looks for the
first state with a step to it: one pass for each step of the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from beeline.engine import Found, core
from beeline.gpu.control import MARK_DEADLOCKS, MARK_PARENTS, MARK_VIOLATORS
from beeline.gpu.store import DeviceStore
from beeline.gpu.trace import Traced, ending_of, initial_goal, initial_state

NOWHERE = 2**64 - 1


def find_way_back(
    seek: Callable[[int, int, bytes], bytes | None],
    layers: int,
    space: core.ProgramSpace,
    twin: core.HostTwin,
    stop: Found,
    found: Found,
) -> Traced:
    """The trace to a deadlock of the last of so many layers, or to a step from there that is sought. `seek` is
    `LayerSeeker.first`, or does the same among several devices."""
    if layers == 1 and found is Found.GOAL and (start := initial_goal(space)):
        return start
    states = [seek(layers - 1, MARK_DEADLOCKS if found is Found.DEADLOCK else MARK_VIOLATORS, b"")]
    for layer in reversed(range(layers - 1)):
        assert states[-1] is not None, "no state of the layer leads on"
        states.append(seek(layer, MARK_PARENTS, states[-1]))
    states.reverse()
    path = [(0, initial_state(space))]
    for state in states[1:]:
        arcs = space.successor_arcs(path[-1][1])[1]
        path.append(next((a, w) for a, _, _, w in arcs if w is not None and twin.to_device(w) == state))
    return ending_of(space, tuple(path), stop)


class LayerSeeker:
    """Passes through the layers of a device, wherever they are."""

    def __init__(self, store: DeviceStore, twin: core.HostTwin, layers: Sequence[tuple[int, int]], stop: Found) -> None:
        self.store, self.twin, self.layers, self.stop = store, twin, layers, stop

    def first(self, layer: int, mode: int, target: bytes) -> bytes | None:
        """The first state of a layer that is at a violation, or has a step to the target, if there is one."""
        store = self.store
        store.control.finds = 1
        try:
            for first, end in store.stretches(*self.layers[layer]):
                if state := self._look(first, end, mode, target):
                    return state
            return None
        finally:
            store.control.finds = 0

    def _look(self, first: int, end: int, mode: int, target: bytes) -> bytes | None:
        store, c = self.store, self.store.control
        while first < end:
            store.device.write(c.input, target)
            c.origin = NOWHERE
            store.expand(first, end, mode)
            position, reached = c.origin, min(c.cursor, c.end)
            if c.left_count and (state := self._among_left(mode, target)):
                return state
            if position != NOWHERE:
                return store.state_at(position)
            first = reached
        return None

    def _among_left(self, mode: int, target: bytes) -> bytes | None:
        """As the device does, of the states that it left to the host."""
        size = 4 * self.store.words
        for states in self.store.pieces(self.store.left()):
            targets, counts, _, marks = self.twin.expand(states)
            wanted = core.DEADLOCK if mode == MARK_DEADLOCKS else self.stop.value & (core.ERROR | core.GOAL)
            begin = 0
            for i, (count, mark) in enumerate(zip(counts, marks, strict=True)):
                arcs = [targets[size * k : size * (k + 1)] for k in range(begin, begin + count)]
                if target in arcs if mode == MARK_PARENTS else mark & wanted:
                    return states[size * i : size * (i + 1)]
                begin += count
        return None
