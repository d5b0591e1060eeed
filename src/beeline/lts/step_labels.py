"""Labels of the steps that the engine takes: which cells of the state they depend on, and what they are, as the
interpreter says it."""

from __future__ import annotations

from collections.abc import Sequence

from beeline.analysis.configuration import Configuration, find_configuration
from beeline.analysis.footprint import EVERYTHING, Footprints
from beeline.compile.program import Action, Program
from beeline.lts.explore import Label, label_by_event
from beeline.model.network import Edge, Process, Receive, Send
from beeline.model.semantics import Semantics, Step
from beeline.model.state import State
from beeline.simulate import NetworkWorld
from beeline.trace.naming import Naming
from beeline.trace.replay import ReplayError, show_step


class StepLabels:
    """The labels of a compiled network's steps, by events if no others are wanted (`beeline.lts.explore`)."""

    def __init__(self, program: Program, label: Label | None = None) -> None:
        self._program, self._network = program, program.network
        self._semantics, self._naming = Semantics(program.network), Naming(program.network)
        self._label = label or label_by_event(NetworkWorld(program.network))
        self._last: tuple[tuple[int, ...], State, list[Step]] | None = None

    def of_step(self, before: State, step: Step) -> str:
        """The label of a step of the interpreter."""
        return self._label(show_step(self._network, before, step, 1, self._naming))

    def of_arc(self, words: tuple[int, ...], action: int, detail: int, target: tuple[int, ...] | None) -> str:
        """The label of a step of the engine."""
        before, steps = self._steps(words)
        after = None if target is None else self.decode(target)
        for step in steps:
            if step.target == after and self._begins(step, action, detail if after is not None else 0):
                return self.of_step(before, step)
        raise ReplayError("the interpreter knows no step of the engine's that a label was asked for")

    def decode(self, words: Sequence[int]) -> State:
        return self._program.layout.decode(self._program.native.unpack(words))

    def _steps(self, words: tuple[int, ...]) -> tuple[State, list[Step]]:
        if self._last is None or self._last[0] != words:
            state = self.decode(words)
            self._last = words, state, self._semantics.steps(state)
        return self._last[1:]

    def _begins(self, step: Step, action: int, detail: int) -> bool:
        """Whether a step begins with the moves of an action, and of the one that moves along, if there is one."""
        wanted = [self._program.actions[number] for number in (action, *([detail - 1] if detail else []))]
        moves = [Action(move.pid, move.kind, move.edge) for move in step.moves[: len(wanted)]]
        return moves == wanted

    def cells(self) -> list[list[int]]:
        """By action: the cells on which labels of its steps depend. Where the processes are not known in advance, these
        are all cells for steps that communicate; so they are for steps that go on in a deterministic region and may
        communicate there."""
        layout, configuration = self._program.layout, find_configuration(self._network)
        every = list(range(len(layout.cells)))
        found: list[list[int]] = []
        for action in self._program.actions:
            process = self._network.processes[action.kind]
            edge = process.edges[action.edge]
            if process.locations[edge.target_location].deterministic and _communicates_inside(process):
                found.append(every)
            elif not isinstance(edge.sync, (Send, Receive)):
                found.append([])
            elif configuration is None or not _is_of(configuration, action):
                found.append(every)
            else:
                found.append(_read_by(Footprints(layout, configuration), edge, action.number, every))
        return found


def _communicates_inside(process: Process) -> bool:
    """Whether a process sends or receives in a deterministic region, which is one step."""
    inside = [edge for edge in process.edges if process.locations[edge.source_location].deterministic]
    return any(edge.sync is not None for edge in inside)


def _is_of(configuration: Configuration, action: Action) -> bool:
    return action.number < len(configuration.kinds) and configuration.kinds[action.number] == action.kind


def _read_by(footprints: Footprints, edge: Edge, number: int, every: list[int]) -> list[int]:
    """The cells on which the channel, the values and the channel's messages depend."""
    assert isinstance(edge.sync, (Send, Receive))
    parts = [edge.sync.channel, *(edge.sync.values if isinstance(edge.sync, Send) else ())]
    masks = [footprints.reads(part, number).reads for part in parts]
    if EVERYTHING in masks:
        return every
    cells = {cell for cell in every if any(mask >> cell & 1 for mask in masks)}
    for meant in footprints.channels_meant(edge.sync.channel, number):
        place = footprints.channels[meant - 1]
        cells |= set(range(place.length, place.base + place.channel.capacity * len(place.fields)))
    return sorted(cells)
