"""Plain `check` answers all that a file asks and names what it cannot; verdicts are about what was asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from beeline import ModelError, check, explore
from beeline.checking import Result, check_all, leading
from beeline.languages import load

COUNTER = "byte x; active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }\n"


def asked(tmp_path: Path, name: str, text: str) -> dict[str, Result]:
    file = tmp_path / name
    file.write_text(text)
    return {result.property.name: result for result in check_all(load(file))}


def verdicts(results: dict[str, Result]) -> dict[str, tuple[str, str]]:
    return {name: (result.verdict, result.reason) for name, result in results.items()}


# Liveness is never passed over


def test_every_formula_of_a_file_is_answered_or_named(tmp_path: Path) -> None:
    formulas = "ltl p1 { [] (x <= 3) } ltl p2 { [] (x < 3) } ltl p3 { [] <> (x == 3) } ltl p4 { [] (x < 3 -> x < 4) }"
    found = verdicts(asked(tmp_path, "counter.pml", COUNTER + formulas))
    assert found == {
        "assertions": ("holds", "exhausted"),
        "p1": ("holds", "exhausted"),
        "p2": ("violated", "the claim is completed"),
        "p3": ("holds", "exhausted"),
        "p4": ("holds", "exhausted"),
    }


@pytest.mark.parametrize(
    ("model", "name", "reason"),
    [
        ("active proctype Q() { accept: do :: skip od }", "acceptance", "acceptance cycle"),
        ("active proctype Q() { do :: skip; progress: skip od }", "progress", "non-progress cycle"),
        ("never { do :: x < 4 od; accept: skip }", "never_0", "exhausted"),
        ("never { accept: do :: x < 4 od }", "never_0", "acceptance cycle"),
    ],
)
def test_claims_and_labels_that_need_cycles_are_answered(tmp_path: Path, model: str, name: str, reason: str) -> None:
    found = asked(tmp_path, "cycles.pml", COUNTER + model)
    assert (found[name].verdict, found[name].reason) == ("holds" if reason == "exhausted" else "violated", reason)
    assert leading(list(found.values())).verdict == found[name].verdict


def test_a_formula_over_what_is_not_declared_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="nowhere") as caught:
        asked(tmp_path, "unknown.pml", COUNTER + "ltl p { [] <> (nowhere == 1) }")
    assert caught.value.source.line == 2


def test_a_formula_looks_at_states_as_spins_claim_does_not_inside_atomic_runs(tmp_path: Path) -> None:
    model = "byte x; active proctype P() { atomic { x = 1; x = 2 } } ltl never1 { [] (x != 1) }"
    assert asked(tmp_path, "atomic.pml", model)["never1"].verdict == "holds"


# UPPAAL's queries

TIMED = "clock x; process P() { state s { x <= 3 }, t; init s; trans s -> t { guard x > 1; }; } system P;"


def test_all_queries_are_answered_deadlock_among_them(tmp_path: Path) -> None:
    queries = "query { A[] not deadlock } query { A[] P.s or P.t } query { E<> P.t } query { E<> P.s and x > 5 }"
    found = asked(tmp_path, "timed.xta", TIMED + queries)
    assert [result.verdict for result in found.values()] == ["violated", "holds", "holds", "violated"]


def test_nobody_is_asked_for_deadlocks_who_has_other_queries(tmp_path: Path) -> None:
    found = asked(tmp_path, "timed.xta", TIMED + "query { E<> P.t } query { A<> P.t }")
    assert [(result.property.text, result.verdict) for result in found.values()] == [
        ("E<> P.t", "holds"),
        ("A<> P.t", "holds"),
    ]


# Spaces written in Python


class Steps:
    """From 0 to 3, where it ends."""

    def initial(self) -> int:
        return 0

    def successors(self, state: int) -> list[int]:
        return [state + 1] if state < 3 else []

    def violates(self, state: int) -> bool:
        return state == 2


def test_a_space_written_in_python_is_asked_by_name() -> None:
    assert [check(Steps(), name).reason for name in ("safety", "violates")] == ["violating state reached"] * 2
    stuck = check(Steps(), "deadlock")
    assert (stuck.verdict, stuck.reason, len(stuck.trace or ())) == ("violated", "deadlock", 3)
    with pytest.raises(ModelError, match="'nonsense'"):
        check(Steps(), "nonsense")


def test_deadlocks_of_a_space_written_in_python_are_counted() -> None:
    assert explore(Steps()).statistics.deadlocks == 1
