"""Paths that a search of a compiled network found, read state by state while they are replayed."""

from __future__ import annotations

from beeline.compile.decoding import Decoder
from beeline.compile.program import Program
from beeline.engine import Outcome, core
from beeline.model.semantics import Move
from beeline.model.state import State
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
        """Leaves out a last step that nobody takes: the run has come to rest. Returns the length."""
        if self._program.network.monitor is None and self._actions[self.length] == len(self._program.actions):
            self.length -= 1
        return self.length

    def first_move(self, number: int) -> Move | None:
        action = self._actions[number]
        if action >= len(self._program.actions):
            return None
        found = self._program.actions[action]
        return Move(found.number, found.kind, found.edge)
