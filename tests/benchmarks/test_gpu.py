"""What `make gpu-test` and `python -m benchmarks.gpu` are made of, on the host in the place of a GPU."""

from __future__ import annotations

import pytest
from benchmarks.gpu import compare, rates
from benchmarks.gpu.cases import Case, bundled, philosophers, random_programs
from benchmarks.gpu.table import table_rate

from beeline.engine import Found, core
from beeline.gpu import find_device
from beeline.gpu.search import Preparation, Setup, search
from beeline.jit.compiler import find_compiler
from beeline.searches.runner import run

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C++ compiler")


@pytest.fixture(autouse=True)
def on_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEELINE_DEVICE", "host")
    monkeypatch.setenv("BEELINE_DEVICE_FLAGS", "-O0")
    monkeypatch.setattr(compare, "MEMORY", 2**28)


@pytest.mark.parametrize("count", [3, 6])
def test_philosophers_have_as_many_states_as_it_says(count: int) -> None:
    outcome = run(core.ProgramSpace(philosophers(count).program()), "bfs", stop=Found.NOTHING)
    assert outcome.statistics.stored == 3**count - 1


def test_a_model_is_the_same_on_both() -> None:
    ferry = next(case for case in bundled() if case.name == "ferry")
    assert compare.compare(ferry, 1000).word == compare.SAME


def test_a_model_beyond_the_limit_is_not_compared() -> None:
    assert compare.compare(philosophers(6), 100).word == compare.LIMITED


def test_what_the_device_does_not_take_is_told() -> None:
    text = "byte x; active proctype P() priority 2 { x = 1 } active proctype Q() priority 3 { x = 2 }"
    assert compare.compare(Case("priorities", text=text), 1000).word == compare.REFUSED


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "COUNTS", ("seconds",))
    assert compare.compare(next(random_programs(1, 7)), 10**6).word == compare.DIFFERENT


def test_rates_are_those_of_whole_searches(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    device = find_device()
    monkeypatch.setattr(device, "available", lambda: 2**28)
    assert rates.report(device, [philosophers(5)], 0.0) == 0
    device.close()
    assert "| philosophers 5 | 242 | 3.3 | 12 |" in capsys.readouterr().out


def test_the_bare_table_has_a_rate() -> None:
    device, program = find_device(), philosophers(5).program()
    preparation = Preparation(device, program)
    preparation.run()
    outcome, told = search(device, program, Setup(memory=2**26), preparation)
    statistics = outcome.statistics
    assert table_rate(device, preparation.result(), told.store, statistics.stored, statistics.generated, 64) > 0
    device.close()
