"""Plans tell how large spaces are, and which way to take."""

from __future__ import annotations

from itertools import count
from math import inf

import pytest
from benchmarks.generated import counters, philosophers

from beeline import Limits
from beeline.checking import Options
from beeline.engine import Found, Outcome
from beeline.engine.outcome import Sample
from beeline.model.property import Property
from beeline.planning import Choice, Fit, Plan, Size, plan, size_of
from beeline.planning import ways as plans
from beeline.planning.size import followed, layers
from beeline.problems import problem_of
from beeline.searches.runner import run


def counted(limits: Limits) -> Outcome:
    space = problem_of(counters(6), Property("states", "")).counted_space()
    return run(space, "bfs", stop=Found.NOTHING, limits=limits)


def seen(states: int) -> Size:
    """What is said when so many states are stored, and counts were noted at the end of each layer: a search notes them
    when the clock says so."""
    history, stored = [], 0
    for depth in count():
        before, stored = stored, counted(Limits(depth=depth)).statistics.stored
        history.append(Sample(0.0, stored, stored - before, None, 0))
        if stored >= states:
            return size_of(history, stored, False)
    raise AssertionError


def test_a_space_that_was_seen_whole_is_known() -> None:
    outcome = counted(Limits())
    size = size_of(outcome.history, outcome.statistics.stored, outcome.complete)
    assert size.is_known and size.likely == 10**6


@pytest.mark.parametrize("states", [500_000, 200_000])
def test_the_truth_lies_in_the_interval(states: int) -> None:
    size = seen(states)
    assert not size.is_known
    assert size.low <= 10**6 <= size.high
    assert 3e5 < size.likely < 3e6


def test_layers_of_equal_growth_have_no_end() -> None:
    widths = [2.0**i for i in range(12)]
    assert followed(widths, 0) == inf
    assert followed([*widths, *reversed(widths)], 0) is not None


def test_layers_come_from_counts_of_what_is_stored_and_expanded() -> None:
    assert layers([(0, 1), (1, 4), (4, 9), (9, 10)]) == [1, 3, 5, 1]


def choice(low: float, likely: float, high: float, room: int = 1000) -> Choice:
    return Choice("--store plain", Size(1, low, likely, high), 1.0, 10.0, room, "memory")


def test_what_fits_for_certain_is_taken_first() -> None:
    sure, likely, never = choice(1, 10, 100), choice(1, 500, 5000), choice(2000, 3000, 4000)
    assert [one.fits for one in (sure, likely, never)] == [Fit.YES, Fit.PERHAPS, Fit.NO]
    assert Plan("p", None, sure.states, (never, likely, sure)).recommended is sure
    assert Plan("p", None, sure.states, (never, likely)).recommended is likely
    assert Plan("p", None, sure.states, (never,)).recommended is None
    assert choice(5, inf, inf).fits is Fit.PERHAPS


def test_a_plan_says_so_if_the_answer_is_near() -> None:
    made = plan(philosophers(3))
    assert made.answer is not None and made.answer.verdict == "violated"


def test_a_plan_of_a_space_that_does_not_fit_has_a_way_for_each_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "SECONDS", 3.0)
    made = plan(counters(9), "invariant: true", Options(shrink="none"))
    ways = {one.how: one for one in made.choices}
    assert {"--store plain", "--search bfs --store tree", "--store disk:FOLDER"} <= ways.keys()
    assert ways["--store plain"].proves and not ways["--search bfs --store bitstate"].proves
    assert made.size is not None and made.size.low <= 10**9
