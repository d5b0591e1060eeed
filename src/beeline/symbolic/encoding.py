"""States as assignments to boolean variables: the bits of their cells, once for now and once for the next state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from beeline.compile.program import Program
from beeline.symbolic.diagrams import Diagram, Diagrams, Renaming
from beeline.symbolic.survey import TooNarrow

Cells = frozenset[int]
T = TypeVar("T")


class Encoding:
    """Variables of a program's cells, which stand in `order`. Cells with one value among `values` have none."""

    def __init__(
        self, program: Program, values: Sequence[tuple[int, int]], order: Sequence[int], memory: int, threads: int
    ) -> None:
        self.program = program
        self._values = values
        self._low = [low for low, _ in values]
        self.bits: list[tuple[int, ...]] = [() for _ in self._low]
        """The variables of each cell, the highest bit first; the next state's are one higher."""
        self.start: tuple[int, ...] = tuple(program.tables["initial"])
        first = 0
        for cell in order:
            width = (values[cell][1] - values[cell][0]).bit_length()
            self.bits[cell] = tuple(range(first, first + 2 * width, 2))
            first += 2 * width
        self.width = first // 2
        self.diagrams = Diagrams(first, memory, threads)
        self._made: dict[tuple[str, Cells], Any] = {}
        self.all_cells: Cells = frozenset(cell for cell, bits in enumerate(self.bits) if bits)

    def cube(self, values: Iterable[tuple[int, int]], next_state: bool = False) -> Diagram:
        """The states, or next states, in which cells have these values."""
        shift = 1 if next_state else 0
        literals: list[tuple[int, bool]] = []
        for cell, value in values:
            bits, number = self.bits[cell], value - self._low[cell]
            if number >> len(bits):
                raise TooNarrow(cell, value)
            literals += [(bit + shift, bool(number >> place & 1)) for place, bit in enumerate(reversed(bits))]
        return self.diagrams.cube(literals)

    def state(self, cells: Sequence[int]) -> Diagram:
        """One state alone."""
        return self.cube(enumerate(cells))

    def values(self, picked: Sequence[bool | None], cells: Iterable[int]) -> list[tuple[int, int]]:
        """What an assignment says about some cells; where it leaves a choice, the lower value."""
        found = []
        for cell in cells:
            value = 0
            for bit in self.bits[cell]:
                value = value << 1 | bool(picked[bit])
            found.append((cell, self._low[cell] + value))
        return found

    def pick(self, states: Diagram) -> tuple[int, ...]:
        """The cells of some state of a set that is not empty."""
        picked = states.pick_cube()
        assert picked is not None
        cells = list(self.start)
        for cell, value in self.values(picked, self.all_cells):
            cells[cell] = value
        return tuple(cells)

    def count(self, states: Diagram) -> int:
        """How many states there are in a set."""
        return states.sat_count(2 * self.width) >> self.width

    def values_of(self, cell: int) -> range:
        """The values for which a cell has room."""
        return range(self._low[cell], self._low[cell] + (1 << len(self.bits[cell])))

    def now(self, cells: Cells) -> Diagram:
        """The variables of cells."""
        return self._kept("now", cells, lambda bits: self.diagrams.variables(bits))

    def next(self, cells: Cells) -> Diagram:
        """Their variables in the next state."""
        return self._kept("next", cells, lambda bits: self.diagrams.variables(bit + 1 for bit in bits))

    def to_now(self, cells: Cells) -> Renaming:
        """What makes the next state of cells the present one."""
        return self._kept("to now", cells, lambda bits: self.diagrams.renaming((bit + 1, bit) for bit in bits))

    def to_next(self, cells: Cells) -> Renaming:
        """What makes the present state of cells the next one."""
        return self._kept("to next", cells, lambda bits: self.diagrams.renaming((bit, bit + 1) for bit in bits))

    def _kept(self, what: str, cells: Cells, make: Callable[[list[int]], T]) -> T:
        """Something about the variables of cells, made once."""
        key = what, cells
        if key not in self._made:
            self._made[key] = make([bit for cell in cells for bit in self.bits[cell]])
        found: T = self._made[key]
        return found

    def stays(self, cells: Cells) -> Diagram:
        """The pairs of a state and the next in which cells keep their values."""

        def pairs(bits: list[int]) -> Diagram:
            found = self.diagrams.true
            for bit in sorted(bits, reverse=True):
                found = self.diagrams.literal(bit, True).equiv(self.diagrams.literal(bit + 1, True)) & found
            return found

        return self._kept("stays", cells, pairs)

    def onto(self, states: Diagram, cells: Cells) -> Diagram:
        """What a set of states says about some cells alone."""
        return states.exists(self.now(self.all_cells - cells))

    def pairs_onto(self, pairs: Diagram, cells: Cells) -> Diagram:
        """The same for pairs of a state and the next."""
        rest = self.all_cells - cells
        return pairs.exists(self.now(rest) & self.next(rest))
