"""The simulated cluster by which larger ones are judged."""

from __future__ import annotations

import pytest
from benchmarks.cluster.cases import costly, named
from benchmarks.cluster.machines import Costs, Machines, Search, predicted

from beeline.cluster.simulated import Conditions, simulate


def time_of(ranks: int, costs: Costs, monkeypatch: pytest.MonkeyPatch) -> tuple[float, int, int]:
    """Seconds, states and waves."""
    job = named("philosophers", N="7")
    monkeypatch.setattr(Machines, "costs", costs)
    root, network = simulate(ranks, Conditions(), job.root, job.member, Machines)
    assert root.totals is not None
    return network.time, root.totals.figures["stored"], root.waves


def test_ranks_share_the_work_where_messages_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    free = Costs(0.0, 0.0, 0.0, 1e-3, 0.0)
    one, states, _ = time_of(1, free, monkeypatch)
    four, same, _ = time_of(4, free, monkeypatch)
    assert states == same
    assert one == pytest.approx(states * 1e-3, rel=0.01)
    assert 2.5 < one / four <= 4.0


def test_each_wave_goes_down_and_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    latency = 1e-3
    seconds, _, waves = time_of(4, Costs(latency, 1e-6, 0.0, 1e-6, 0.0), monkeypatch)
    assert seconds >= 2 * latency * (waves - 1)


def test_the_formula_says_that_small_searches_do_not_scale() -> None:
    costs = Costs(20e-6, 2e-6, 8e-10, 2.5e-7, 1e-7)
    small, large = Search(10**6, 50, 0.5), Search(10**9, 200, 0.5)
    assert predicted(small, 1, costs) == pytest.approx(0.25)
    gained = [predicted(search, 1, costs) / predicted(search, 1024, costs) for search in (small, large)]
    assert gained[0] < 20 < 100 < gained[1] < 1024


def test_costly_steps_have_the_states_that_they_should() -> None:
    job = costly(work=2, top=1)
    root, _ = simulate(2, Conditions(), job.root, job.member)
    assert root.totals is not None
    assert root.totals.figures["stored"] == 2**6
