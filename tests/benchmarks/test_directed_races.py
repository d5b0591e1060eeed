"""The harness for searches that race."""

from __future__ import annotations

from benchmarks.directed.families import Instance
from benchmarks.directed.races import Pair, Run, measure_apart, summary, winners
from benchmarks.directed.threads import Case
from benchmarks.folders import ROOT


def test_a_model_is_measured_by_one_thread_and_by_several() -> None:
    file = ROOT / "models" / "uppaal" / "hanoi_3.xta"
    case = Case(Instance("hanoi 3", file, file.with_suffix(".q").read_text().strip()), "auto", None)
    one, two = (measure_apart(case, threads, 20) for threads in (1, 2))
    assert one.length == two.length == 44
    assert one.shortest and two.shortest
    assert one.winner == "" and one.own_s > 0


def test_only_races_count_for_how_much_faster_they_are() -> None:
    alone = Run(3, True, 10, 0.1, 0.1)
    long = Run(9, False, 1000, 4.0, 4.0)
    raced = Run(12, True, 1500, 1.0, 2.0, "2 searches raced: first was ut hU")
    pairs = [Pair("a", "short", alone, alone), Pair("a", "long", long, raced), Pair("b", "hard", Run(), raced)]
    assert list(summary(pairs)) == [
        ("all", "3", "2", "1", "0", "2", "0", "4.00", "0.50"),
        ("a", "2", "1", "0", "0", "1", "0", "4.00", "0.50"),
        ("b", "1", "1", "1", "0", "1", "0", "", ""),
    ]
    assert winners(pairs) == [("ut", "2")]
    assert str(long) == "9 steps, 1,000 states, 4.00 s"
