"""Searches that race give the verdicts of plain search; how a violation is shown may depend on who is quicker."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from benchmarks.generated import philosophers
from tests.explicit import graphs
from tests.languages.uppaal.timed_models import Shape, make_model, to_xta
from tests.programs import promela

from beeline import Limits, Network, NetworkBuilder, Result, check
from beeline.engine import Statistics, core
from beeline.languages.uppaal import load_text
from beeline.model.property import Goal, Property
from beeline.properties import DEADLOCK, SAFETY
from beeline.searches import SearchError


def race(network: Network, asked: str | Property | None, threads: int, search: str = "auto", **options: Any) -> Result:
    """A check in which everybody starts at once, however short the search."""
    with patch.object(core, "Request", partial(core.Request, smallest_search=0)):
        return check(network, asked, search=search, threads=threads, **options)


def agree(count: int, first_seed: int) -> None:
    """Verdicts on random networks, and lengths where a trace is called the shortest; every trace was replayed."""
    violated = proven = raced = 0
    for number, graph in enumerate(graphs(count, first_seed)):
        assert graph.goal is not None
        for asked in (Goal("goal", expression=graph.goal), DEADLOCK, SAFETY):
            wide = check(graph.network, asked, search="bfs")
            ours = race(graph.network, asked, 2 + number % 3, "auto:improve=0" if number % 4 == 0 else "auto")
            assert ours.verdict == wide.verdict, f"{asked.name} of\n{graph}"
            raced += "raced" in ours.threads_note
            violated += ours.trace is not None
            if ours.trace is not None and ours.shortest:
                proven += 1
                assert wide.trace is not None and len(ours.trace) == len(wide.trace), f"{asked.name} of\n{graph}"
    assert violated > count // 2
    assert proven > count // 4
    assert raced > count


def test_races_agree_with_breadth_first_search() -> None:
    agree(60, 31_000)


@pytest.mark.slow
def test_races_agree_with_breadth_first_search_on_thousands_of_networks() -> None:
    agree(3000, 41_000)


def digits(count: int, base: int) -> Network:
    """Digits that count up alone: all their values are possible, and nothing is wrong with any."""
    builder = NetworkBuilder("digits")
    builder.variable("digit", 0, base, size=count)
    wheel = builder.process("wheel", parameters={"me": (0, count - 1)})
    wheel.location("turns").edge("turns", "turns", guard=f"digit[me] < {base - 1}", effect="digit[me]++")
    for position in range(count):
        builder.start("wheel", me=position)
    return builder.build()


LOW = "digit[0] + digit[1] + digit[2] + digit[3] + digit[4] + digit[5] < 200"


def test_holds_is_said_after_the_whole_space_by_whomever() -> None:
    for seen in (
        race(digits(4, 8), "!(digit[0] == 8 && digit[1] == 8 && digit[2] == 8)", threads) for threads in (1, 3)
    ):
        assert (seen.verdict, seen.reason) == ("holds", "exhausted")


def test_long_searches_are_races_and_short_ones_are_not() -> None:
    long, short = (check(digits(6, base), LOW, search="auto", threads=3) for base in (7, 2))
    assert long.verdict == short.verdict == "holds"
    assert long.threads == short.threads == 3
    assert long.threads_note.startswith("3 searches raced: first was ")
    assert short.threads_note == ""


def told(result: Result) -> tuple[object, ...]:
    counts = result.statistics
    return result.verdict, result.trace and result.trace.steps, counts.stored, counts.expanded, counts.evaluated


def test_one_thread_threads_that_do_not_race_and_short_races_say_the_same() -> None:
    one, two = (check(philosophers(9), DEADLOCK, search="auto:race=0", threads=threads) for threads in (1, 2))
    assert told(one) == told(two) == told(check(philosophers(9), DEADLOCK))
    one, two = (check(philosophers(4), DEADLOCK, threads=threads) for threads in (1, 2))
    assert told(one) == told(two)


def test_limits_end_a_race_with_statistics() -> None:
    for limits, reason in (
        (Limits(states=5000), "state limit"),
        (Limits(time=0.5), "time limit"),
        (Limits(memory=1 << 20), "memory limit"),
    ):
        result = race(digits(6, 20), LOW, 3, limits=limits)
        assert result.verdict == "unknown" and result.reason.startswith(reason)
        assert result.statistics.expanded > 1000 or limits.states is None  # on a busy machine, preparing takes long


def test_a_race_can_be_interrupted_and_tells_how_far_all_have_come() -> None:
    seen: list[Statistics] = []

    def watch(statistics: Statistics) -> None:
        if statistics.phase == "searching":
            seen.append(statistics)
            if len(seen) == 3:
                raise KeyboardInterrupt

    result = race(digits(6, 20), LOW, 3, progress=watch)
    assert (result.verdict, result.reason) == ("unknown", "interrupted")
    assert len(seen) == 3
    assert result.statistics.expanded >= seen[-1].expanded > seen[0].expanded > 0


def test_states_that_are_alike_are_one_for_all() -> None:
    for seed, asked in enumerate((DEADLOCK, SAFETY)):
        alone = check(philosophers(6), asked, symmetry="exact")
        raced = race(philosophers(6), asked, 2 + seed, symmetry="exact")
        assert (raced.verdict, raced.symmetry) == (alone.verdict, alone.symmetry)
        assert "raced" in raced.threads_note


def test_where_there_is_no_race_threads_share_estimates_with_a_word(tmp_path: Path) -> None:
    word = "threads share estimates: there are no races with "
    reduced = race(philosophers(7), DEADLOCK, 2, reduce="stubborn")
    assert reduced.threads_note == word + "reductions"
    kept = race(philosophers(7), DEADLOCK, 2, checkpoint=tmp_path / "kept")
    assert kept.threads_note == word + "checkpoints"


def test_a_model_whose_processes_are_too_many_at_first_is_searched_again(tmp_path: Path) -> None:
    network = promela(
        tmp_path, "byte n; proctype P() { n++ } init { do :: n < 9 -> run P() :: break od; assert(n < 8) }"
    )
    assert race(network, SAFETY, 3).verdict == check(network, SAFETY, search="bfs").verdict == "violated"


def test_bad_options_are_refused() -> None:
    with pytest.raises(SearchError, match="race must lie between 0 and 1"):
        check(philosophers(3), DEADLOCK, search="auto:race=2")


def agree_with_clocks(first: int, count: int) -> None:
    """The same of random networks with clocks, whose steps together get their numbers as they are met."""
    raced = found = proven = 0
    for seed in range(first, first + count):
        text = to_xta(make_model(Random(seed), Shape()))
        network = load_text(f"{text}\nquery {{ E<> v == {seed % 3} }}")
        wide = check(network, search="bfs")
        ours = race(network, None, 2 + seed % 3)
        assert ours.verdict == wide.verdict, text
        raced += "raced" in ours.threads_note
        found += ours.trace is not None
        if ours.trace is not None and ours.shortest:
            proven += 1
            assert wide.trace is not None and len(ours.trace) == len(wide.trace), text
    assert raced > count // 2
    assert found > count // 3 and proven > count // 5


def test_models_with_clocks_race() -> None:
    agree_with_clocks(0, 60)


@pytest.mark.slow
def test_thousands_of_models_with_clocks_race() -> None:
    agree_with_clocks(5000, 2000)
