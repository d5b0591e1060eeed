"""Questions about whole runs are asked of representatives where no proposition tells apart what is alike."""

from __future__ import annotations

import os
from collections import Counter

import pytest
from benchmarks.conformance.symmetric_networks import read
from benchmarks.conformance.symmetric_runs import runs_differences, symmetric_runs_of
from tests.symmetry.test_order import TEXT
from tests.symmetry.test_processes import users

from beeline import check
from beeline.languages.murphi import read_murphi
from beeline.searches import SearchError

PROGRAMS = int(os.environ.get("BEELINE_SYMMETRY", "10"))
"""All 2,000: ``BEELINE_SYMMETRY=2000 pytest tests/symmetry``."""


@pytest.mark.parametrize("first", range(0, PROGRAMS, 10))
def test_runs_of_representatives_are_runs_of_the_network(first: int) -> None:
    found = [runs_differences(symmetric_runs_of(seed)) for seed in range(first, first + 10)]
    assert [difference for _, difference in found if difference] == []
    assert Counter(became for became, _ in found)["agrees"] >= 1


TURNS = """
byte turn;
active [{count}] proctype P() {{ do :: turn == _pid -> {pass} od }}
"""
PASSED_ON = "if " + " ".join(f":: _pid == {i} -> turn = {(i + 1) % 4}" for i in range(4)) + " fi"


@pytest.mark.parametrize("search", ["ndfs", "scc", "bfs", "auto", "greedy"])
def test_a_cycle_goes_round_until_all_have_their_names_again(search: str) -> None:
    """Each state of the ring is like the next one: one step comes back to its representative, four to the state."""
    network = read(TURNS.format(count=4, **{"pass": PASSED_ON}))
    plain = check(network, "ltl: <> (turn == 9)", search=search)
    result = check(network, "ltl: <> (turn == 9)", search=search, symmetry="exact")
    assert (plain.verdict, result.verdict, result.symmetry) == ("violated", "violated", "exact")
    assert "4 ways" in result.symmetry_note and result.statistics.stored < plain.statistics.stored
    trace = result.trace
    assert trace is not None and trace.cycle is not None
    turns = {state.variables[0] for state in trace.states[trace.cycle :]}
    assert turns == {0, 1, 2, 3} and trace.states[trace.cycle] == trace.states[-1]


def test_only_permutations_that_leave_each_proposition_as_it_is_are_used() -> None:
    network = users(4)
    every = check(
        network, "ltl: [] <> (flag[0] == 0 && flag[1] == 0 && flag[2] == 0 && flag[3] == 0)", symmetry="exact"
    )
    assert every.symmetry_note == "24 ways to exchange 4 processes"
    one = check(network, "ltl: [] <> (flag[2] == 0)", symmetry="exact")
    assert one.symmetry_note == "6 ways to exchange 3 processes"
    # Exchanged, the two together are as they were; but the run tells them apart.
    two = check(network, "ltl: <> (flag[0] == 1) -> <> (flag[1] == 1)", symmetry="exact")
    assert two.symmetry_note == "2 ways to exchange 2 processes"
    assert check(network, "ltl: <> (flag[0] == 1) -> <> (flag[1] == 1)").verdict == two.verdict == "violated"


def test_a_safety_formula_has_a_shortest_trace_beside_symmetry() -> None:
    network, asked = users(3), "ltl: [] !(flag[0] == 1 && flag[1] == 1 && flag[2] == 1)"
    plain, folded = (check(network, asked, search="bfs", symmetry=one) for one in ("none", "exact"))
    assert plain.shortest and folded.shortest and folded.symmetry == "exact"
    assert len(plain.trace or ()) == len(folded.trace or ())
    assert folded.property.name == asked


def test_a_proof_about_runs_needs_fewer_states() -> None:
    network, asked = users(5), "ltl: [] (turn == 0 || turn == 1 || turn == 2 || turn == 3 || turn == 4)"
    asked += " && ([] <> (flag[0] == 1) -> <> (flag[0] == 1))"
    plain, folded = (check(network, asked, search="ndfs", symmetry=one) for one in ("none", "exact"))
    assert plain.verdict == folded.verdict == "holds"
    assert folded.statistics.stored < plain.statistics.stored


def test_fairness_tells_processes_apart() -> None:
    result = check(users(3), "ltl: <> (turn == 3)", search="scc", fairness="weak", symmetry="exact")
    assert (result.symmetry, result.symmetry_note) == ("none", "off: fairness tells processes apart")


def test_the_way_round_a_cycle_is_not_estimated_beside_symmetry() -> None:
    network, asked = users(3), "ltl: <> [] (flag[0] == 0 && flag[1] == 0 && flag[2] == 0)"
    with pytest.raises(SearchError, match="not to one that is alike"):
        check(network, asked, search="astar", heuristic="cL", symmetry="exact")
    assert check(network, asked, search="astar", symmetry="exact").heuristic == "blind"


LABELLED = """
byte x; bool flag[3];
proctype P() {{ do :: flag[_pid] = !flag[_pid]; {label} x = (x + 1) % 3 od }}
init {{ atomic {{ run P(); run P() }} }}
"""
CLAIM = "never {{ T0: do :: true -> goto T0 :: {when} -> goto accept od; accept: do :: {when} -> goto accept od }}"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (LABELLED.format(label="accept_1:"), "acceptance"),
        (LABELLED.format(label="progress_1:"), "progress"),
        (LABELLED.format(label="") + CLAIM.format(when="x < 2"), "claim"),
    ],
)
def test_labels_and_claims_are_asked_about_beside_symmetry(text: str, asked: str) -> None:
    network = read(text)
    plain, folded = (check(network, asked, search="scc", symmetry=one) for one in ("none", "exact"))
    assert (plain.verdict, folded.symmetry_note) == (folded.verdict, "2 ways to exchange 2 processes")


def test_a_claim_that_looks_at_one_process_is_asked_without() -> None:
    network = read(LABELLED.format(label="") + CLAIM.format(when="flag[1]"))
    assert check(network, "claim", search="ndfs", symmetry="exact").symmetry_note.startswith("off: no two parts")


def test_formulas_about_murphi_models_may_not_look_at_members() -> None:
    network = read_murphi(TEXT.replace("BODY", "b[me] := true; n := 1;"))
    found = check(network, "ltl: <> (n == 1)", search="ndfs", symmetry="exact")
    assert (found.symmetry, found.verdict) == ("exact", check(network, "ltl: <> (n == 1)").verdict)
    assert "may name a member" in check(network, "ltl: <> a[1]", symmetry="exact").symmetry_note
