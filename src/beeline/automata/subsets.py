"""The subset construction: what a deterministic automaton can know of a nondeterministic one."""

from __future__ import annotations

from beeline.automata.graph import Graph
from beeline.automata.letters import NONE


class TooManySubsets(Exception):
    """The deterministic automaton is larger than wanted."""


class Subsets:
    """The reachable subsets of a graph's states, acceptance left aside; ``rows[i]`` maps targets to guards.

    The empty subset is one like the others, so that every word has a run. Subsets are masks; `variables` is the number
    of propositions.
    """

    def __init__(self, graph: Graph, variables: int, limit: int) -> None:
        self.graph = graph
        self.variables = variables
        self.subsets: list[int] = [1 << graph.initial]
        self.rows: list[dict[int, int]] = []
        numbers = {self.subsets[0]: 0}
        letters = graph.letters
        # What a state can do, as a function: a letter, and a variable for each target.
        doing = [
            letters.any(letters.both(guard, letters.variable(variables + target)) for guard, _, target in row)
            for row in graph.arcs
        ]
        for index, _ in enumerate(self.subsets):  # grows meanwhile
            function = letters.any(doing[state] for state in self.states(index))
            row: dict[int, int] = {}
            for rest, part in letters.by_prefix(function, variables).items():
                following = self._targets(rest)
                number = numbers.get(following)
                if number is None:
                    number = numbers[following] = len(self.subsets)
                    self.subsets.append(following)
                row[number] = part
            if len(self.subsets) > limit:
                raise TooManySubsets
            self.rows.append(row)

    def states(self, index: int) -> list[int]:
        """The states of a subset."""
        mask = self.subsets[index]
        return [state for state in range(mask.bit_length()) if mask >> state & 1]

    def _targets(self, disjunction: int) -> int:
        mask = 0
        while disjunction != NONE:
            variable, disjunction, _ = self.graph.letters.branches(disjunction)
            mask |= 1 << variable - self.variables
        return mask
