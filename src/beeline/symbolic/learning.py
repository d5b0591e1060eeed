"""Facts about states that depend on few cells, learned from the machine for all states of a set.

The machine is asked about one state and tells which cells it read. What it says then holds wherever these cells have
the same values, so that each further question is about a state of which nothing is known yet. Nothing is assumed about
the model, and nothing is learned that the sets did not ask for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from beeline.engine import core
from beeline.symbolic.diagrams import Diagram, difference, union
from beeline.symbolic.encoding import Cells, Encoding

Told = TypeVar("Told")


class Learner(ABC, Generic[Told]):
    """What the machine told about one question, such as what a process can do."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.known = encoding.diagrams.false
        """The states whose answer is known."""
        self.cells: Cells = frozenset()
        """The cells that any answer depends on, as far as is known."""
        self.questions = 0
        self._seen = encoding.start

    @abstractmethod
    def ask(self, words: Sequence[int]) -> tuple[Sequence[int], Told]:
        """The cells that the answer for a state depends on, and the answer."""

    @abstractmethod
    def note(self, where: Diagram, read: dict[int, int], told: Told) -> None:
        """Keeps an answer, which holds for the states `where`: those in which cells have the values that were read."""

    def learn(self, states: Diagram) -> bool:
        """Finds out what is not known yet of these states; returns whether there was anything."""
        fresh = difference(states, self.known)
        if not fresh.satisfiable():
            return False
        answered: list[Diagram] = []
        short = self.encoding.onto(fresh, self.cells)
        while short.satisfiable():
            where, widened = self._next(short, fresh)
            answered.append(where)
            if widened:
                self._remember(answered)
                answered = []
                fresh = difference(fresh, self.known)
                short = self.encoding.onto(fresh, self.cells)
            else:
                short = difference(short, where)
        self._remember(answered)
        return True

    def _remember(self, answered: list[Diagram]) -> None:
        self.known = self.known | union(answered, self.encoding.diagrams.false)

    def _next(self, short: Diagram, fresh: Diagram) -> tuple[Diagram, bool]:
        """Asks about one state, of which `short` says what the answer depends on so far; also tells whether it depends
        on more. What else there is in the state does not matter, unless it does: then it must be one of the set."""
        picked = short.pick_cube()
        assert picked is not None
        values = self.encoding.values(picked, self.cells)
        cells = list(self._seen)
        for cell, value in values:
            cells[cell] = value
        answer = self._ask_about(cells)
        if answer is None or not self.cells.issuperset(answer[0]):
            self._seen = self.encoding.pick(fresh & self.encoding.cube(values))
            cells = list(self._seen)
            answer = self._answer(cells)
        reads, told = answer
        read = {cell: cells[cell] for cell in reads}
        where = self.encoding.cube(read.items())
        self.note(where, read, told)
        widened = not self.cells.issuperset(read)
        self.cells |= self.encoding.all_cells.intersection(read)
        return where, widened

    def _ask_about(self, cells: Sequence[int]) -> tuple[Cells, Told] | None:
        """The answer for cells that may be no state at all."""
        try:
            return self._answer(cells)
        except (ValueError, core.TooManyProcesses):
            return None

    def _answer(self, cells: Sequence[int]) -> tuple[Cells, Told]:
        self.questions += 1
        reads, told = self.ask(self.encoding.program.native.pack(cells))
        return self.encoding.all_cells.intersection(reads), told


class Predicate(Learner[tuple[int, bool]]):
    """The states in which an expression is true."""

    def __init__(self, encoding: Encoding, space: core.ProgramSpace, block: int) -> None:
        super().__init__(encoding)
        self._space, self._block = space, block
        self.true = encoding.diagrams.false
        self.without_value = encoding.diagrams.false

    def ask(self, words: Sequence[int]) -> tuple[Sequence[int], tuple[int, bool]]:
        reads, value, failed = self._space.local_value(words, self._block)
        return reads, (value, failed)

    def note(self, where: Diagram, read: dict[int, int], told: tuple[int, bool]) -> None:
        value, failed = told
        if failed:
            self.without_value = self.without_value | where
        elif value:
            self.true = self.true | where

    def holding(self, states: Diagram) -> Diagram:
        """Those of the states in which it is true."""
        self.learn(states)
        return states & self.true
