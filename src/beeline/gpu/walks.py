"""Many random walks at once on a device: where a violation lies deep and is not rare, they find it soon."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from beeline.engine import Found, Outcome, Progress, Statistics, Status, core
from beeline.engine.budget import SEARCHING
from beeline.engine.limits import Limits
from beeline.gpu.control import Control, control_bytes
from beeline.gpu.device import Device, Module
from beeline.gpu.search import Preparation
from beeline.gpu.source import walk_source
from beeline.gpu.store import NOTES, read_notes
from beeline.gpu.trace import Traced, ending_of
from beeline.records import Record

FIRST_WALKS, MOST_WALKS = 1 << 12, 1 << 24  # in one launch
SECONDS = 0.25  # that one launch should take, for limits and progress
NOTHING = 2**64 - 1
WALK_BITS, LENGTHS = 40, 8  # as in walk.h


class Walks(Record, frozen=True):
    """What is asked of random walks."""

    stop: Found
    limits: Limits = Limits()
    progress: Progress | None = None
    walks: int = 1_000_000
    length: int = 64
    """Steps of the shortest walks; others have twice as many, and so on, eight times."""
    seed: int = 0


def walk(device: Device, program: core.Program, asked: Walks, preparation: Preparation | None = None) -> Outcome:
    """Walks until something is found. The shortest of what a round found is reported, without its loops."""
    began = monotonic()
    if preparation is None:
        preparation = Preparation(device, program, walks=True)
        preparation.run()
    return _Walking(device, program, preparation.result(), asked, began).run()


class _Walking:
    def __init__(self, device: Device, program: core.Program, twin: core.HostTwin, asked: Walks, began: float) -> None:
        self.device, self.twin, self.asked = device, twin, asked
        self.space = core.ProgramSpace(program)
        self.control = Control()
        self.began = self.told_at = began
        self.steps = self.done = 0
        self._blocks: list[int] = []

    def run(self) -> Outcome:
        try:
            while True:
                status, traced = self._walk_on(self.device.load(walk_source(self.twin)))
                if status is not None:
                    return self._outcome(status, traced)
        finally:
            self._release()

    def _walk_on(self, module: Module) -> tuple[Status | None, Traced | None]:
        """How it ends, and with what; None if the layout was changed and the walks must begin again."""
        asked, count = self.asked, FIRST_WALKS
        try:
            c = self._set_up()
            while self.done < asked.walks:
                c.first, c.end, c.found, c.steps = self.done, min(asked.walks, self.done + count), NOTHING, 0
                launched = monotonic()
                self._launch(module, "beeline_walk", c.end - c.first)
                self.steps += c.steps
                self.done = c.end
                if c.found != NOTHING:
                    return Status.FOUND, self._follow(module, c.found >> WALK_BITS, c.found % (1 << WALK_BITS))
                if c.narrow:
                    self.twin.widen(read_notes(self.device.read(c.notes, 16 * NOTES)))
                    return None, None
                if monotonic() - launched < SECONDS / 2:
                    count = min(2 * count, MOST_WALKS)
                if status := self._watch(monotonic() - launched):
                    return status, None
        except core.LayoutChanged:
            return None, None
        except KeyboardInterrupt:
            return Status.INTERRUPTED, None
        return Status.GAVE_UP, None

    def _set_up(self) -> Control:
        self._release()
        words = self.twin.words
        self.control = c = Control()
        self.address = self._allocate(control_bytes())
        c.input = self._allocate(4 * words)
        c.output = self._allocate(4 * words * ((self.asked.length << LENGTHS) + 1))
        c.notes = self._allocate(16 * NOTES)
        c.stop, c.seed, c.length = self.asked.stop.value, self.asked.seed, self.asked.length
        self.device.write(c.input, self.twin.to_device(self._initial()))
        return c

    def _initial(self) -> tuple[int, ...]:
        return next(words for *_, words in self.space.initial_arcs() if words is not None)

    def _allocate(self, size: int) -> int:
        self._blocks.append(self.device.allocate(size))
        return self._blocks[-1]

    def _release(self) -> None:
        while self._blocks:
            self.device.release(self._blocks.pop())

    def _launch(self, module: Module, kernel: str, work: int) -> None:
        self.device.write(self.address, self.control.pack())
        module.launch(kernel, self.address, work)
        self.control.unpack(self.device.read(self.address, control_bytes()))

    def _watch(self, launch: float) -> Status | None:
        """Time is up when there is none for another launch."""
        limits, now = self.asked.limits, monotonic()
        if self.asked.progress is not None and now - self.told_at > SECONDS:
            self.told_at = now
            numbers = Statistics(expanded=self.steps, seconds=now - self.began, phase=SEARCHING)
            self.asked.progress(numbers)
        return Status.TIME if limits.time is not None and now - self.began + launch > limits.time else None

    def _follow(self, module: Module, steps: int, number: int) -> Traced:
        """The walk that found something, state by state, and what is at its end."""
        c, size = self.control, 4 * self.twin.words
        c.first, c.count = number, steps
        self._launch(module, "beeline_follow", 1)
        states = self.device.read(c.output, size * (steps + 1))
        path = [(0, self._initial())]
        for step in range(1, steps + 1):
            wanted = states[step * size : (step + 1) * size]
            arcs = self.space.successor_arcs(path[-1][1])[1]
            ways = ((action, words) for action, _, _, words in arcs if words is not None)
            path.append(next(way for way in ways if self.twin.to_device(way[1]) == wanted))
        return ending_of(self.space, without_loops(path), self.asked.stop)

    def _outcome(self, status: Status, traced: Traced | None) -> Outcome:
        path = () if traced is None else traced.path
        return Outcome(
            core.make_outcome(
                status=status.value,
                found=0 if traced is None else traced.found.value,
                counts={"expanded": self.steps, "depth": max(0, len(path) - 1)},
                seconds=monotonic() - self.began,
                path=list(path),
                error_action=0 if traced is None else traced.error_action,
                error_detail=0 if traced is None else traced.error_detail,
            ),
            self.device.kind,
        )


def without_loops(path: Sequence[tuple[int, tuple[int, ...]]]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """A path without what lies between two visits of a state.

    >>> without_loops([(0, (1,)), (5, (2,)), (6, (1,)), (7, (3,))])
    ((0, (1,)), (7, (3,)))
    """
    last = {state: position for position, (_, state) in enumerate(path)}
    kept, position = [], 0
    while position < len(path):
        kept.append((path[position][0], path[position][1]))
        position = last[path[position][1]] + 1
    return tuple(kept)
