"""Timed automata that are alike are folded with their zones, and searches say what plain search says."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.conformance.symmetric_timed import symmetric_timed_of, timed_differences

from beeline import check, explore
from beeline.languages.uppaal import load_text
from beeline.timed.options import ZoneOptions

PROGRAMS = int(os.environ.get("BEELINE_SYMMETRY", "20"))
FISCHER = (Path(__file__).resolve().parents[2] / "models" / "uppaal" / "fischer_b_3_faulty.xta").read_text()


@pytest.mark.parametrize("first", range(0, PROGRAMS, 10))
def test_timed_automata_that_are_alike_can_be_taken_for_one(first: int) -> None:
    found = [timed_differences(symmetric_timed_of(seed)) for seed in range(first, first + 10)]
    assert [difference for _, difference in found if difference] == []
    assert Counter(became for became, _ in found)["agrees"] >= 1


def fischer(count: int, entry: str = ">") -> str:
    text = FISCHER.replace("N = 3", f"N = {count}").replace("x >= K && id == i", f"x {entry} K && id == i")
    return f"{text}\nquery {{ A[] forall (i : pid_t) forall (j : pid_t) P(i).cs && P(j).cs imply i == j }}"


@pytest.mark.parametrize(("count", "order"), [(2, 2), (3, 6), (4, 24)])
def test_fischers_processes_are_alike(count: int, order: int) -> None:
    network = load_text(fischer(count))
    plain, exact = explore(network), explore(network, symmetry="exact")
    assert exact.symmetry_note == f"{order} ways to exchange {count} processes"
    # A zone says in which order clocks were set, so that hardly any state is its own image: as good as all are folded.
    assert exact.statistics.stored < 1.5 * plain.statistics.stored / order + 10
    assert check(network, network.properties[0], symmetry="exact").verdict == "holds"


def test_traces_of_representatives_are_made_runs_again() -> None:
    network = load_text(fischer(3, ">="))
    plain = check(network, network.properties[0], search="bfs")
    found = check(network, network.properties[0], search="bfs", symmetry="exact")
    assert (found.verdict, found.symmetry) == ("violated", "exact")
    assert plain.trace is not None and found.trace is not None and len(found.trace) == len(plain.trace)


SCALARS = """
typedef scalar[3] id_t;
clock z;
id_t turn;
process P(const id_t me) {
  clock x;
  state a, b { x <= 2 };
  init a;
  trans a -> b { guard turn == me && z >= 1; assign x = 0, turn = me; }, b -> a { guard x >= 1; };
}
process Q() { state s; init s; trans s -> s { select i : id_t; guard z > 3; assign turn = i, z = 0; }; }
system P, Q;
query { E<> exists (i : id_t) exists (j : id_t) i != j && P(i).b && P(j).b }
"""


def test_scalar_sets_are_folded() -> None:
    network = load_text(SCALARS)
    assert explore(network, symmetry="exact").symmetry_note.startswith("6 ways")
    asked = network.properties[0]
    assert check(network, asked, symmetry="exact").verdict == check(network, asked, search="bfs").verdict


def test_clocks_that_are_treated_differently_tell_processes_apart() -> None:
    network = load_text(
        "clock y[2]; process P(const int[0,1] me) { state a, b; init a; trans a -> b { guard y[me] > me; }; } system P;"
    )
    assert "no two parts" in explore(network, symmetry="exact").symmetry_note


def test_questions_that_are_answered_without_say_so() -> None:
    network = load_text(f"{fischer(2)}\nquery {{ A<> P(1).cs }}\nquery {{ sup: P(1).x }}")
    for asked in network.properties[1:]:
        assert check(network, asked, symmetry="exact").symmetry_note == "off: this question is answered without"


def test_merged_zones_are_not_folded() -> None:
    network = load_text(fischer(2))
    found = check(network, network.properties[0], symmetry="exact", zones=ZoneOptions(merge=True))
    assert (found.verdict, found.symmetry_note) == ("holds", "off: zones are merged")


@pytest.mark.parametrize("seed", [7502023, 7503024])
def test_estimates_know_all_representatives(seed: int) -> None:
    """Where the start tells members apart, a representative may be no state of the model."""
    assert timed_differences(symmetric_timed_of(seed))[1] == ""
