"""Breadth-first search on a device: the host says which layer is expanded, and does what the device leaves to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp, expm1
from time import monotonic

from beeline.engine import Found, Outcome, Progress, Statistics, Status, core
from beeline.engine.budget import SEARCHING
from beeline.engine.limits import Limits, default_memory
from beeline.gpu.control import PROBE, SEARCH, Control
from beeline.gpu.device import Device
from beeline.gpu.source import BITS, COMPACT, PLAIN, device_source, store_for, walk_source
from beeline.gpu.store import MOST_LAYERS, DeviceStore, OutOfMemory, Sizes, TableFull, TooNarrow
from beeline.gpu.trace import Traced, find_trace
from beeline.gpu.way_back import LayerSeeker, find_way_back
from beeline.records import Record, replace

SAMPLE = 100_000  # states from which the values are learnt that occur
LARGE = 1 << 20  # states of a layer that is shared out by the host
FIRST_CHUNK, LAST_CHUNK = 1 << 20, 1 << 30  # states of such a layer that are expanded in one launch
MOST_WALKING = 16  # words of a state that walks have as it is: what they do not store may as well be wide
MOST_NARROW = 10_000  # states that are left to the host because the layout is too narrow, before it is changed
SECONDS = 0.25  # that one launch should take, for limits and progress
SHARE = 0.96  # of the device's free memory
HASHES = 2**61  # that states can have in a store that keeps nothing else of them
COUNTS = ("generated", "errors", "deadlocks", "goals", "transient")


class Ended(Exception):
    """A limit was reached."""

    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status = status


NEVER, ENDLESS = 2**64 - 1, 2**62
"""Steps of ways that there are not, and of those that an estimate sees no end of."""


class Aim(Record, frozen=True):
    """The estimate that a search goes by."""

    lookup: core.Lookup
    prunes: bool
    """Whether dead ends are none of the search's business: nothing is sought behind them."""


class Setup(Record, frozen=True):
    """What is asked of a search, and how far it may go."""

    stop: Found = Found.NOTHING
    limits: Limits = Limits()
    progress: Progress | None = None
    store: str = PLAIN
    """One that may take a state for another one, to need less memory, or not."""
    log_bits: int | None = None
    """The most bits of a table that has only bits, as a power of two; all memory by default."""
    keeps: bool = True
    """Whether layers are kept, so that a trace can be found."""
    sample: int = SAMPLE
    memory: int | None = None
    """Bytes of the device; a share of what it has by default."""
    buckets: int = 1 << 20
    margin: int | None = None
    aim: Aim | None = None
    first_look: int = 1 << 22
    """States after which it is first looked whether some lie on a cycle that is sought, before all are known."""

    @property
    def lookup(self) -> core.Lookup | None:
        """What an estimate is looked up in."""
        return None if self.aim is None else self.aim.lookup

    @property
    def seeks_cycle(self) -> bool:
        """Whether runs that go on for ever are sought, too."""
        return Found.CYCLE in self.stop


class Told(Record, frozen=True):
    """How a search on a device went, besides its outcome."""

    device: str
    store: str
    key_bits: int
    words: int
    compiling: float
    searching: float
    tracing: float
    left: int
    """States whose steps the host had to find."""
    restarts: int
    spilled: int
    """States that the host kept for the device."""
    buckets: int
    """Of the table in the end."""
    layers: tuple[int, ...]
    rounds: int
    """How often a search that goes by an estimate began again, with a larger bound."""


class Preparation:
    """What comes before a search: values are learnt, and the code for the layout that suits them is compiled."""

    def __init__(
        self,
        device: Device,
        program: core.Program,
        sample: int = SAMPLE,
        walks: bool = False,
        store: str = PLAIN,
        lookup: core.Lookup | None = None,
        cycles: bool = False,
    ) -> None:
        self._device, self._program, self._sample, self._walks = device, program, sample, walks
        self._asked, self._lookup, self._cycles = store, lookup, cycles
        self._twin: core.HostTwin | None = None
        self._failed: BaseException | None = None

    def run(self, then: Callable[[], object] = lambda: None) -> None:
        """Does it, and calls `then` whatever becomes of it; to be called once, perhaps by another thread."""
        try:
            twin = core.HostTwin(self._program)
            if not self._walks or twin.words > MOST_WALKING:
                twin.sample(self._sample)
            store = store_for(twin, self._device.has_pairs, self._asked)
            self._device.prepare(
                walk_source(twin)
                if self._walks
                else device_source(twin, store, self._lookup, self._cycles, bool(self._device.others))
            )
            self._twin = twin
        except BaseException as error:  # belongs to whoever asks for the result
            self._failed = error
        finally:
            then()

    def result(self) -> core.HostTwin:
        """The host's side of the program, in the layout that was chosen."""
        if self._failed is not None:
            raise self._failed
        assert self._twin is not None
        return self._twin


def missed_by_bits(states: int, numbers: int) -> float:
    """How many more states can be expected that were taken for others, where each sets three bits of one of so many
    numbers of 64 bits: those that came at equal distances between the first and the last had those odds on average."""
    samples = 64
    return sum(_covered(states * (i + 0.5) / samples / numbers) for i in range(samples)) * states / samples


def _covered(load: float) -> float:
    """The odds that three bits of a number are set by others, of which there are `load` on average."""
    total, odds, others = 0.0, exp(-load), 0
    while others <= load or odds > 1e-12:
        total += odds * (1 - (1 - 1 / 64) ** (3 * others)) ** 3
        others += 1
        odds *= load / others
    return total


def search(
    device: Device, program: core.Program, setup: Setup, preparation: Preparation | None = None
) -> tuple[Outcome, Told]:
    """Searches a program's states, breadth first. Counts, verdicts, depths and traces are those of the engine's own
    search. Raises `core.TooManyProcesses` as that does."""
    if preparation is None:
        preparation = Preparation(
            device, program, setup.sample, store=setup.store, lookup=setup.lookup, cycles=setup.seeks_cycle
        )
        preparation.run()
    kind = Attempt
    if setup.seeks_cycle:
        from beeline.gpu.cycles import CycleAttempt

        kind = CycleAttempt
    elif device.others:
        from beeline.gpu.shared import SharedAttempt

        kind = SharedAttempt
    twin = preparation.result()
    began, restarts = monotonic(), 0
    while True:
        attempt = kind(device, program, twin, setup, began, restarts)
        try:
            return attempt.run()
        except TooNarrow as more:
            twin.widen(more.values)
        except core.LayoutChanged:
            pass
        except TableFull:
            setup = replace(setup, buckets=8 * setup.buckets)
        finally:
            attempt.close()
        restarts += 1


def fitting_chunk(chunk: int, seconds: float, states: int) -> int:
    """How many states to expand in a launch, after one of at most `chunk` expanded so many in so many seconds."""
    if seconds < SECONDS / 2 and states == chunk:
        return min(2 * chunk, LAST_CHUNK)
    return max(chunk // 2, FIRST_CHUNK) if seconds > 2 * SECONDS else chunk


class Attempt:
    """One try, with one layout and one size of the table to begin with."""

    def __init__(
        self, device: Device, program: core.Program, twin: core.HostTwin, setup: Setup, began: float, restarts: int
    ) -> None:
        self.device, self.program, self.twin, self.setup = device, program, twin, setup
        self.began, self.restarts = began, restarts
        self.space = core.ProgramSpace(program)
        self.counts = dict.fromkeys(COUNTS, 0)
        self.layers: list[tuple[int, int]] = []
        self.seen = dict.fromkeys(COUNTS, 0)
        """The counts of the layer that is expanded."""
        self.position = 0
        """The next state to be expanded."""
        self.left = self.narrow = self.peak = 0
        self.rounds = self.expanded_before = 0
        self.launch = 0.0
        """Seconds of the last one."""
        self.chunk = FIRST_CHUNK
        self.told_at = began
        self.store: DeviceStore | None = None

    def close(self) -> None:
        if self.store is not None:
            self.store.close()

    def run(self) -> tuple[Outcome, Told]:
        start = monotonic()
        kind, aim = self._kind(), self.setup.aim
        self.module = self.device.load(self._source(kind))
        compiled = monotonic()
        status, traced, tracing = Status.EXHAUSTED, None, 0.0
        try:
            self.store = self._new_store()
            found = self._search() if aim is None else self._search_by_bounds(aim)
            searched = monotonic()
            if found:
                status = Status.FOUND
                traced = self._trace(found)
                tracing = monotonic() - searched
        except OutOfMemory:
            status = Status.MEMORY
        except KeyboardInterrupt:
            status = Status.INTERRUPTED
        except Ended as end:
            status = end.status
        searching = monotonic() - compiled - tracing
        told = Told(
            device=self.device.name,
            store=kind,
            key_bits=self.twin.key_bits,
            words=self.twin.words,
            compiling=compiled - start,
            searching=searching,
            tracing=tracing,
            left=self.left,
            restarts=self.restarts,
            spilled=0 if self.store is None else self.store.spilled_states,
            buckets=0 if self.store is None else self.store.control.buckets,
            layers=tuple(end - first for first, end in self.layers),
            rounds=self.rounds,
        )
        if self.setup.store != PLAIN and status is Status.EXHAUSTED:
            status = Status.GAVE_UP
        outcome = Outcome(self._outcome(status, traced), self.device.kind)
        if kind in (BITS, COMPACT):
            outcome.omission = -expm1(-self._expected_missed(kind, outcome.statistics.stored))
        return outcome, told

    def _kind(self) -> str:
        return store_for(self.twin, self.device.has_pairs, self.setup.store)

    def _source(self, kind: str) -> str:
        setup = self.setup
        return device_source(self.twin, kind, setup.lookup, setup.seeks_cycle, bool(self.device.others))

    def _new_store(self) -> DeviceStore:
        table = b"" if self.setup.aim is None else self.setup.aim.lookup.table
        return DeviceStore(self.device, self.module, self.twin.words, self._kind(), self._sizes(self.device), table)

    def _trace(self, found: Found) -> Traced:
        """How what was found last is reached."""
        assert self.store is not None
        stop = self.setup.stop
        if self.setup.store == PLAIN:
            return find_trace(self.store, self.space, self.twin, self.layers, stop, found)
        seeker = LayerSeeker(self.store, self.twin, self.layers, stop)
        return find_way_back(seeker.first, len(self.layers), self.space, self.twin, stop, found)

    def _expected_missed(self, kind: str, states: int) -> float:
        if kind == COMPACT:
            return states**2 / 2 / HASHES
        return 0.0 if self.store is None else missed_by_bits(states, 4 * self.store.control.buckets)

    def _sizes(self, device: Device) -> Sizes:
        setup = self.setup
        memory = setup.memory or int(SHARE * device.available())
        if setup.limits.memory is not None:
            memory = min(memory, setup.limits.memory)
        sizes = Sizes(memory, default_memory() // 2, setup.keeps, setup.buckets, log_bits=setup.log_bits)
        return sizes if setup.margin is None else replace(sizes, margin=setup.margin)

    def _search_by_bounds(self, aim: Aim) -> Found:
        """Goes through the layers of the states that may lie on a way of at most so many steps, and begins again with a
        larger bound until something is found, or no state was passed over.

        No state of a shortest way is passed over if the estimate is admissible and the bound is at least the way's
        length (Zhou and Hansen, Breadth-first heuristic search, ICAPS 2004). So the bound may be larger, too: it grows
        in larger steps where small ones bring few states more."""
        assert self.store is not None
        c, step, before = self.store.control, 1, 0
        c.bound, c.dead_end = 0, NEVER if aim.prunes else ENDLESS
        while True:
            c.least, cut = NEVER, None
            try:
                found = self._search()
            except Ended as end:
                if end.status is not Status.DEPTH:
                    raise
                found, cut = Found.NOTHING, end
            if found or c.least == NEVER:
                if cut is not None:
                    raise cut
                return found
            step = 2 * step if c.next < 2 * before else 1
            before = c.next
            c.bound = c.least + step - 1
            self._begin_round()

    def _begin_round(self) -> None:
        assert self.store is not None
        self.rounds += 1
        self.expanded_before += self.position
        self.position = 0
        self.store.empty()
        self.layers.clear()
        self.seen = dict.fromkeys(COUNTS, 0)
        self.counts = {**self.seen, "generated": self.counts["generated"]}

    def _search(self) -> Found:
        """Goes from layer to layer until something is found, or there are no more; says what was."""
        store, depth = self.store, self.setup.limits.depth
        assert store is not None
        states = b"".join(self.twin.to_device(words) for _, _, _, words in self._first_arcs() if words is not None)
        store.make_room(0)
        store.control.level = 0
        self._count(store.give("beeline_insert", states))
        self.layers.append((0, store.control.next))
        if self.setup.stop & Found.GOAL and self.counts["goals"]:
            return Found.GOAL
        while self.layers[-1][0] < self.layers[-1][1]:
            if depth is not None and len(self.layers) > depth:
                return self._probe(*self.layers[-1])
            if self._go_on(None if depth is None else depth - len(self.layers) + 1):
                if found := self._found():
                    self.layers.pop()
                    return found
                self.seen = dict.fromkeys(COUNTS, 0)
                if found := self._look_back():
                    return found
            self._watch()
        self.layers.pop()
        return Found.NOTHING

    def _first_arcs(self) -> list[tuple[int, int, int, tuple[int, ...] | None]]:
        """Those to the states in which the search begins."""
        return self.space.initial_arcs()

    def _look_back(self) -> Found:
        """What is sought and lies among all states that are known, after a layer."""
        return Found.NOTHING

    def _found(self) -> Found:
        """What is sought and was seen in the layer that was finished last."""
        stop, seen = self.setup.stop, self.seen
        if stop & Found.DEADLOCK and seen["deadlocks"]:
            return Found.DEADLOCK
        if (stop & Found.ERROR and seen["errors"]) or (stop & Found.GOAL and seen["goals"]):
            return stop & (Found.ERROR | Found.GOAL)
        return Found.NOTHING

    def _go_on(self, layers: int | None) -> bool:
        """Expands more states of the last layer, and perhaps some layers after it, no more than so many; whether that
        ended at the end of a layer."""
        store, first, end = self.store, self.position, self.layers[-1][1]
        assert store is not None
        c, done = store.control, []
        c.level = len(self.layers)
        store.make_room(first)
        launched = monotonic()
        if end - first > LARGE:
            store.expand(first, min(end, first + self.chunk), SEARCH)
            self.chunk = fitting_chunk(self.chunk, monotonic() - launched, min(c.cursor, c.end) - first)
        else:
            several = layers is None or layers >= MOST_LAYERS
            done = store.advance(first, end, MOST_LAYERS if several else 1, LARGE, self.setup.stop.value)
        self.launch = monotonic() - launched
        self._count(c)
        for last in done:
            self.layers.append((self.layers[-1][1], last))
        self.position = min(c.cursor, c.end)
        if done and c.cursor == c.first:
            return True
        if c.left_count:
            self._do_what_is_left()
        if self.position < self.layers[-1][1]:
            return False
        self.layers.append((self.position, c.next))
        return True

    def _do_what_is_left(self) -> None:
        """Finds the steps that the device did not."""
        store = self.store
        assert store is not None
        store.control.level = len(self.layers)
        states = store.left()
        if store.control.narrow:
            self.narrow += len(states) // (4 * store.words)
            if self.narrow > MOST_NARROW:
                raise TooNarrow(store.narrow_values())
        for piece in store.pieces(states):
            for part in store.pieces(self._targets_of(piece)):
                store.make_room(self.layers[-1][0], len(part) // (4 * store.words))
                self._count(store.give("beeline_insert", part))

    def _targets_of(self, states: bytes) -> bytes:
        """The targets of steps that the device did not find; other things are counted."""
        targets, counts, errors, marks = self._expand_here(states)
        self.left += len(counts)
        deadlocks = sum(bool(mark & core.DEADLOCK) for mark in marks)
        self._add({"generated": sum(counts) + sum(errors), "errors": sum(errors), "deadlocks": deadlocks})
        return targets

    def _expand_here(self, states: bytes) -> tuple[bytes, list[int], list[int], list[int]]:
        return self.twin.expand(states)

    def _probe(self, first: int, end: int) -> Found:
        """The layer at the depth bound: deadlocks are looked for, and whether anything lies behind it."""
        store, stop = self.store, self.setup.stop
        assert store is not None
        cut = False
        deadlocks = 0
        store.make_room(first, 0)
        while first < end:
            c = store.expand(first, min(end, first + self.chunk), PROBE)
            self._count(c)
            deadlocks += c.deadlocks
            cut = cut or c.fresh > 0 or bool(stop & Found.ERROR and c.errors)
            first = min(c.cursor, c.end)
            if c.left_count:
                targets, _, errors, marks = self._expand_here(store.left())
                deadlocks += sum(bool(mark & core.DEADLOCK) for mark in marks)
                cut = cut or 0 in store.ask(targets, 0) or bool(stop & Found.ERROR and sum(errors))
        if stop & Found.DEADLOCK and deadlocks:
            return Found.DEADLOCK
        if cut:
            raise Ended(Status.DEPTH)
        return Found.NOTHING

    def _count(self, c: Control) -> None:
        self._add({name: getattr(c, name) for name in COUNTS})

    def _add(self, counted: Mapping[str, int]) -> None:
        for name, number in counted.items():
            self.counts[name] += number
            self.seen[name] += number

    @property
    def stored(self) -> int:
        """States that are known."""
        return 0 if self.store is None else self.store.control.next

    @property
    def used(self) -> int:
        """Bytes of memory that hold something."""
        return 0 if self.store is None else self.store.used

    def _watch(self) -> None:
        """Ends the search at a limit, and tells of it now and then."""
        limits = self.setup.limits
        self.peak = max(self.peak, self.used)
        self._watch_time()
        if limits.states is not None and self.stored >= limits.states:
            raise Ended(Status.STATES)

    def _watch_time(self) -> None:
        limit, now = self.setup.limits.time, monotonic()
        if limit is not None and now - self.began + self.launch > limit:  # none is left for another launch
            raise Ended(Status.TIME)
        if self.setup.progress is not None and now - self.told_at > SECONDS:
            self.told_at = now
            self.setup.progress(self._statistics(self.stored - self.position))

    def _numbers(self) -> dict[str, int]:
        self.peak = max(self.peak, self.used)
        return {
            **self.counts,
            "stored": self.stored,
            "expanded": self.expanded_before + self.position,
            "depth": max(0, len(self.layers) - 1),
            "memory": self.peak,
        }

    def _statistics(self, waiting: int) -> Statistics:
        seconds = monotonic() - self.began
        return replace(Statistics(), **self._numbers(), frontier=waiting, seconds=seconds, phase=SEARCHING)

    def _outcome(self, status: Status, traced: Traced | None) -> core.Outcome:
        numbers = self._numbers()
        path: Sequence[tuple[int, Sequence[int]]] = ()
        if traced is not None:
            path = traced.path
            numbers["depth"] = len(path) - 1 + bool(traced.found & Found.ERROR)
        return core.make_outcome(
            status=status.value,
            found=0 if traced is None else traced.found.value,
            counts=numbers,
            seconds=monotonic() - self.began,
            path=list(path),
            error_action=0 if traced is None else traced.error_action,
            error_detail=0 if traced is None else traced.error_detail,
            cycle=-1 if traced is None else traced.cycle,
            proven=traced is not None and traced.cycle < 0 and self.setup.store == PLAIN,
        )
