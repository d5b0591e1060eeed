"""Formulas of the mu-calculus by their definition: sets of states, and fixpoints by iteration."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from beeline.ctl.formula import Formula
from beeline.lts.step_labels import StepLabels
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.mu.actions import Regular
from beeline.mu.formula import Fixpoint, Modality

Sets = Mapping[str, frozenset[int]]
Successors = list[list[tuple[str, int]]]
FAILED = None


class TooMany(Exception):
    """There are more states than wanted."""


def successors_of(labels: StepLabels, semantics: Semantics, most: int) -> tuple[list[State | None], Successors, int]:
    """The states, the arcs of each, and how many states are initial. Steps that fail lead to a state of their own."""
    states: list[State | None] = []
    numbers: dict[State | None, int] = {}
    arcs: Successors = []

    def number(state: State | None) -> int:
        if state not in numbers:
            if len(states) >= most:
                raise TooMany
            numbers[state] = len(states)
            states.append(state)
        return numbers[state]

    initial = len({number(state) for state in semantics.initial_states()})
    for state in states:
        steps = [] if state is FAILED else semantics.steps(state)
        arcs.append([(labels.of_step(state, step), number(step.target)) for step in steps if state is not None])
    return states, arcs, initial


class Naive:
    def __init__(self, arcs: Successors, holds: Callable[[str, int], bool]) -> None:
        self.arcs, self.holds = arcs, holds
        self.everything = frozenset(range(len(arcs)))

    def states(self, formula: Formula, bound: Sets) -> frozenset[int]:
        """Where a formula is true, if variables are these sets."""
        parts = formula.parts
        if isinstance(formula, Fixpoint):
            return self._fixpoint(
                formula.kind == "mu", lambda inside: self.states(parts[0], {**bound, formula.name: inside})
            )
        if isinstance(formula, Modality):
            inside = self.states(parts[0], bound)
            if formula.kind == "can":
                return self._before(formula.steps, inside)
            return self.everything - self._before(formula.steps, self.everything - inside)
        match formula.kind:
            case "true":
                return self.everything
            case "variable":
                return bound[formula.name]
            case "atom":
                return frozenset(number for number in self.everything if self.holds(formula.name, number))
        sets = [self.states(part, bound) for part in parts]
        match formula.kind:
            case "not":
                return self.everything - sets[0]
            case "and":
                return sets[0] & sets[1]
            case "or":
                return sets[0] | sets[1]
            case "implies":
                return (self.everything - sets[0]) | sets[1]
            case "iff":
                return self.everything - (sets[0] ^ sets[1])
        return self._paths(formula.kind, sets)

    def _fixpoint(self, least: bool, step: Callable[[frozenset[int]], frozenset[int]]) -> frozenset[int]:
        found: frozenset[int] = frozenset() if least else self.everything
        while (again := step(found)) != found:
            found = again
        return found

    def _before(self, steps: Regular, inside: frozenset[int]) -> frozenset[int]:
        """From where a run in `steps` leads inside."""
        match steps.kind, steps.parts:
            case "actions", _:
                return frozenset(
                    number
                    for number, arcs in enumerate(self.arcs)
                    if any(steps.actions.has(label) and target in inside for label, target in arcs)
                )
            case "sequence", parts:
                for part in reversed(parts):
                    inside = self._before(part, inside)
                return inside
            case "choice", parts:
                return frozenset().union(*(self._before(part, inside) for part in parts))
            case "option", (part,):
                return inside | self._before(part, inside)
            case "plus", (part,):
                return self._before(part, self._before(Regular("star", (part,)), inside))
        return self._fixpoint(True, lambda found: inside | self._before(steps.parts[0], found))

    def _paths(self, kind: str, sets: list[frozenset[int]]) -> frozenset[int]:
        """Operators of CTL; where nothing can be done, the state itself comes next."""

        def some(inside: frozenset[int]) -> frozenset[int]:
            return frozenset(
                number
                for number, arcs in enumerate(self.arcs)
                if any(target in inside for _, target in arcs) or (not arcs and number in inside)
            )

        def every(inside: frozenset[int]) -> frozenset[int]:
            return self.everything - some(self.everything - inside)

        after = some if kind[0] == "E" else every
        match kind[1]:
            case "X":
                return after(sets[0])
            case "F":
                return self._fixpoint(True, lambda found: sets[0] | after(found))
            case "G":
                return self._fixpoint(False, lambda found: sets[0] & after(found))
            case "U":
                return self._fixpoint(True, lambda found: sets[1] | (sets[0] & after(found)))
            case "W":
                return self._fixpoint(False, lambda found: sets[1] | (sets[0] & after(found)))
        return self._fixpoint(False, lambda found: sets[1] & (sets[0] | after(found)))
