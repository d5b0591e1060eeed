"""The speed harness: turns are taken, commands that fail are noticed, and the search alone counts what SPIN counts."""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from pathlib import Path

import pytest
from benchmarks.speed import limit, search_alone
from benchmarks.speed.contestants import in_turns
from benchmarks.speed.growth import draw, growth_table, measured
from benchmarks.speed.models import LARGE, MEDIUM, SMALL, Model
from benchmarks.speed.processes import CommandFailed, timed
from benchmarks.speed.profile import read_report
from benchmarks.speed.tables import Row, command_table, search_table
from benchmarks.speed.variants import explored, stores, stores_table, threads, threads_table

CORE = max(os.sched_getaffinity(0))


def test_repeats_take_turns() -> None:
    order: list[str] = []

    def contestant(name: str) -> float:
        order.append(name)
        return float(len(order))

    taken = in_turns({name: partial(contestant, name) for name in "abc"}, 3)
    assert "".join(order) == "abcbcacab"
    assert taken == {"a": [1, 6, 8], "b": [2, 4, 9], "c": [3, 5, 7]}


def test_a_command_is_pinned_and_its_failure_told() -> None:
    shown = timed([sys.executable, "-c", "import os; print(os.sched_getaffinity(0))"], CORE)
    assert shown.output.strip() == f"{{{CORE}}}" and shown.seconds > 0
    with pytest.raises(CommandFailed, match="exit status 3"):
        timed([sys.executable, "-c", "raise SystemExit(3)"], CORE)


def test_the_search_alone_counts_all_states(capsys: pytest.CaptureFixture[str]) -> None:
    model = Model("philosophers.pml", ("ORDERED",), 418)
    search_alone.main(str(model.path), list(model.macros))
    answer = json.loads(capsys.readouterr().out)
    assert answer["states"] == model.states and answer["memory"] > 0


def test_models_are_sorted_by_size() -> None:
    models = SMALL + MEDIUM + LARGE
    assert all(model.path.is_file() for model in models)
    assert [model.states for model in models] == sorted(model.states for model in models)
    assert len(LARGE) >= 10 and all(10**6 <= model.states <= 5 * 10**7 for model in LARGE)
    assert all(model.states < 10**5 for model in SMALL)


def test_tables_show_medians_and_ratios() -> None:
    taken = {"pan": [4.0, 9, 3], "pan -O0": [1.0, 1, 1], "beeline": [2.0, 5, 1], "native": [1.0, 1, 1]}
    row = Row(Model("m.pml", (), 1_000_000), taken)
    assert row.spread("pan") == 1.5 and row.spread("pan -O0") == 0
    assert search_table([row]).splitlines()[2] == "| m | 1,000,000 | 250 | 500 | 1,000 | 2.00 | 4.00 |"
    assert command_table([row]).splitlines()[2] == "| m | 1,000,000 | 4.00 | 1.00 | 2.00 | 2.0 | 0.5 |"


def test_a_profile_leaves_out_what_is_not_the_engine() -> None:
    report = """
    30.00%  _native.abi3.so  [.] beeline::Store::insert(unsigned int const*)      -      -
    20.00%  python3.11       [.] _PyEval_EvalFrameDefault                         -      -
    10.00%  _native.abi3.so  [.] beeline::Machine::run
    """
    assert read_report(report, 2) == [("Store::insert", 75.0), ("Machine::run", 25.0)]


def test_stores_and_threads_are_held_against_one_another() -> None:
    model = Model("philosophers.pml", ("ORDERED",), 418)
    assert stores_table([stores(model, 1)]).splitlines()[2].startswith("| philosophers ORDERED | 418 |")
    assert threads_table([threads(model, 1)]).splitlines()[2].startswith("| philosophers ORDERED | 418 |")
    assert explored(model, "--store=bitstate:20")["omission"] < 0.01


def test_growth_is_fitted_and_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="`make plots` installs matplotlib")
    points = [measured("philosophers", (f"N={count}", "ORDERED"), "plain", 1) for count in (3, 4)]
    line = growth_table(points).splitlines()[2]
    assert line.startswith(f"| philosophers | plain | {points[0].states} to 418 |")
    assert [file.name for file in draw(points, tmp_path)] == ["growth-seconds.svg", "growth-memory.svg"]
    assert "philosophers, plain" in (tmp_path / "growth-memory.svg").read_text()


def test_the_search_is_held_against_the_bare_store() -> None:
    row = limit.share(Model("philosophers.pml", ("ORDERED",), 418), CORE)
    assert row.words > 0 and row.transitions > 418 and row.arcs_seconds > 0
    assert limit.limit_table([row]).splitlines()[2].startswith(f"| philosophers ORDERED | 418 | {row.words} |")
