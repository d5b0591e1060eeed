"""A heuristic made of sets as one diagram for single states: rows of a table, by which the engine goes down."""

from __future__ import annotations

from beeline.engine import core
from beeline.records import Record
from beeline.symbolic.diagrams import Diagram
from beeline.symbolic.distances import Distances
from beeline.symbolic.encoding import Encoding

Row = tuple[int, int, int, int, int]
NO_WAY = -(2**31)
MOST_ROWS = 2_000_000


class TooLarge(Exception):
    """The table would have too many rows."""


class Table(Record, frozen=True):
    """Rows for `core.diagram_estimator`, the number of bits by cell, and where to begin."""

    rows: list[Row]
    widths: list[int]
    root: int

    def native(self, program: core.Program) -> core.Estimator:
        """The estimate for states of a program."""
        return core.diagram_estimator(program, self.rows, self.widths, self.root)


def table_of(distances: Distances, encoding: Encoding) -> Table:
    """One row for each place in the diagrams of all values together."""
    return Table(*_Rows(distances, encoding).made())


class _Rows:
    def __init__(self, distances: Distances, encoding: Encoding) -> None:
        self._layers = tuple(enumerate(distances.layers))
        self._encoding = encoding
        self._rows: list[Row] = []
        self._known: dict[tuple[tuple[int, Diagram], ...], int] = {}
        self._asked: dict[int, tuple[int, int, int]] = {}
        for cell, bits in enumerate(encoding.bits):
            for place, variable in enumerate(reversed(bits)):
                self._asked[variable] = cell, encoding.values_of(cell).start, place

    def made(self) -> tuple[list[Row], list[int], int]:
        root = self._place(tuple((value, layer) for value, layer in self._layers if layer.satisfiable()))
        return self._rows, [len(bits) for bits in self._encoding.bits], root

    def _place(self, layers: tuple[tuple[int, Diagram], ...]) -> int:
        """The row for what is left of the layers below some variable. It is as deep as there are variables."""
        if not layers:
            return NO_WAY
        if layers in self._known:
            return self._known[layers]
        if (value := next((v for v, layer in layers if layer.node_level() is None), None)) is not None:
            return -1 - value  # what is true here is true alone: values exclude each other
        level = min(found for _, layer in layers if (found := layer.node_level()) is not None)
        high, low = (self._place(tuple(self._below(layers, level, side))) for side in (True, False))
        place = high
        if high != low:
            variable = self._encoding.diagrams.manager.level_to_var(level)
            self._rows.append((*self._asked[variable], low, high))
            place = len(self._rows) - 1
            if place > MOST_ROWS:
                raise TooLarge
        self._known[layers] = place
        return place

    @staticmethod
    def _below(layers: tuple[tuple[int, Diagram], ...], level: int, side: bool) -> list[tuple[int, Diagram]]:
        found = []
        for value, layer in layers:
            if layer.node_level() == level:
                cofactors = layer.cofactors()
                assert cofactors is not None
                layer = cofactors[0 if side else 1]
            if layer.satisfiable():
                found.append((value, layer))
        return found
