"""Spaces written in Python: named invariants, who moves, and exceptions as violations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from beeline import Action, ModelError, check, check_all, invariant

Seats = tuple[int, int]


class Shop:
    """Two customers and three seats, with one bug for each way to leave."""

    deadlock_is_violation = True

    def initial(self) -> Seats:
        return (0, 3)

    def successors(self, state: Seats) -> Iterator[tuple[str, Seats]]:
        inside, free = state
        if inside < 2:
            yield Action(f"customer {inside}", "enters"), (inside + 1, free - 1)
        if inside == 2 and free:
            yield Action("customer 1", "leaves"), (1, free)

    @invariant
    def seats_are_kept(self, state: Seats) -> bool:
        """No seat gets lost."""
        return sum(state) == 3

    @invariant
    def nobody_stands(self, state: Seats) -> bool:
        return state[1] >= 0


def test_every_invariant_has_its_own_answer() -> None:
    results = check_all(Shop())
    assert [(one.property.name, one.verdict) for one in results] == [
        ("seats_are_kept", "violated"),
        ("nobody_stands", "holds"),
        ("deadlock", "violated"),
    ]
    assert results[0].property.text == "No seat gets lost"
    assert check(Shop(), "nobody_stands").verdict == "holds"


def test_a_misspelt_invariant_is_told() -> None:
    with pytest.raises(ModelError, match="did you mean 'nobody_stands'"):
        check(Shop(), "nobody_stand")


def test_inherited_invariants_count_and_may_be_overridden() -> None:
    class Larger(Shop):
        @invariant
        def nobody_stands(self, state: Seats) -> bool:
            return state[1] > 1

        @invariant
        def one_at_a_time(self, state: Seats) -> bool:
            return state[0] < 2

    assert [(one.property.name, one.verdict) for one in check_all(Larger())][:3] == [
        ("seats_are_kept", "violated"),
        ("nobody_stands", "violated"),
        ("one_at_a_time", "violated"),
    ]


def test_steps_tell_who_moves() -> None:
    trace = check(Shop(), "seats_are_kept").trace
    assert trace is not None
    assert [(step.process, step.action) for step in trace] == [
        ("customer 0", "enters"),
        ("customer 1", "enters"),
        ("customer 1", "leaves"),
    ]


class Falling:
    """Raises where it should not."""

    def initial(self) -> int:
        return 2

    def successors(self, state: int) -> list[tuple[str, int]]:
        if state < 0:
            raise ValueError("below the ground")
        return [("down", state - 1)]


def test_an_exception_is_a_violation_with_the_way_to_it() -> None:
    result = check(Falling())
    assert (result.verdict, result.reason) == ("violated", "ValueError: below the ground")
    assert result.trace is not None
    assert [step.action for step in result.trace][:-1] == ["down"] * 3
    last = result.trace[-1]
    assert last.error == result.reason and last.source.file == __file__
    assert last.action == 'raise ValueError("below the ground")'
    assert result.trace.states[-1] == -1


def test_an_invariant_that_raises_is_violated() -> None:
    class Odd(Falling):
        def successors(self, state: int) -> list[tuple[str, int]]:
            return [("down", state - 1)] if state else []

        @invariant
        def divides(self, state: int) -> bool:
            return 6 // state > 0

    result = check(Odd())
    assert result.reason.startswith("ZeroDivisionError")
    assert result.trace is not None and len(result.trace) == 3


def test_what_is_no_fault_of_the_model_is_raised() -> None:
    class NoState(Falling):
        def successors(self, state: int) -> Any:
            return [("down", [state])]

    with pytest.raises(TypeError, match="unhashable"):
        check(NoState())

    class NoStart(Falling):
        def initial(self) -> int:
            raise ValueError("nowhere")

    with pytest.raises(ValueError, match="nowhere"):
        check(NoStart())


def test_of_a_long_exception_the_first_line_is_told() -> None:
    class Talks(Falling):
        def successors(self, state: int) -> list[tuple[str, int]]:
            raise ValueError("too deep\nand a long story")

    result = check(Talks())
    assert result.reason == "ValueError: too deep"
    assert result.trace is not None and len(str(result.trace).splitlines()) == 2


def test_an_exception_that_does_not_come_again_is_no_answer() -> None:
    class Moody(Falling):
        asked = 0

        def successors(self, state: int) -> list[tuple[str, int]]:
            self.asked += 1
            if self.asked == 2:
                raise ValueError("today")
            return []

        def initial(self) -> Any:
            return iter([1, 2])

    with pytest.raises(ValueError, match="today"):
        check(Moody())
