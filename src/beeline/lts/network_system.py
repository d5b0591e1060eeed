"""The labelled transition system of a network, found by the engine: a solver of equations, or several ranks of one,
that has to know whether ``nu X. [-] X`` is true has seen all states and arcs."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import accumulate, chain, repeat

from beeline.analysis.configuration import processes_to_come
from beeline.compile.program import Program, compile_network, compile_values
from beeline.engine import Found, Limits, Progress, Statistics, core
from beeline.engine.budget import current
from beeline.engine.limits import default_memory
from beeline.lts.explore import Label, TooManyStates, Unfinished, label_by_event, label_by_step, lts_of
from beeline.lts.lts import Lts
from beeline.lts.modal_system import Rows, SetsOf
from beeline.lts.step_labels import StepLabels
from beeline.model.network import Network
from beeline.model.state import State
from beeline.records import Record
from beeline.simulate import NetworkWorld

EVERY_STEP: tuple[Rows, list[str]] = [(False, 0, 0, [("step", False, 0, 0)])], ["nu"]
"""The equation."""
NOT_ASKED = 0xFFFFFFFF


class Part(Record, frozen=True):
    """What a solver knows of arcs; see the engine's `arcs`."""

    counts: bytes
    targets: bytes
    labels: bytes
    states: bytes
    starts: list[int]
    texts: list[str]
    """Of labels, by their numbers."""


Explorer = Callable[["Labelled", Limits, Progress | None], list[Part] | None]
"""Explores; None if the start fails. Raises `Unfinished` at a limit."""


class Labelled:
    """A network and the labels of its steps, as the engine keeps these: their numbers, above a bit that all have."""

    def __init__(self, network: Network, by_step: bool = False, processes: int | None = None) -> None:
        self.network, self.by_step, self.processes = network, by_step, processes
        self.world = NetworkWorld(network)
        self.label: Label = label_by_step if by_step else label_by_event(self.world)
        self.program: Program = compile_network(network, max_processes=processes)
        self._labels = StepLabels(self.program, self.label)
        self._numbers: dict[str, int] = {}

    def parts(self) -> tuple[core.Program, list[int], list[list[int]], SetsOf, Rows, list[str]]:
        """The equation and the labels, for a solver."""
        tables, _ = compile_values(self.program.layout, [])
        return core.Program(tables), [], self._labels.cells(), self._number, *EVERY_STEP

    def told(self, solver: core.ModalSolver | core.ModalRank) -> Part:
        """What a solver with these labels knows."""
        return Part(*solver.arcs(), list(self._numbers))

    def opening(self, starts: dict[tuple[int, ...], int]) -> list[tuple[str, int]]:
        """What leads to the initial states, which have these numbers, where the network is opened."""
        if not self.network.rules.opened:
            return []
        numbers: dict[State, int] = {self._labels.decode(words): number for words, number in starts.items()}
        return [(self.label(turn.step), numbers[turn.target]) for turn in self.world.turns(self.world.initial(), 1)]

    def _number(self, words: tuple[int, ...], action: int, detail: int, target: tuple[int, ...] | None) -> int:
        text = self._labels.of_arc(words, action, detail, target)
        return self._numbers.setdefault(text, len(self._numbers)) << 1 | 1


def explore_alone(labelled: Labelled, limits: Limits, progress: Progress | None) -> list[Part] | None:
    """By one thread."""
    budget = current()
    request = core.Request(
        stop=Found.NOTHING.value,
        seconds=limits.time if budget is None else budget.seconds(limits.time),
        memory=default_memory() if limits.memory is None else limits.memory,
        states=limits.states,
        progress=None if progress is None else lambda native: progress(Statistics.of(native)),
    )
    space = core.ProgramSpace(labelled.program.native)
    solver = core.ModalSolver(space, *labelled.parts(), None, "nearest", None, request)
    if solver.solve() is None:
        if solver.start_fails:
            return None
        raise unfinished(solver.status, limits)
    return [labelled.told(solver)]


def unfinished(status: str, limits: Limits) -> Unfinished:
    """What is to be raised at a limit."""
    if status == "states" and limits.states is not None:
        return TooManyStates(limits.states)
    return Unfinished(f"{status} limit")


def network_system(
    network: Network,
    by_step: bool = False,
    limits: Limits | None = None,
    progress: Progress | None = None,
    explorer: Explorer = explore_alone,
) -> Lts:
    """What `lts_of` finds, up to the order in which the steps of a state are taken. Raises `Unfinished` at a limit."""
    limits, processes = limits or Limits(), processes_to_come(network)
    while True:
        try:
            labelled = Labelled(network, by_step, processes)
            parts = explorer(labelled, limits, progress)
            break
        except core.TooManyProcesses:
            processes = 4 * (processes or len(network.initial) + 4)
    if parts is None:
        return lts_of(labelled.world, labelled.label, limits.states)
    return _joined(parts).system(labelled) if len(parts) > 1 else _Known(parts[0]).system(labelled)


class _Known:
    """A part, to be read."""

    def __init__(self, part: Part) -> None:
        self.counts, self.targets = _words(part.counts), _words(part.targets)
        self.labels = [part.texts[word >> 1] for word in _words(part.labels)]
        self.starts = part.starts
        self._states, self._size = part.states, len(part.states) // len(self.counts)

    def state(self, number: int) -> bytes:
        return self._states[(number - 1) * self._size : number * self._size]

    def system(self, labelled: Labelled) -> Lts:
        """The system, if all is known. The engine's first state is number 1, and 0 is where steps lead that fail; here
        that is the last one, and the first is before the opening, if there is one."""
        opening = labelled.opening({tuple(_words(self.state(number))): number for number in self.starts})
        before = 1 if opening else 0
        failed = before + len(self.counts)
        sources = chain.from_iterable(repeat(state, count) for state, count in enumerate(self.counts, before))
        places = [target + before - 1 if target else failed for target in self.targets]
        arcs = chain(((0, text, state) for text, state in opening), zip(sources, self.labels, places, strict=True))
        return Lts.of(failed + (0 in self.targets), 0, arcs)


def _words(data: bytes) -> memoryview[int]:
    return memoryview(data).cast("I")


def _joined(parts: Sequence[Part]) -> _Known:
    """What several know together, with states in the order in which one would have come to them."""
    texts = list(dict.fromkeys(text for part in parts for text in part.texts))
    place = {text: number for number, text in enumerate(texts)}
    known = [_Known(part) for part in parts]
    own: dict[bytes, tuple[_Known, int, int]] = {}
    for one in known:
        counts = [0 if count == NOT_ASKED else count for count in one.counts]
        for number, (count, last) in enumerate(zip(counts, accumulate(counts), strict=True), 1):
            if one.counts[number - 1] != NOT_ASKED:
                own[one.state(number)] = one, last - count, last
    order = {known[0].state(number): number for number in known[0].starts}
    order = {state: number for number, state in enumerate(order, 1)}
    starts = list(order.values())
    waiting, counted, targets, labels = list(order), list[int](), list[int](), list[int]()
    for state in waiting:
        one, first, last = own[state]
        counted.append(last - first)
        for arc in range(first, last):
            labels.append(place[one.labels[arc]] << 1)
            if one.targets[arc] == 0:
                targets.append(0)
                continue
            target = one.state(one.targets[arc])
            if target not in order:
                order[target] = len(order) + 1
                waiting.append(target)
            targets.append(order[target])
    return _Known(Part(_bytes(counted), _bytes(targets), _bytes(labels), b"".join(waiting), starts, texts))


def _bytes(words: list[int]) -> bytes:
    return array("I", words).tobytes()
