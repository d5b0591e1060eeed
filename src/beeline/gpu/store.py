"""The states of a search in a device's memory: the table that knows them, and the ring that has them in the order of
layers."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import pairwise

from beeline.gpu.control import SEARCH, Control, control_bytes
from beeline.gpu.device import BACKWARD, FORWARD, Device, Module
from beeline.gpu.source import BITS, COMPACT, NARROW, PAIR, WIDE
from beeline.records import Record

BUCKET = 32  # bytes
LEFT_ROOM = 1 << 20  # states that can be left to the host in one launch, at most
BATCH = 1 << 16  # states that go to the device at once, at most
GROWTH = 8  # of the table
RING_SHARE = 0.25  # of the memory, for states that wait to be expanded, and others as long as there is room
LOAD, LAST_LOAD = 0.5, 0.9  # how full it may get while it can grow, and at its end
PIECE = 1 << 26  # bytes of the host's layers that the device looks at together
MOST_LAYERS = 64  # that the device goes through by itself
COUNTED = ("generated", "errors", "deadlocks", "goals", "transient", "fresh", "marked", "left_count")
NOTES = 64  # cells that are told of together, as in model.h
MARGIN = 1 << 22  # states that may be found after the device was told to end


class OutOfMemory(Exception):
    """There is no room for more states."""


class TableFull(Exception):
    """More came at once than there was room for: the search must begin again, with a larger table."""


class TooNarrow(Exception):
    """The layout has no bits for values that occur, by cell."""

    def __init__(self, values: dict[int, int]) -> None:
        super().__init__(f"cells with larger values: {values}")
        self.values = values


class Sizes(Record, frozen=True):
    """How memory is shared out."""

    memory: int
    """Bytes of the device."""
    host: int
    """Bytes of the host, for layers that the device has no room for."""
    keeps: bool
    """Whether all layers are kept, for traces."""
    buckets: int = 1 << 20
    """Of the table at first."""
    margin: int = MARGIN
    log_bits: int | None = None
    """The most bits of a table that has only bits, as a power of two."""


class DeviceStore:
    """States by position, from 0 on. Finished layers go to the host when the device needs their room."""

    def __init__(self, device: Device, module: Module, words: int, kind: str, sizes: Sizes, table: bytes = b"") -> None:
        self.device, self.module, self.words, self.sizes = device, module, words, sizes
        self.is_ring = kind != WIDE
        """Whether states are needed only until they are expanded: the table knows them."""
        whole = 8 * ((words + 1) // 2)
        self.entry = {NARROW: 8, PAIR: 16, WIDE: 4 * words, COMPACT: whole, BITS: whole}[kind]
        self.has_bits = kind == BITS
        """Whether the table is never full, and cannot grow."""
        self.slots = 2 if kind == PAIR else 4
        """In a bucket."""
        self.control = Control()
        self.spilled: list[tuple[int, bytes]] = []
        """Layers, or parts of them, that the host has: their first position, and the states."""
        self.oldest = 0
        """The first position that the device has."""
        self._blocks: dict[int, int] = {}
        self._address = self._allocate(control_bytes())
        self._put_table(table)
        self._share_out()

    def _share_out(self) -> None:
        c, sizes = self.control, self.sizes
        c.left_room = min(LEFT_ROOM, max(256, sizes.memory // 2048))
        c.left = self._allocate(8 * c.left_room)
        c.notes = self._allocate(16 * NOTES)
        c.ends = self._allocate(8 * MOST_LAYERS)
        self.batch = min(BATCH, max(256, sizes.memory // (256 * self.words)))
        c.input = self._allocate(4 * self.words * self.batch)
        c.output = self._allocate(4 * self.words * self.batch)
        rest = sizes.memory - sum(self._blocks.values())
        in_table = BUCKET / self.slots / LAST_LOAD * (1 + 1 / GROWTH)
        share = RING_SHARE if self.is_ring else self.entry / (self.entry + in_table)
        c.size = int(rest * share) // self.entry
        c.buckets = (rest - c.size * self.entry) // BUCKET
        if self.has_bits:
            c.buckets = min(c.buckets, 2 ** ((sizes.log_bits or 64) - 3) // BUCKET)
        else:
            # While the table grows, the old one and the new one are there.
            self._most_buckets = c.buckets = c.buckets * GROWTH // (GROWTH + 1)
            while c.buckets // GROWTH >= sizes.buckets:
                c.buckets //= GROWTH
        if c.size <= 2 * self.margin or c.buckets < 1:
            raise OutOfMemory
        c.states = self._allocate(c.size * self.entry)
        c.slots = self._allocate(c.buckets * BUCKET)
        self.device.clear(c.slots, c.buckets * BUCKET)

    def empty(self) -> None:
        """Forgets all states."""
        c = self.control
        c.next = c.lap = self.oldest = 0
        self.spilled.clear()
        self.device.clear(c.slots, c.buckets * BUCKET)

    def _put_table(self, table: bytes) -> None:
        """Gives the device the table of an estimate, if there is one."""
        if table:
            self.control.tables = self._allocate(len(table))
            self.device.write(self.control.tables, table)

    @property
    def margin(self) -> int:
        return min(self.sizes.margin, self.control.size // 4)

    @property
    def used(self) -> int:
        """Bytes of the device that hold something: the table, and states in the order of layers."""
        c = self.control
        return c.buckets * BUCKET + min(c.next - self.oldest, c.size) * self.entry

    # Memory

    def _allocate(self, size: int) -> int:
        try:
            address = self.device.allocate(size)
        except MemoryError:
            raise OutOfMemory from None
        self._blocks[address] = size
        return address

    def _release(self, address: int) -> None:
        del self._blocks[address]
        self.device.release(address)

    def close(self) -> None:
        """Gives back all memory."""
        for address in list(self._blocks):
            self._release(address)

    # Work

    def launch(self, kernel: str, work: int) -> Control:
        """Runs a kernel; what it counts begins at nothing. Raises `TableFull`."""
        self._reset()
        self.device.write(self._address, self.control.pack())
        self.module.launch(kernel, self._address, work)
        self._take_over()
        return self.control

    def _reset(self) -> None:
        for name in COUNTED:
            setattr(self.control, name, 0)

    def _take_over(self) -> None:
        self.control.unpack(self.device.read(self._address, control_bytes()))
        if self.control.full:
            raise TableFull

    def narrow_values(self) -> dict[int, int]:
        """Values that the layout has no bits for, by cell."""
        return read_notes(self.device.read(self.control.notes, 16 * NOTES))

    def expand(self, first: int, end: int, mode: int, parity: int = 0) -> Control:
        """Expands states by position; `cursor` tells how far that came."""
        c = self.control
        c.first, c.end, c.cursor, c.mode, c.parity = first, end, first, mode, parity
        return self.launch("beeline_expand", end - first)

    def advance(self, first: int, end: int, layers: int, large: int, stop: int) -> list[int]:
        """Expands the rest of a layer and, as long as the host has nothing to do, layers after it, so many in all.
        Returns the positions where those ended that are done; of the next one, `cursor` tells how far that came."""
        c = self.control
        c.first, c.end, c.cursor, c.mode = first, end, first, SEARCH
        c.layers, c.large, c.stop, c.halt = 0, large, stop, 0
        self._reset()
        self.device.write(self._address, c.pack())
        self.module.launch_layers(FORWARD, self._address, layers)
        self._take_over()
        c.halt = 0
        return list(struct.unpack(f"<{c.layers}Q", self.device.read(c.ends, 8 * c.layers)))

    def retreat(self, ends: Sequence[int], mode: int) -> Control:
        """Passes over layers, from the last one to the first, as long as the host has nothing to do: from each of these
        positions to the one before, which are at most one more than `MOST_LAYERS`. `first` tells how far that came."""
        c = self.control
        self.device.write(c.ends, struct.pack(f"<{len(ends) - 1}Q", *ends[1:]))
        c.first = c.cursor = ends[1]
        c.end, c.mode, c.count, c.layers, c.halt = ends[0], mode, len(ends) - 1, 0, 0
        self._turn_to(self.oldest)
        self._reset()
        self.device.write(self._address, c.pack())
        self.module.launch_layers(BACKWARD, self._address, MOST_LAYERS)
        self._take_over()
        c.halt = 0
        return c

    def sweep(self, first: int, end: int, mode: int) -> Control:
        """Passes over states by position; `cursor` tells how far that came."""
        c = self.control
        c.first, c.end, c.cursor, c.mode = first, end, first, mode
        return self.launch("beeline_pass", end - first)

    def choose(self, first: int, end: int) -> None:
        """Looks for one of the accepting states with the mark among those at some positions."""
        self.control.first, self.control.end = first, end
        self.launch("beeline_choose", end - first)

    def remark(self, how: int) -> int:
        """Changes the marks of all states, and tells how many are on then."""
        self.control.mode = how
        return self.launch("beeline_remark", self.control.buckets * self.slots).marked

    def left(self) -> bytes:
        """The states that the last expansion left to the host."""
        c = self.control
        count = c.left_count
        positions = self.device.read(c.left, 8 * count)
        states = []
        for first in range(0, count, self.batch // 2):  # a position may be larger than a state
            piece = positions[8 * first : 8 * (first + self.batch // 2)]
            self.device.write(c.input, piece)
            c.count = len(piece) // 8
            self.launch("beeline_fetch", c.count)
            states.append(self.device.read(c.output, 4 * self.words * c.count))
        return b"".join(states)

    def state_at(self, position: int) -> bytes:
        """One of the states that the device can look at, as words."""
        c = self.control
        self.device.write(c.input, struct.pack("<Q", position))
        c.count = 1
        self.launch("beeline_fetch", 1)
        return self.device.read(c.output, 4 * self.words)

    def pieces(self, states: bytes) -> Sequence[bytes]:
        """States in pieces that the device takes at once."""
        size = 4 * self.words * self.batch
        return [states[first : first + size] for first in range(0, len(states), size)]

    def give(self, kernel: str, states: bytes) -> Control:
        """Runs a kernel on states of the host, no more than one piece."""
        c = self.control
        self.device.write(c.input, states)
        c.count = len(states) // (4 * self.words)
        return self.launch(kernel, c.count)

    def ask(self, states: bytes, parity: int) -> bytes:
        """For each state 2 if it has the mark, 1 if it is stored, 0 if not."""
        answers = []
        self.control.parity = parity
        for piece in self.pieces(states):
            c = self.give("beeline_ask", piece)
            answers.append(self.device.read(c.output, c.count))
        return b"".join(answers)

    # Room

    def make_room(self, first: int, wanted: int = 1) -> None:
        """Sets how many states may be stored while those from `first` on are expanded; raises `OutOfMemory` if there is
        no room for any."""
        c = self.control
        if not self.sizes.keeps:
            self.oldest = first if self.is_ring else 0
        while not self.has_bits and c.next + wanted > self._table_limit():
            if not self._grow():
                if c.next + wanted > int(LAST_LOAD * c.buckets * self.slots):
                    raise OutOfMemory
                break
        if c.next + wanted > self._ring_limit() - self.margin:
            self._spill(first)
            if c.next + wanted > self._ring_limit() - self.margin:
                raise OutOfMemory
        self._turn_to(first)
        c.limit = self._ring_limit()
        c.room = c.limit - self.margin
        if not self.has_bits:
            c.room = min(c.room, self._table_limit())

    def _table_limit(self) -> int:
        share = LOAD if self._next_size() > self.control.buckets else LAST_LOAD
        return int(share * self.control.buckets * self.slots)

    def _ring_limit(self) -> int:
        return self.oldest + self.control.size

    def _next_size(self) -> int:
        """Buckets of the table after it grew."""
        return min(GROWTH * self.control.buckets, self._most_buckets)

    def _grow(self) -> bool:
        c, larger = self.control, self._next_size()
        if larger <= c.buckets:
            return False
        try:
            slots = self._allocate(larger * BUCKET)
        except OutOfMemory:
            self._most_buckets = c.buckets
            return False
        self.device.clear(slots, larger * BUCKET)
        c.old_slots, c.old_buckets, c.slots, c.buckets = c.slots, c.buckets, slots, larger
        self.launch("beeline_move", c.old_buckets * self.slots)
        self._release(c.old_slots)
        return True

    def _spill(self, first: int) -> None:
        """Takes finished states from the device to the host."""
        if not self.is_ring or not self.sizes.keeps or first == self.oldest:
            return
        held = sum(len(states) for _, states in self.spilled)
        if held + (first - self.oldest) * self.entry > self.sizes.host:
            return
        self.spilled += [(start, self.read(start, end)) for start, end in self._straight(self.oldest, first)]
        self.oldest = first

    @property
    def spilled_states(self) -> int:
        """How many states the host has."""
        return sum(len(states) for _, states in self.spilled) // self.entry

    def _straight(self, first: int, end: int) -> list[tuple[int, int]]:
        """Positions in parts of which each is one stretch of memory."""
        size = self.control.size
        cuts = [first, *range((first // size + 1) * size, end, size), end]
        return list(pairwise(cuts))

    def _turn_to(self, first: int) -> None:
        """Positions are those of the ring, from this one on."""
        c = self.control
        c.lap = first // c.size * c.size if self.is_ring else 0

    def read(self, first: int, end: int) -> bytes:
        """The states at positions that are one stretch of memory, as the device keeps them."""
        c = self.control
        index = first % c.size if self.is_ring else first
        return self.device.read(c.states + index * self.entry, (end - first) * self.entry)

    def stretches(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """Positions in parts that the device can look at while they are handed out: those that the host has are brought
        there."""
        c = self.control
        ring = c.states, c.size
        most = PIECE // self.entry
        staging = 0
        try:
            for start, states in self.spilled:
                count = len(states) // self.entry
                for piece in range(max(first, start), min(end, start + count), most):
                    last = min(end, start + count, piece + most)
                    staging = staging or self._allocate(PIECE)
                    self.device.write(staging, states[(piece - start) * self.entry : (last - start) * self.entry])
                    c.states, c.size, c.lap = staging, most, piece
                    yield piece, last
        finally:
            c.states, c.size = ring
            if staging:
                self._release(staging)
        if max(first, self.oldest) < end:
            self._turn_to(max(first, self.oldest))
            yield max(first, self.oldest), end


def read_notes(notes: bytes) -> dict[int, int]:
    """Values by cell, as kernels note them: cells and one, then values."""
    numbers = struct.unpack(f"<{2 * NOTES}Q", notes)
    return {cell - 1: _signed(value) for cell, value in zip(numbers[:NOTES], numbers[NOTES:], strict=True) if cell}


def _signed(value: int) -> int:
    return value - (1 << 32) if value >= 1 << 31 else value
