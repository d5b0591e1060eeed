"""Which states satisfy a formula: fixpoints over sets of states (Clarke, Emerson and Sistla 1986), for fair paths by
those of Emerson and Lei (1986)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Generic

from beeline.ctl.formula import TRUE, Formula, basic
from beeline.ctl.structure import Q, S, Structure


class Labelling(Generic[S, Q]):
    """The states of each formula. Paths are those that meet every one of `fairness` infinitely often."""

    def __init__(self, structure: Structure[S, Q], fairness: Sequence[Formula] = ()) -> None:
        self.structure = structure
        self._known: dict[Formula, S] = {}
        self._layers: dict[tuple[Formula, Formula], list[S]] = {}
        self.constraints = [self._plainly(basic(constraint)) for constraint in fairness]

    def _plainly(self, formula: Formula) -> S:
        """The states of a formula without path operators."""
        found = self._boolean(formula, self._plainly)
        if found is None:
            raise ValueError("a fairness constraint is a condition on states")
        return found

    def _boolean(self, formula: Formula, label: Callable[[Formula], S]) -> S | None:
        """The states of a formula that is no path operator, given those of its parts; None for path operators."""
        space = self.structure
        match formula.kind, formula.parts:
            case "true", _:
                return space.everything
            case "atom", _:
                return space.where(formula.name)
            case "not", [part]:
                return space.without(space.everything, label(part))
            case "and", [left, right]:
                some = label(left)
                return some if space.is_empty(some) else space.both(some, label(right))
        return None

    def holding(self, formula: Formula) -> S:
        """The states that satisfy a formula."""
        return self.label(basic(formula))

    def label(self, formula: Formula) -> S:
        """The same of a basic formula."""
        if formula not in self._known:
            self._known[formula] = self._label(formula)
        return self._known[formula]

    def holds_at(self, formula: Formula, state: Q) -> bool:
        """Whether a basic formula holds in a state. What can be reached from where everything begins need not be sought
        backward."""
        match formula.kind, formula.parts:
            case "not", [part]:
                return not self.holds_at(part, state)
            case "and", parts:
                return all(self.holds_at(part, state) for part in parts)
            case "EU", [way, goal] if way == TRUE and self.structure.begins_at(state):
                return not self.structure.is_empty(self.structure.both(self.label(goal), self.fair))
        return self.structure.has(self.label(formula), state)

    @cached_property
    def fair(self) -> S:
        """The states from which a fair path begins."""
        return self.structure.everything if not self.constraints else self.for_ever(self.structure.everything)

    def _label(self, formula: Formula) -> S:
        space = self.structure
        found = self._boolean(formula, self.label)
        if found is not None:
            return found
        match formula.kind, formula.parts:
            case "EX", [part]:
                return space.before(space.both(self.label(part), self.fair))
            case "EU", [way, goal]:
                return space.union(self.layers(way, goal))
            case "EG", [part]:
                return self.fair if part == TRUE else self.for_ever(self.label(part))
        raise AssertionError(formula.kind)

    def layers(self, way: Formula, goal: Formula) -> list[S]:
        """The states of E[way U goal]: from each set a step leads to one before it, and the goal is the first."""
        if (way, goal) not in self._layers:
            end = self.structure.both(self.label(goal), self.fair)
            self._layers[way, goal] = self.structure.until(self.label(way), end)
        return self._layers[way, goal]

    def for_ever(self, states: S) -> S:
        """The states from which a fair path stays among these."""
        space = self.structure
        states = space.staying(states)
        if not self.constraints:
            return states
        while True:
            rest = states
            for constraint in self.constraints:
                goal = space.both(rest, constraint)
                if space.is_empty(goal):
                    return goal
                if not space.is_empty(space.without(rest, goal)):
                    rest = space.union(space.until(rest, goal))
            if space.is_empty(space.without(states, rest)):
                return states
            states = space.staying(rest)
