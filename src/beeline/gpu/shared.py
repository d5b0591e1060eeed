"""Breadth-first search by several devices: each has the states that are its own by a hash, and they go from layer to
layer together.

Each expands some states; those that it finds for others wait in its memory. When all have ended, each copies its own
from there and stores those that are new. A thread works with each device, so that they work at the same time.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from time import monotonic
from typing import TypeVar

from beeline.engine import Found
from beeline.gpu.control import SEARCH, Control
from beeline.gpu.device import Device
from beeline.gpu.search import COUNTS, FIRST_CHUNK, MOST_NARROW, Attempt, fitting_chunk
from beeline.gpu.store import DeviceStore, OutOfMemory, Sizes, TableFull, TooNarrow
from beeline.gpu.trace import Traced
from beeline.gpu.way_back import LayerSeeker, find_way_back
from beeline.records import replace

OUTBOX_SHARE = 8  # part of the memory, for states that belong to others
T = TypeVar("T")


class Part:
    """The states of one device, and the thread that works with it."""

    def __init__(self, device: Device, number: int, count: int) -> None:
        self.device, self.number, self.count = device, number, count
        self.layers: list[tuple[int, int]] = []
        self.position = 0
        """The next state to be expanded."""
        self.launch = 0.0
        """Seconds of the last one."""
        self.counts = dict.fromkeys(COUNTS, 0)
        """What was counted and not told yet."""
        self.left = b""
        """States of the last launch whose steps the host must find."""
        self.narrow: dict[int, int] = {}
        """Values that the layout had no bits for then."""
        self._chunk = FIRST_CHUNK
        self._worker = ThreadPoolExecutor(1, f"beeline-gpu-{number}", device.enter)

    def begin(self, work: Callable[[], T]) -> Future[T]:
        """Has the thread do some work."""
        return self._worker.submit(work)

    def do(self, work: Callable[[], T]) -> T:
        return self.begin(work).result()

    def close(self) -> None:
        if hasattr(self, "store"):
            self.do(self._close)
        self._worker.shutdown()

    def _close(self) -> None:
        for address in (self.store.control.outbox, self.store.control.sent):
            self.device.release(address)
        self.store.close()

    # What the thread does

    def open(self, source: str, words: int, kind: str, sizes: Sizes) -> None:
        """Loads the code and shares out the memory."""
        room = sizes.memory // OUTBOX_SHARE
        limit = room // (4 * words * self.count)
        try:
            outbox, sent = self.device.allocate(4 * words * limit * self.count), self.device.allocate(8 * self.count)
        except MemoryError:
            raise OutOfMemory from None
        rest = replace(sizes, memory=sizes.memory - room - 8 * self.count)
        self.store = DeviceStore(self.device, self.device.load(source), words, kind, rest)
        c = self.store.control
        c.devices, c.own, c.outbox, c.sent = self.count, self.number, outbox, sent
        c.sent_limit, c.sent_room = limit, limit // 2

    def expand(self) -> None:
        """Expands some of the states of the last layer that wait."""
        first, end, c = self.position, self.layers[-1][1], self.store.control
        self.device.clear(c.sent, 8 * self.count)
        self.left, self.narrow = b"", {}
        if first == end:
            return
        self.store.make_room(first)
        began = monotonic()
        try:
            self.store.expand(first, min(end, first + self._chunk), SEARCH)
        except TableFull:
            if max(self.sent()) > c.sent_limit:  # which a larger table does not change
                raise OutOfMemory from None
            raise
        self.launch = monotonic() - began
        self.position = min(c.cursor, c.end)
        self._chunk = fitting_chunk(self._chunk, self.launch, self.position - first)
        self._add(c)
        if c.left_count:
            self.narrow = self.store.narrow_values() if c.narrow else {}
            self.left = self.store.left()

    def sent(self) -> tuple[int, ...]:
        """How many states wait for each device."""
        return struct.unpack(f"<{self.count}Q", self.device.read(self.store.control.sent, 8 * self.count))

    def receive(self, parts: Sequence[Part], waiting: Sequence[tuple[int, ...]]) -> None:
        """Stores what others found."""
        for part, counts in zip(parts, waiting, strict=True):
            for first in range(0, counts[self.number], self.store.batch):
                self._fetch(part, first, min(self.store.batch, counts[self.number] - first))

    def _fetch(self, part: Part, first: int, count: int) -> None:
        c, there, size = self.store.control, part.store.control, 4 * self.store.words
        self.store.make_room(self.position, count)
        address = there.outbox + (self.number * there.sent_limit + first) * size
        self.device.copy(c.input, part.device, address, count * size)
        c.count = count
        self._add(self.store.launch("beeline_insert", count))

    def give(self, states: bytes) -> None:
        """Stores those of some states of the host that belong here."""
        for piece in self.store.pieces(states):
            self.store.make_room(self.position, len(piece) // (4 * self.store.words))
            self._add(self.store.give("beeline_insert", piece))

    def _add(self, c: Control) -> None:
        for name in COUNTS:
            self.counts[name] += getattr(c, name)

    def end_layer(self) -> None:
        """What was stored since the last layer ended is the next one."""
        self.layers.append((self.position, self.store.control.next))


class SharedAttempt(Attempt):
    """One try by several devices."""

    def _new_store(self) -> DeviceStore:
        devices = (self.device, *self.device.others)
        self.parts = [Part(device, number, len(devices)) for number, device in enumerate(devices)]
        kind = self._kind()
        source = self._source(kind)
        self._all(lambda part: part.open(source, self.twin.words, kind, self._sizes(part.device)))
        return self.parts[0].store

    def close(self) -> None:
        for part in getattr(self, "parts", ()):
            part.close()

    def _all(self, work: Callable[[Part], T]) -> list[T]:
        """Has all devices do some work at the same time."""
        begun = [part.begin(partial(work, part)) for part in self.parts]
        return [one.result() for one in begun]

    def _search(self) -> Found:
        self._give(b"".join(self.twin.to_device(words) for _, _, _, words in self._first_arcs() if words is not None))
        self._end_layer()
        if self.setup.stop & Found.GOAL and self.counts["goals"]:
            return Found.GOAL
        while self.layers[-1][0] < self.layers[-1][1]:
            while any(part.position < part.layers[-1][1] for part in self.parts):
                self._go_through_some()
                self._watch()
            self._end_layer()
            if found := self._found():
                self._drop_layer()
                return found
            self.seen = dict.fromkeys(COUNTS, 0)
        self._drop_layer()
        return Found.NOTHING

    def _end_layer(self) -> None:
        for part in self.parts:
            part.end_layer()
        first = self.layers[-1][1] if self.layers else 0
        self.layers.append((first, self.stored))

    def _drop_layer(self) -> None:
        self.layers.pop()
        for part in self.parts:
            part.layers.pop()

    def _go_through_some(self) -> None:
        self._all(Part.expand)
        self.position = sum(part.position for part in self.parts)
        self.launch = max(part.launch for part in self.parts)
        waiting = self._all(Part.sent)
        self._all(lambda part: part.receive(self.parts, waiting))
        self._take_counts()
        for part in self.parts:
            if part.narrow:
                self.narrow += len(part.left) // (4 * part.store.words)
                if self.narrow > MOST_NARROW:
                    raise TooNarrow(part.narrow)
            for piece in part.store.pieces(part.left):
                self._give(self._targets_of(piece))

    def _give(self, states: bytes) -> None:
        self._all(lambda part: part.give(states))
        self._take_counts()

    def _take_counts(self) -> None:
        for part in self.parts:
            self._add(part.counts)
            part.counts = dict.fromkeys(COUNTS, 0)

    @property
    def stored(self) -> int:
        return sum(part.store.control.next for part in self._open_parts())

    @property
    def used(self) -> int:
        return sum(part.store.used for part in self._open_parts())

    def _open_parts(self) -> list[Part]:
        return [part for part in getattr(self, "parts", ()) if hasattr(part, "store")]

    def _trace(self, found: Found) -> Traced:
        return find_way_back(self._seek, len(self.layers), self.space, self.twin, self.setup.stop, found)

    def _seek(self, layer: int, mode: int, target: bytes) -> bytes | None:
        """A state of a layer, wherever it is."""
        for part in self.parts:
            seeker = LayerSeeker(part.store, self.twin, part.layers, self.setup.stop)
            if state := part.do(partial(seeker.first, layer, mode, target)):
                return state
        return None
