"""Why a formula holds in a state, or does not: a path, on whose states other paths may begin.

There is evidence where some path is claimed: for E-formulas that hold and for A-formulas that do not. ``AF AG p`` fails
by a path that never leaves the states from which `!p` can be reached: it is no lasso alone, but one with a path from
each of its states (Clarke, Jha, Lu and Veith, Tree-like counterexamples in model checking, 2002)."""

from __future__ import annotations

from typing import Generic

from beeline.ctl.formula import TRUE, Formula, basic, negation
from beeline.ctl.labelling import Labelling
from beeline.ctl.structure import Q, S
from beeline.records import Record

MOST_BRANCHES = 50  # that are shown beside a path; the others are of the same kind


class Evidence(Record, Generic[Q]):
    """A path for a claim. From `cycle` on it comes again and again. `branches` begin at states of the path, given by
    their positions; `facts` are conditions on its states that hold, or do not."""

    claim: str
    path: list[Q]
    cycle: int | None
    branches: list[tuple[int, Evidence[Q]]]
    facts: list[tuple[int, str, bool]]


def show(labelling: Labelling[S, Q], formula: Formula, state: Q) -> Evidence[Q]:
    """The evidence for what a state says of a formula."""
    return _Shower(labelling).show(basic(formula), state, str(formula))


class _Shower(Generic[S, Q]):
    def __init__(self, labelling: Labelling[S, Q]) -> None:
        self._labelling, self._space = labelling, labelling.structure

    def show(self, formula: Formula, state: Q, claim: str = "") -> Evidence[Q]:
        found = Evidence(claim or str(formula), [state], None, [], [])
        self._prove(formula, found)
        return found

    def _prove(self, formula: Formula, found: Evidence[Q]) -> None:
        """Goes on from the last state of a path, at which a formula is true or false; the first operator that needs a
        path gets it, others get branches."""
        state = found.path[-1]
        if self._labelling.holds_at(formula, state):
            self._prove_true(formula, found)
        else:
            self._prove_true(negation(formula), found)

    def _prove_true(self, formula: Formula, found: Evidence[Q]) -> None:
        here = len(found.path) - 1
        match formula.kind, formula.parts:
            case "atom", _:
                found.facts.append((here, formula.name, True))
            case "not", [part] if part.kind == "atom":
                found.facts.append((here, part.name, False))
            case "and", parts:
                self._all_of(parts, found)
            case "not", [part] if part.kind == "and":
                # One of the parts is false; one that needs no path is the simplest reason.
                wrong = [one for one in part.parts if self._labelling.holds_at(negation(one), found.path[-1])]
                self._prove_true(negation(min(wrong, key=lambda one: one.is_temporal)), found)
            case "EX", [part]:
                good = self._space.both(self._labelling.label(part), self._labelling.fair)
                self._take(found, self._space.pick(self._space.both(self._space.after(found.path[-1]), good)))
                self._prove_true(part, found)
            case "EU", [way, goal] if way == TRUE and self._space.begins_at(found.path[-1]):
                good = self._space.both(self._labelling.label(goal), self._labelling.fair)
                found.path += self._space.way_to(good)[1:]
                self._prove_true(goal, found)
            case "EU", [way, goal]:
                self._walk(found, self._labelling.layers(way, goal), way)
                self._prove_true(goal, found)
            case "EG", [part]:
                self._go_round(found, part)

    def _all_of(self, parts: tuple[Formula, ...], found: Evidence[Q]) -> None:
        """Conditions first, since they are about the present state; then the paths."""
        ordered = sorted(parts, key=lambda part: part.is_temporal)
        here = len(found.path) - 1
        for part in ordered:
            if len(found.path) - 1 == here and found.cycle is None:
                self._prove_true(part, found)
            else:
                found.branches.append((here, self.show(part, found.path[here])))

    def _take(self, found: Evidence[Q], state: Q) -> None:
        found.path.append(state)

    def _walk(self, found: Evidence[Q], layers: list[S], way: Formula) -> None:
        """Nearer to the goal with each step."""
        space = self._space
        while True:
            distance = next(number for number, layer in enumerate(layers) if space.has(layer, found.path[-1]))
            if distance == 0:
                return
            self._beside(found, way)
            self._take(found, self._nearest(space.after(found.path[-1]), layers[:distance]))

    def _beside(self, found: Evidence[Q], formula: Formula) -> None:
        """What holds at the last state of a path that goes on elsewhere."""
        here = len(found.path) - 1
        if formula.is_temporal:
            if len(found.branches) < MOST_BRANCHES:
                branch = self.show(formula, found.path[-1])
                if len(branch.path) > 1 or branch.cycle is not None:
                    found.branches.append((here, branch))
        elif formula.kind != "true":
            found.facts += [(here, name, value) for _, name, value in self.show(formula, found.path[-1]).facts]

    def _go_round(self, found: Evidence[Q], part: Formula) -> None:
        """Into a cycle among states that a path need not leave, by way of all fairness constraints."""
        space = self._space
        inside = self._labelling.label(Formula("EG", (part,)))
        goals = [space.until(inside, space.both(inside, constraint)) for constraint in self._labelling.constraints]
        while True:
            first = len(found.path) - 1
            for layers in goals or [[inside]]:
                self._step_inside(found, layers, part)
            if self._closed(found, inside, first, part):
                return

    def _step_inside(self, found: Evidence[Q], layers: list[S], part: Formula) -> None:
        """At least one step, and on to the goal, by way of its layers."""
        near = self._space.after(found.path[-1])
        self._beside(found, part)
        self._take(found, self._nearest(near, layers))
        self._walk(found, layers, part)

    def _nearest(self, states: S, layers: list[S]) -> Q:
        for layer in layers:
            both = self._space.both(states, layer)
            if not self._space.is_empty(both):
                return self._space.pick(both)
        raise AssertionError("no way on")

    def _closed(self, found: Evidence[Q], inside: S, first: int, part: Formula) -> bool:
        """Whether the path comes back to the first state that it went to from position `first`, which belongs to the
        cycle then; if not, it has left a component for another, and tries again there."""
        space = self._space
        aim = space.only(found.path[first + 1])
        if not self._labelling.constraints:
            return self._repeats(found, part)
        if space.has(aim, found.path[-1]) and len(found.path) - 1 > first + 1:
            found.cycle = first + 1
            return True
        layers = space.until(inside, aim)
        if space.is_empty(space.both(space.after(found.path[-1]), space.union(layers))):
            return False
        self._step_inside(found, layers, part)
        found.cycle = first + 1
        return True

    def _repeats(self, found: Evidence[Q], part: Formula) -> bool:
        """Without fairness any state that comes again closes the cycle."""
        earlier = found.path[:-1]
        if found.path[-1] in earlier:
            found.cycle = earlier.index(found.path[-1])
            return True
        return False
