"""Boolean functions of numbered variables, kept as decision diagrams by OxiDD."""

from __future__ import annotations

import resource
from collections.abc import Iterable, Sequence

from oxidd.bcdd import BCDDFunction as Diagram
from oxidd.bcdd import BCDDManager, BCDDSubstitution
from oxidd.util import BooleanOperator

from beeline.engine.budget import LimitReached, current

__all__ = ["Diagram", "Diagrams", "Renaming", "difference", "joined", "union"]

Renaming = BCDDSubstitution

NODE_BYTES = 36  # measured: a node, its entry in the table of its level, and what the cache of results holds for it
MOST_NODES = 2**31
LEAST_NODES = 2**14
NODES_PER_RESULT = 8  # the cache of results has one entry for so many nodes,
MOST_RESULTS = 2**21  # and not more than these, because it is cleared at each collection of garbage


class Diagrams:
    """A place for diagrams over so many variables, in `memory` bytes."""

    def __init__(self, variables: int, memory: int, threads: int = 1) -> None:
        nodes = self._most = min(max(memory // NODE_BYTES, LEAST_NODES), MOST_NODES)
        _let_system_give_memory()
        self.manager = BCDDManager(nodes, min(nodes // NODES_PER_RESULT, MOST_RESULTS), threads)
        self.true = self.manager.true()
        self.false = self.manager.false()
        self._literals: list[tuple[Diagram, Diagram]] = []
        self.levels: list[int] = []
        self.add_variables(variables)

    def add_variables(self, count: int) -> int:
        """Adds variables below all others, and returns the first of them."""
        first = len(self._literals)
        added = range(first, first + count)
        self.manager.add_vars(count)
        self._literals += [(self.manager.not_var(i), self.manager.var(i)) for i in added]
        self.levels += added
        return first

    def literal(self, variable: int, value: bool) -> Diagram:
        """The assignments that give a variable a value."""
        return self._literals[variable][value]

    def cube(self, literals: Iterable[tuple[int, bool]]) -> Diagram:
        """The assignments that give each of these variables its value."""
        found = self.true
        for variable, value in sorted(literals, key=lambda literal: -self.levels[literal[0]]):
            found = self._literals[variable][value] & found
        return found

    def variables(self, variables: Iterable[int]) -> Diagram:
        """A set of variables, as quantifiers want it."""
        return self.cube((variable, True) for variable in variables)

    def renaming(self, pairs: Iterable[tuple[int, int]]) -> Renaming:
        """What replaces each first variable by the second."""
        return Diagram.make_substitution((old, self._literals[new][1]) for old, new in pairs)

    def reorder(self, order: Sequence[int]) -> None:
        """Puts the variables into another order, the first of them on top."""
        self.manager.gc()
        if self.nodes > self._most // 2:
            raise MemoryError  # OxiDD ends the process if it runs out of nodes here
        self.manager.set_var_order(order)
        self.levels = [self.manager.var_to_level(variable) for variable in range(len(self._literals))]

    @property
    def nodes(self) -> int:
        """How many nodes there are, those that nobody needs any more among them."""
        return self.manager.approx_num_inner_nodes()


def _let_system_give_memory() -> None:
    """Lifts the bound on what the system gives. Memory that is refused to OxiDD ends the process, and it reserves far
    more than it uses: the stack of a thread, and room for all nodes. It keeps to its number of nodes, and whoever set
    the bound watches the memory that is in use as well."""
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def union(diagrams: Sequence[Diagram], empty: Diagram) -> Diagram:
    """The union of many small sets, joined in pairs so that no large one is copied for each small one."""
    rest = list(diagrams)
    while len(rest) > 1:
        pairs = [rest[i] | rest[i + 1] for i in range(0, len(rest) - 1, 2)]
        rest = pairs + rest[2 * len(pairs) :]
    return rest[0] if rest else empty


def difference(left: Diagram, right: Diagram) -> Diagram:
    """What is in `left` and not in `right`."""
    return right.imp_strict(left)


def joined(first: Diagram, second: Diagram, dropped: Diagram) -> Diagram:
    """What both have in common, whatever the variables in `dropped` are."""
    try:
        return first.apply_exists(BooleanOperator.AND, second, dropped)
    except TypeError as error:
        # The operands have their types. OxiDD looks up the operator's class by an import, where a signal may be
        # handled; it takes the exception that the handler raises for an operator of another class.
        budget = current()
        raise (KeyboardInterrupt if budget is None or not budget.is_spent else LimitReached) from error
