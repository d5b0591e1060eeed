"""States along a path of the engine, each made from the one before it by what its step changed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from beeline.compile.layout import ChannelPlace, Layout, decode_channel
from beeline.model.state import Message, ProcessState, State

Change = tuple[int, int]  # a cell and its new value


class Decoder:
    """Follows cell values from state to state. What a step does not change stays the same object."""

    def __init__(self, layout: Layout, cells: Sequence[int]) -> None:
        self.layout = layout
        self.state = layout.decode(cells)
        self._cells = list(cells)

    def follow(self, changes: Sequence[Change], start: State | None = None) -> State:
        """The state after these changes of the last one; `start` is one that equals it, and shares its parts."""
        state = self.state if start is None else start
        for cell, value in changes:
            self._cells[cell] = value
        if any(cell in self._tags for cell, _ in changes):
            self.state = self.layout.decode(self._cells)
            self.__dict__.pop("_owned", None)
        else:
            self.state = self._changed(state, {cell for cell, _ in changes})
        return self.state

    def _changed(self, state: State, cells: set[int]) -> State:
        """The state with these cells read anew, while the same processes live."""
        layout, parts = self.layout, {self._parts[cell] for cell in cells}
        variables, processes = state.variables, state.processes
        if VARIABLE in parts:
            variables = tuple(self._cells[: len(variables)])
        moved = [part for part in parts if 0 <= part < len(processes)]
        made = {part: self._process(part, processes[part]) for part in moved}
        if any(processes[part] is not process for part, process in made.items()):
            mutable = list(processes)
            for part, process in made.items():
                mutable[part] = process
            processes = tuple(mutable)
        return State(
            variables,
            self._channels(state, parts, moved),
            processes,
            self._value(layout.control, state.control),
            self._value(layout.last, state.last),
            self._value(layout.monitor, state.monitor),
        )

    def _channels(self, state: State, parts: set[int], moved: list[int]) -> tuple[tuple[Message, ...], ...]:
        """The contents of channels, with those read anew that belong to these parts or processes."""
        places = [(CHANNELS - part, self.layout.channels[CHANNELS - part]) for part in parts if part <= CHANNELS]
        places += [place for part in moved for place in self._owned.get(part, ())]
        if not places:
            return state.channels
        channels = list(state.channels)
        for position, place in places:
            channels[position] = decode_channel(self._cells, place)
        return tuple(channels)

    def _process(self, number: int, before: ProcessState) -> ProcessState:
        place = self.layout.processes[number]
        first = place.kinds[before.kind].locals
        values = tuple(self._cells[first : first + len(before.locals)])
        made = ProcessState(before.kind, self._cells[place.location], values, self._value(place.priority, 0))
        return before if made == before else made

    def _value(self, cell: int, otherwise: int) -> int:
        return self._cells[cell] if cell >= 0 else otherwise

    @cached_property
    def _tags(self) -> set[int]:
        return {place.tag for place in self.layout.processes}

    @cached_property
    def _parts(self) -> list[int]:
        """What each cell belongs to: the number of a process, or one of the codes below."""
        parts = [OTHER] * len(self.layout.cells)
        parts[: len(self.state.variables)] = [VARIABLE] * len(self.state.variables)
        for position, place in enumerate(self.layout.channels):
            last = place.base + place.channel.capacity * len(place.fields)
            parts[place.length : last] = [CHANNELS - position] * (last - place.length)
        for number, process in enumerate(self.layout.processes):
            parts[process.cells.start : process.cells.stop] = [number] * len(process.cells)
        return parts

    @cached_property
    def _owned(self) -> dict[int, list[tuple[int, ChannelPlace]]]:
        """The channels that each process made: positions among all channels, and places."""
        found: dict[int, list[tuple[int, ChannelPlace]]] = {}
        position = len(self.layout.channels)
        for number, process in enumerate(self.state.processes):
            for place in self.layout.processes[number].kinds[process.kind].channels:
                found.setdefault(number, []).append((position, place))
                position += 1
        return found


VARIABLE, OTHER, CHANNELS = -1, -2, -3  # a channel's code is CHANNELS less its position
