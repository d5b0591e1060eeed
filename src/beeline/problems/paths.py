"""Paths that a search of a compiled network found, read state by state while they are replayed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from beeline.compile.decoding import Decoder
from beeline.compile.program import Program
from beeline.engine import Outcome, core
from beeline.model.semantics import Move
from beeline.model.state import State
from beeline.symmetry.unfolding import Unfolded, Words, unfold, unfold_lasso
from beeline.trace.replay import Path


class FoundPath(Path):
    """The path of an outcome."""

    def __init__(self, program: Program, native: core.Program, outcome: Outcome) -> None:
        self._program, self._native, self._outcome = program, native, outcome.native
        self._actions = [*self._outcome.actions, self._outcome.error_action]
        super().__init__([self.again()] if self._outcome.actions else [])  # none, if the start itself fails
        self.length = len(self._actions) - 2

    def again(self) -> State:
        """Goes back to the start, which is returned."""
        self._decoder = Decoder(self._program.layout, self._native.unpack(self._outcome.state(0)[: self._native.words]))
        return self._decoder.state

    def follow(self, number: int, before: State) -> State:
        return self._decoder.follow(self._native.changed_cells(self._outcome, number), before)

    def to_rest(self) -> int:
        """Leaves out a last step of the monitor alone, after the network has stopped. Returns the length."""
        if self._program.network.monitor is None and self._actions[self.length] == len(self._program.actions):
            self.length -= 1
        return self.length

    def first_move(self, number: int) -> Move | None:
        action = self._actions[number]
        if action >= len(self._program.actions):
            return None
        found = self._program.actions[action]
        return Move(found.number, found.kind, found.edge)


class ConcretePath(Path):
    """States with the actions between them."""

    def __init__(self, program: Program, states: list[State], actions: list[int]) -> None:
        super().__init__(states)
        self._program, self._actions = program, actions

    def first_move(self, number: int) -> Move | None:
        if number >= len(self._actions) or self._actions[number] >= len(self._program.actions):
            return None
        found = self._program.actions[self._actions[number]]
        return Move(found.number, found.kind, found.edge)


def unfolded(program: Program, classes: core.Canonicaliser, outcome: Outcome, merged: bool) -> Path:
    """A path of states through the representatives that a search found."""
    space, alike = core.ProgramSpace(program.native, merged=merged), partial(classes.representative, program.native)
    return _decoded(program, unfold(space, alike, _folded(program, outcome)))


def unfolded_lasso(program: Program, classes: core.Canonicaliser, outcome: Outcome, merged: bool) -> tuple[Path, int]:
    """A lasso of states through the representatives that a search found, and where its cycle begins."""
    assert outcome.cycle is not None
    space, alike = core.ProgramSpace(program.native, merged=merged), partial(classes.representative, program.native)
    way, cycle = unfold_lasso(space, alike, list(_folded(program, outcome)), outcome.cycle)
    if program.network.monitor is None and way.actions[-1] == len(program.actions):  # the network has stopped
        way = Unfolded(way.states[:-1], way.actions[:-1], way.arcs)
    return _decoded(program, way), min(cycle, len(way.states) - 1)


def _folded(program: Program, outcome: Outcome) -> Iterator[Words]:
    """The representatives along a path."""
    for number in range(len(outcome.native.actions)):
        yield outcome.native.state(number)[: program.native.words]


def _decoded(program: Program, way: Unfolded) -> ConcretePath:
    states = [program.layout.decode(program.native.unpack(words)) for words in way.states]
    return ConcretePath(program, states, way.actions)
