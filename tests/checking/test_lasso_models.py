"""Lassos of the bundled models: the verdicts that their texts tell, and the lengths that are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from beeline import check
from beeline.languages import LoadOptions, load

FOLDER = Path(__file__).parents[2] / "models" / "promela"


def model(name: str, **macros: int) -> object:
    return load(FOLDER / f"{name}.pml", options=LoadOptions({key: str(value) for key, value in macros.items()}))


@pytest.mark.parametrize("count", [8, 16, 32, 64])
@pytest.mark.parametrize("search", ["bfs", "astar"])
def test_philosophers_starve_after_3n_plus_4_steps_in_2(search: str, count: int) -> None:
    trace = check(model("hungry_philosophers", N=count), "starves", search=search).trace
    assert trace is not None and trace.cycle is not None
    assert (trace.cycle, len(trace) - trace.cycle) == (3 * count + 4, 2)


def test_who_names_no_search_gets_the_shortest_lasso_of_philosophers_by_distances() -> None:
    result = check(model("hungry_philosophers", N=64), "starves")
    assert result.trace is not None and len(result.trace) == 3 * 64 + 4 + 2
    assert result.statistics.stored < 50_000


@pytest.mark.parametrize(
    ("name", "fairness", "verdict"),
    [
        ("dry", "none", "holds"),
        ("completes", "none", "violated"),
        ("completes", "weak", "violated"),
        ("completes", "strong", "holds"),
        ("repeated", "none", "violated"),
        ("repeated", "weak", "holds"),
    ],
)
def test_the_operator_of_steam_generators_comes_to_an_end_if_all_is_fair(
    name: str, fairness: str, verdict: str
) -> None:
    assert check(model("steam_generators"), name, fairness=fairness).verdict == verdict


def test_who_stops_the_pump_in_haste_stops_it_too_soon() -> None:
    assert check(model("steam_generators", HASTY=1), "dry").verdict == "violated"


def test_the_valve_goes_round_while_the_operator_waits() -> None:
    trace = check(model("steam_generators"), "completes", search="astar").trace
    assert trace is not None and trace.cycle is not None
    assert (trace.cycle, len(trace) - trace.cycle) == (12, 4)
    assert {step.process for step in trace.steps[trace.cycle :]} == {"Valve(2)"}


def test_elevators_that_sweep_leave_nobody_waiting() -> None:
    assert check(model("two_elevators", SWEEP=1), "starved", search="ndfs").verdict == "holds"
    result = check(model("two_elevators"), "starved", search="greedy")
    assert result.verdict == "violated" and result.trace is not None
    assert check(model("two_elevators"), "attended").verdict == "violated"
