"""Functions of the library keep their limits in all that they do, in whatever thread they are called."""

import threading
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from beeline import Limits, NetworkBuilder, check, explore
from beeline.engine.budget import LimitReached, current, doing, spend

PATIENCE = 10


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A model that never becomes one."""
    file = tmp_path / "endless.py"
    file.write_text("while True:\n    pass\n")
    return file


def test_a_check_ends_at_its_time_limit_while_the_model_is_read(endless: Path) -> None:
    began = monotonic()
    result = check(endless, limits=Limits(time=0.3))
    assert monotonic() - began < PATIENCE
    assert (result.verdict, result.reason) == ("unknown", "time limit while parsing")
    assert current() is None


def test_an_exploration_ends_at_its_time_limit_while_the_model_is_read(endless: Path) -> None:
    found = explore(endless, limits=Limits(time=0.3))
    assert (found.complete, found.reason) == (False, "time limit while parsing")


def test_a_check_in_another_thread_keeps_its_limit_as_well(endless: Path) -> None:
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(check(endless, limits=Limits(time=0.3))), daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert [result.reason for result in results] == ["time limit while parsing"]


def test_a_budget_ends_the_work_and_says_what_it_was() -> None:
    with pytest.raises(LimitReached), spend(Limits(time=0.1)) as budget:
        doing("counting")
        while True:
            pass
    assert budget.reason == "time limit while counting"
    assert budget.left == 0


def test_nothing_comes_after_the_work_is_done() -> None:
    with spend(Limits(time=0.01)):
        pass
    began = monotonic()
    while monotonic() - began < 0.5:
        pass


def test_an_inner_budget_takes_no_more_than_the_outer_one_has() -> None:
    with spend(Limits(time=5)) as outer, spend(Limits(time=100)) as inner:
        assert inner is outer
    with spend(Limits(time=100)) as outer, spend(Limits(time=5)) as inner:
        assert inner is not outer
        assert inner.left <= 5
    with spend(Limits()) as outer, spend(Limits(time=5)) as inner:
        assert inner.left <= 5
        assert outer.left > 5


def test_the_end_of_an_outer_budget_is_not_taken_for_that_of_an_inner_one() -> None:
    builder = NetworkBuilder("one")
    builder.process("P").location("s").edge("s", "s")
    with pytest.raises(LimitReached), spend(Limits(time=0.1)) as outer:
        while True:
            check(builder, "true", limits=Limits(time=0.05))
    assert outer.is_spent
