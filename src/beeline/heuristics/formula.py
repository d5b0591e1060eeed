"""Formulas over a state for the native engine: expressions of the model, distances of processes in their own graphs,
and their maxima, minima and sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from beeline.compile.program import compile_values
from beeline.engine import core
from beeline.heuristics.declaration import Context, HeuristicError
from beeline.model.expressions import Builtin, Expression, walk

CONSTANT, VALUE, DIFFERS, PLACE, MAXIMUM, MINIMUM, SUM = range(7)
DEAD_END = -1

NEED_STEPS = ("enabled", "timeout", "deadlock")  # builtins that ask which steps are possible

Row = list[int]


class Formula:
    """Collects the nodes of a formula; each method returns a node to be used in others."""

    def __init__(self, context: Context, name: str) -> None:
        self.program, self.native = context.compiled(name)
        self.name = name
        self.nodes: list[Row] = []
        self.distances: list[Row] = []
        self.expressions: list[Expression] = []

    def _add(self, *row: int) -> int:
        self.nodes.append(list(row))
        return len(self.nodes) - 1

    def constant(self, value: int) -> int:
        """A number, or `DEAD_END`."""
        return self._add(CONSTANT, value)

    def value(self, expression: Expression) -> int:
        """The value of an expression over the network."""
        for part in walk(expression):
            if isinstance(part, Builtin) and part.name in NEED_STEPS:
                raise HeuristicError(f"{self.name} cannot use {part.name}: it asks which steps are possible")
            if isinstance(part, Builtin) and part.name == "last" and self.program.layout.last < 0:
                raise HeuristicError(f"{self.name} cannot use last: states of this model do not keep it")
        self.expressions.append(expression)
        return self._add(VALUE, len(self.expressions) - 1)

    def differs(self, cell: int, value: int) -> int:
        """1 if a cell of the layout has another value."""
        return self._add(DIFFERS, cell, value)

    def place(self, number: int, rows: Mapping[int, Sequence[int]], absent: int, other: int) -> int:
        """The distance of a process number: by location for the kinds in `rows`; `absent` while no process has
        the number, `other` for a process of another kind."""
        kinds = len(self.program.network.processes)
        first = len(self.distances)
        self.distances.append([absent])
        self.distances += [list(rows[kind]) if kind in rows else [other] for kind in range(kinds)]
        return self._add(PLACE, number, first)

    def maximum(self, parts: Sequence[int]) -> int:
        return self._join(MAXIMUM, parts)

    def minimum(self, parts: Sequence[int]) -> int:
        return self._join(MINIMUM, parts)

    def total(self, parts: Sequence[int]) -> int:
        return self._join(SUM, parts)

    def _join(self, kind: int, parts: Sequence[int]) -> int:
        if len(parts) == 1:
            return parts[0]
        return self._add(kind, *parts) if parts else self.constant(0)

    def build(self, root: int, safe: bool) -> core.Estimator:
        """The estimator whose value is that of node `root`."""
        native = self.native
        nodes = self.nodes
        if self.expressions:
            # The expressions are code of their own, compiled for the same layout.
            tables, entries = compile_values(self.program.layout, self.expressions)
            native = core.Program(tables)
            nodes = [[VALUE, entries[row[1]]] if row[0] == VALUE else row for row in nodes]
        return core.formula_estimator(native, [*nodes, [MAXIMUM, root]], self.distances, safe)
