"""Which states satisfy a formula: fixpoints over sets of states (Clarke, Emerson and Sistla 1986), for fair paths by
those of Emerson and Lei (1986)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Generic

from beeline.ctl.formula import TRUE, Formula, basic
from beeline.ctl.structure import Q, S, Structure


def bounds(
    structure: Structure[S, Q], fairness: Sequence[Formula], unknown: S
) -> tuple[Labelling[S, Q], Labelling[S, Q]]:
    """What is sure and what is possible, if nothing is known of the successors of some states. What is sure holds, and
    what is not possible fails, however the structure goes on behind them."""
    sure, possible = Labelling(structure, fairness, unknown), Labelling(structure, fairness, unknown)
    sure._other, possible._other, possible._hopes = possible, sure, True
    return sure, possible


class Labelling(Generic[S, Q]):
    """The states of each formula. Paths are those that meet every one of `fairness` infinitely often."""

    def __init__(self, structure: Structure[S, Q], fairness: Sequence[Formula] = (), unknown: S | None = None) -> None:
        self.structure = structure
        self._other: Labelling[S, Q] | None = None
        self._hopes = False
        """Whether states whose successors are unknown have those that the formula wants; if not, they have none."""
        self._unknown = structure.nothing if unknown is None else unknown
        self._known: dict[Formula, S] = {}
        self._layers: dict[tuple[Formula, Formula], list[S]] = {}
        self.constraints = [self._plainly(basic(constraint)) for constraint in fairness]

    @property
    def opposite(self) -> Labelling[S, Q]:
        """What is labelled with the opposite of a formula: where that is possible, the formula is not sure."""
        return self if self._other is None else self._other

    def _plainly(self, formula: Formula) -> S:
        """The states of a formula without path operators."""
        found = self._boolean(formula, self._plainly, self._plainly)
        if found is None:
            raise ValueError("a fairness constraint is a condition on states")
        return found

    def _boolean(self, formula: Formula, label: Callable[[Formula], S], opposite: Callable[[Formula], S]) -> S | None:
        """The states of a formula that is no path operator, given those of its parts; None for path operators."""
        space = self.structure
        match formula.kind, formula.parts:
            case "true", _:
                return space.everything
            case "atom", _:
                return space.where(formula.name)
            case "not", [part]:
                return space.without(space.everything, opposite(part))
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
                return not self.opposite.holds_at(part, state)
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
        found = self._boolean(formula, self.label, self.opposite.label)
        if found is not None:
            return found
        match formula.kind, formula.parts:
            case "EX", [part]:
                return self._as_far_as_known(space.before(space.both(self.label(part), self.fair)))
            case "EU", [way, goal]:
                return space.union(self.layers(way, goal))
            case "EG", [part]:
                whole = part == TRUE and space.is_empty(self._unknown)
                return self.fair if whole else self.for_ever(self.label(part))
        raise AssertionError(formula.kind)

    def _as_far_as_known(self, states: S) -> S:
        """The states that go on in some way, with or without those of which nothing is known."""
        change = self.structure.either if self._hopes else self.structure.without
        return change(states, self._unknown)

    def layers(self, way: Formula, goal: Formula) -> list[S]:
        """The states of E[way U goal]: from each set a step leads to one before it, and the goal is the first."""
        if (way, goal) not in self._layers:
            end = self.structure.both(self.label(goal), self.fair)
            if self._hopes:
                end = self.structure.either(end, self.structure.both(self.label(way), self._unknown))
            self._layers[way, goal] = self.structure.until(self.label(way), end)
        return self._layers[way, goal]

    def for_ever(self, states: S) -> S:
        """The states from which a fair path stays among these."""
        space = self.structure
        # A state without known successors is its own successor: it stays, unless nothing is hoped for.
        states = space.staying(states if self._hopes else space.without(states, self._unknown))
        if not self.constraints:
            return states
        while True:
            rest = states
            for constraint in self.constraints:
                goal = space.both(rest, space.either(constraint, self._unknown) if self._hopes else constraint)
                if space.is_empty(goal):
                    return goal
                if not space.is_empty(space.without(rest, goal)):
                    rest = space.union(space.until(rest, goal))
            if space.is_empty(space.without(states, rest)):
                return states
            states = space.staying(rest)
