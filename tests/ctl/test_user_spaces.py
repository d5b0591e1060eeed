"""Formulas about spaces that users write in Python."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.ctl.test_labelling import Case, cases

from beeline import ModelError, check

Litres = tuple[int, int]


class Jugs:
    """Two jugs of three and five litres."""

    def initial(self) -> Litres:
        return (0, 0)

    def successors(self, state: Litres) -> Iterator[tuple[str, Litres]]:
        small, large = state
        yield "fill the small jug", (3, large)
        yield "fill the large jug", (small, 5)
        yield "empty the small jug", (0, large)
        yield "empty the large jug", (small, 0)
        poured = min(small, 5 - large)
        yield "pour small into large", (small - poured, large + poured)
        poured = min(large, 3 - small)
        yield "pour large into small", (small + poured, large - poured)

    def four(self, state: Litres) -> bool:
        return state[1] == 4

    def empty(self, state: Litres) -> bool:
        return state == (0, 0)


@pytest.mark.parametrize(
    ("formula", "verdict", "steps", "cycle"),
    [
        ("ctl: AG EF four", "holds", None, None),
        ("ctl: AF four", "violated", 1, 0),
        ("ctl: EF (four && EX !four)", "holds", 7, None),
        ("ctl: EX EX empty", "holds", 2, None),
        ("ctl[four]: AG EF empty", "holds", None, None),
        ("ctl[four, ! four]: EG !empty", "violated", None, None),
    ],
)
def test_two_jugs(formula: str, verdict: str, steps: int | None, cycle: int | None) -> None:
    result = check(Jugs(), formula)
    assert result.verdict == verdict
    assert (None if result.trace is None else len(result.trace)) == steps
    if result.trace is not None:
        assert result.trace.cycle == cycle and all(step.action for step in result.trace)


class Space:
    """A random structure as a user would write it."""

    def __init__(self, case: Case) -> None:
        self.case = case

    def initial(self) -> int:
        return 0

    def successors(self, state: int) -> list[int]:
        return self.case.rows[state]

    def p(self, state: int) -> bool:
        return "p" in self.case.labels[state]

    def q(self, state: int) -> bool:
        return "q" in self.case.labels[state]


def test_answers_are_those_of_the_definition() -> None:
    verdicts = {True: 0, False: 0}
    for case in cases(300, 300_000):
        fairness = f"[{', '.join(map(str, case.fairness))}]" if case.fairness else ""
        result = check(Space(case), f"ctl{fairness}: {case.formula}")
        expected = case.holds(case.formula, 0)
        assert result.verdict == ("holds" if expected else "violated"), (str(case.formula), fairness)
        verdicts[expected] += 1
        if result.trace is not None:
            for before, after in zip(result.trace.states, result.trace.states[1:], strict=False):
                assert after in case.rows[before]
    assert min(verdicts.values()) > 50


class Endless:
    """Numbers without end, and one of them from which nothing leads back."""

    def initial(self) -> int:
        return 0

    def successors(self, state: int) -> list[int]:
        return [state] if state == 7 else [state + 1, 2 * state]

    def seven(self, state: int) -> bool:
        return state == 7


def test_a_space_without_end_is_answered_where_that_is_possible() -> None:
    assert check(Endless(), "ctl: AG EF !seven").verdict == "violated"
    assert check(Endless(), "ctl: EF AG seven").verdict == "holds"


class Raising(Jugs):
    """Forgets a case."""

    def successors(self, state: Litres) -> Iterator[tuple[str, Litres]]:
        if state[0] == 2:
            raise KeyError("two litres")
        yield from super().successors(state)


def test_an_exception_is_a_violation_with_the_way_to_it() -> None:
    result = check(Raising(), "ctl: AG EF empty")
    assert result.verdict == "violated" and "two litres" in result.reason
    assert result.trace is not None and result.trace[-1].error


@pytest.mark.parametrize(
    ("formula", "message"),
    [("ctl: AG for", "did you mean 'four'"), ("ctl: AG x > 3", "put it into a method"), ("ctl: AG", "missing")],
)
def test_mistakes_are_told(formula: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        check(Jugs(), formula)
