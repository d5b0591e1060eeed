"""Labelling and evidence on random structures, against definitions that know no fixpoints."""

from __future__ import annotations

import os
import random
from collections.abc import Collection, Iterator

import pytest

from beeline.ctl import Evidence, Formula, Labelling, bounds, fragment, parse_ctl, show
from beeline.ctl.formula import PATHS, TRUE, atom
from beeline.ctl.graph import Graph

TIMES = int(os.environ.get("BEELINE_CTL", "1"))  # BEELINE_CTL=10 asks for a long run
NAMES = ("p", "q")


class Case:
    """A random structure: successors, labels, fairness constraints."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.size = chance.randint(1, 8)
        self.rows = [
            sorted({chance.randrange(self.size) for _ in range(chance.choice([0, 1, 1, 2, 3]))})
            for _ in range(self.size)
        ]
        self.labels = [{name for name in NAMES if chance.random() < 0.5} for _ in range(self.size)]
        self.fairness = [self._state_formula(chance) for _ in range(chance.choice([0, 0, 1, 2]))]
        self.formula = self._formula(chance, 3)
        self.known: dict[tuple[Formula, int], bool] = {}
        self.graph = Graph(self.rows, lambda number, name: name in self.labels[number])
        self.successors = [row or [number] for number, row in enumerate(self.rows)]

    def _state_formula(self, chance: random.Random) -> Formula:
        found = atom(chance.choice(NAMES))
        return Formula("not", (found,)) if chance.random() < 0.3 else found

    def _formula(self, chance: random.Random, depth: int) -> Formula:
        if depth == 0 or chance.random() < 0.1:
            return chance.choice([TRUE, *map(atom, NAMES), *map(atom, NAMES)])
        kind = chance.choice([*PATHS, "not", "and", "or", "implies", "iff"])
        count = 1 if kind == "not" or (kind[-1] in "XFG" and kind in PATHS) else 2
        return Formula(kind, tuple(self._formula(chance, depth - 1) for _ in range(count)))

    # The definitions, by looking for paths

    def reachable(self, start: int, inside: set[int]) -> set[int]:
        """What can be reached from a state inside a set without leaving it."""
        if start not in inside:
            return set()
        found, waiting = {start}, [start]
        while waiting:
            for target in self.successors[waiting.pop()]:
                if target in inside and target not in found:
                    found.add(target)
                    waiting.append(target)
        return found

    def meets_all(self, states: Collection[int]) -> bool:
        """Whether each fairness constraint holds in one of the states."""
        return all(any(self.is_met(one, state) for state in states) for one in self.fairness)

    def is_met(self, one: Formula, state: int) -> bool:
        return not self.is_met(one.parts[0], state) if one.kind == "not" else one.name in self.labels[state]

    def has_fair_path(self, start: int, inside: set[int]) -> bool:
        """Whether a path from `start` stays inside and meets every constraint for ever: a strong component with all."""
        for state in self.reachable(start, inside):
            around = {
                other
                for target in self.successors[state]
                for other in self.reachable(target, inside)
                if state in self.reachable(other, inside)
            }
            if around and self.meets_all(around):
                return True
        return False

    def holds(self, formula: Formula, state: int) -> bool:
        key = formula, state
        if key not in self.known:
            self.known[key] = self.is_true(formula, state)
        return self.known[key]

    def is_true(self, formula: Formula, state: int) -> bool:
        everything = set(range(self.size))
        part = [{number for number in everything if self.holds(one, number)} for one in formula.parts]
        fair = {number for number in everything if not self.fairness or self.has_fair_path(number, everything)}
        match formula.kind:
            case "true":
                return True
            case "atom":
                return formula.name in self.labels[state]
            case "not":
                return state not in part[0]
            case "and":
                return state in part[0] & part[1]
            case "or":
                return state in part[0] | part[1]
            case "implies":
                return state not in part[0] or state in part[1]
            case "iff":
                return (state in part[0]) == (state in part[1])
            case "EX":
                return any(target in part[0] & fair for target in self.successors[state])
            case "AX":
                return all(target in part[0] for target in self.successors[state] if target in fair)
            case "EF":
                return bool(self.reachable(state, everything) & part[0] & fair)
            case "AG":
                return self.reachable(state, everything) & fair <= part[0]
            case "EG":
                return self.has_fair_path(state, part[0])
            case "AF":
                return not self.has_fair_path(state, everything - part[0])
            case "EU":
                return self.until(state, part[0], part[1] & fair)
            case "AU":
                wrong = (everything - part[0] - part[1]) & fair
                never = self.has_fair_path(state, everything - part[1])
                return not never and not self.until(state, everything - part[1], wrong)
            case "EW":
                return self.has_fair_path(state, part[0]) or self.until(state, part[0], part[1] & fair)
            case "AW":
                return not self.until(state, everything - part[1], (everything - part[0] - part[1]) & fair)
            case "ER":
                return self.has_fair_path(state, part[1]) or self.until(state, part[1], part[0] & part[1] & fair)
            case "AR":
                return not self.until(state, everything - part[0], (everything - part[1]) & fair)
        raise AssertionError(formula.kind)

    def until(self, state: int, way: set[int], goal: set[int]) -> bool:
        """Whether a path stays on the way until it is at the goal."""
        if state in goal:
            return True
        around = self.reachable(state, way)
        return any(target in goal for number in around for target in self.successors[number])


def cases(count: int, start: int = 0) -> Iterator[Case]:
    for seed in range(start, start + count):
        yield Case(seed)


def test_labels_are_those_of_the_definition() -> None:
    seen = set()
    for case in cases(500 * TIMES):
        found = Labelling(case.graph, case.fairness).holding(case.formula)
        expected = {number for number in range(case.size) if case.holds(case.formula, number)}
        assert {number for number in range(case.size) if found >> number & 1} == expected, str(case.formula)
        seen.add(case.formula.kind)
    assert set(PATHS) <= seen


def partly_seen(case: Case, chance: random.Random) -> tuple[Labelling[int, int], Labelling[int, int]]:
    """Labels as far as they are known if nothing is known of the successors of some states."""
    hidden = {number for number in range(case.size) if chance.random() < 0.3}
    rows = [[] if number in hidden else case.successors[number] for number in range(case.size)]
    graph = Graph(rows, lambda number, name: name in case.labels[number])
    return bounds(graph, case.fairness, sum(1 << number for number in hidden))


def test_what_is_sure_holds_and_what_is_not_possible_fails() -> None:
    sure_of = refuted = open_left = 0
    for case in cases(500 * TIMES, 200_000):
        sure, possible = partly_seen(case, random.Random(case.size))
        held, hoped = sure.holding(case.formula), possible.holding(case.formula)
        truth = sum(case.holds(case.formula, number) << number for number in range(case.size))
        assert held & ~truth == 0 and truth & ~hoped == 0, str(case.formula)
        sure_of, refuted = sure_of + held.bit_count(), refuted + case.size - hoped.bit_count()
        open_left += (hoped & ~held).bit_count()
        if held & 1:
            check_evidence(case, show(sure, case.formula, 0))
        elif not hoped & 1:
            check_evidence(case, show(sure, Formula("not", (case.formula,)), 0))
    assert min(sure_of, refuted, open_left) > 200


def check_evidence(case: Case, evidence: Evidence[int]) -> int:
    """A path, its facts, its cycle with all that is fair, and its branches; returns how many paths there are."""
    for before, after in zip(evidence.path, evidence.path[1:], strict=False):
        assert after in case.successors[before]
    for position, name, value in evidence.facts:
        assert (name in case.labels[evidence.path[position]]) == value
    if evidence.cycle is not None:
        assert evidence.path[evidence.cycle] == evidence.path[-1] and evidence.cycle < len(evidence.path) - 1
        around = evidence.path[evidence.cycle :]
        assert case.meets_all(around)
    found = 1
    for position, branch in evidence.branches:
        assert branch.path[0] == evidence.path[position]
        found += check_evidence(case, branch)
    return found


def test_evidence_is_made_of_paths() -> None:
    paths = cycles = trees = 0
    for case in cases(500 * TIMES, 100_000):
        evidence = show(Labelling(case.graph, case.fairness), case.formula, 0)
        trees += check_evidence(case, evidence) > 1
        paths += len(evidence.path) > 1
        cycles += evidence.cycle is not None
    assert min(paths, cycles, trees) > 20


def test_a_tree_is_shown_where_a_lasso_says_too_little() -> None:
    """p holds on the cycle, but from there it can be left: AF AG p fails though p holds all along a run."""
    rows, labels = [[0, 1], [1]], [{"p"}, set[str]()]
    graph = Graph(rows, lambda number, name: name in labels[number])
    evidence = show(Labelling(graph), parse_ctl("AF AG p"), 0)
    assert evidence.path == [0, 0] and evidence.cycle == 0
    (branch,) = [branch for _, branch in evidence.branches]
    assert branch.path == [0, 1] and branch.facts == [(1, "p", False)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("p && q", "state"),
        ("AG (p -> AF q)", "ACTL"),
        ("!EF p", "ACTL"),
        ("E[p U EG q]", "ECTL"),
        ("AG EF p", "CTL"),
        ("A[p U q] <-> q", "CTL"),
    ],
)
def test_fragments(text: str, kind: str) -> None:
    assert fragment(parse_ctl(text)) == kind
