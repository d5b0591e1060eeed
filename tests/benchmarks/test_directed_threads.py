"""The harness for directed searches by several threads."""

from __future__ import annotations

from benchmarks.directed.families import Instance
from benchmarks.directed.threads import Case, measure
from benchmarks.folders import ROOT


def test_one_thread_and_several_are_measured_and_tell_the_same() -> None:
    file = ROOT / "models" / "uppaal" / "hanoi_3.xta"
    case = Case(Instance("hanoi 3", file, file.with_suffix(".q").read_text().strip()), "greedy", "hU")
    one, two = (measure(case, threads, 1000) for threads in (1, 2))
    assert (one["threads"], two["threads"]) == (1, 2)
    assert one["told"] == two["told"]
    assert case.name == "hanoi 3 greedy hU"
    assert all(run[what] > 0 for run in (one, two) for what in ("wall", "own", "all"))
