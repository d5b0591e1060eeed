"""Blocks of bytecode under construction: instructions, labels, constants and temporaries.

All operands are addresses of cells in one memory: the state's cells first, then constants, then temporaries, so that
an instruction works on a variable, a number and an intermediate result in the same way.
"""

from __future__ import annotations

from beeline.model.types import INT, ScalarType, bounds, wraps
from beeline.records import Record, field

OPERANDS = 5


class Constant(Record, frozen=True):
    """An operand whose value is known while compiling."""

    value: int


class Address(Record, frozen=True):
    """A cell of the state."""

    cell: int


class Temporary(Record, frozen=True):
    """A scratch cell, numbered from 0."""

    number: int


Operand = Constant | Address | Temporary


class Label(Record):
    """A place in a block; `position` is set when it is put down."""

    position: int = -1


Argument = Operand | Label | int


class Assembler(Record, dict=True):
    """Collects the code of a whole program, block after block. Equal constants and domains are kept once."""

    code: list[tuple[str, tuple[Argument, ...]]] = field(default_factory=list)
    constants: dict[int, int] = field(default_factory=dict)
    domains: dict[tuple[int, int, bool], int] = field(default_factory=dict)
    location_sets: dict[frozenset[int], int] = field(default_factory=dict)
    pattern_lists: dict[tuple[int, ...], int] = field(default_factory=dict)
    temporaries: int = 0
    most_temporaries: int = 0

    def __post_init__(self) -> None:
        self.domain(INT)

    def emit(self, operation: str, *arguments: Argument) -> None:
        self.code.append((operation, arguments))

    def place(self, label: Label) -> None:
        label.position = len(self.code)

    @property
    def position(self) -> int:
        return len(self.code)

    def temporary(self, count: int = 1) -> Temporary:
        """The first of `count` fresh scratch cells."""
        first = self.temporaries
        self.temporaries += count
        self.most_temporaries = max(self.most_temporaries, self.temporaries)
        return Temporary(first)

    def domain(self, kind: ScalarType) -> int:
        low, high = bounds(kind)
        return self.domains.setdefault((low, high, wraps(kind)), len(self.domains))

    def location_set(self, places: frozenset[int]) -> int:
        return self.location_sets.setdefault(places, len(self.location_sets))

    def pattern_list(self, shape: tuple[int, ...]) -> int:
        """`shape` says for each field whether it is compared (1) or not (0)."""
        return self.pattern_lists.setdefault(shape, len(self.pattern_lists))

    def assembled(self, opcodes: dict[str, int], state_cells: int) -> list[list[int]]:
        """Rows of an opcode and five operands, all resolved to numbers."""
        used = [a.value for _, arguments in self.code for a in arguments if isinstance(a, Constant)]
        for value in used:
            self.constants.setdefault(value, len(self.constants))
        first_temporary = state_cells + len(self.constants)
        rows: list[list[int]] = []
        for operation, arguments in self.code:
            row = [opcodes[operation]]
            for argument in arguments:
                row.append(self._resolve(argument, state_cells, first_temporary))
            rows.append(row + [0] * (1 + OPERANDS - len(row)))
        return rows

    def _resolve(self, argument: Argument, state_cells: int, first_temporary: int) -> int:
        match argument:
            case Constant(value):
                return state_cells + self.constants[value]
            case Address(cell):
                return cell
            case Temporary(number):
                return first_temporary + number
            case Label(position):
                assert position >= 0, "a label was never placed"
                return position
            case _:
                return argument
