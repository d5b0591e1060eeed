"""The parts of the conformance harness that need neither SPIN nor Beeline: reading, comparing, reporting, keeping."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from benchmarks.conformance import report
from benchmarks.conformance.compare import Row, compare
from benchmarks.conformance.corpus import Model, own_models, shared_models, sources
from benchmarks.conformance.memory import Memory
from benchmarks.conformance.spin import Limits, SpinFacts, has_claim, has_rendezvous, read_pan, steps_to_error
from benchmarks.conformance.tool import BAD_MODEL, INTERNAL, Beeline

FINISHED = """
Full statespace search for:
	invalid end states	- (disabled by -E flag)

State-vector 28 byte, depth reached 24, errors: 0
      206 states, stored
      173 states, matched
      379 transitions (= stored+matched)
      168 atomic steps
"""

DEADLOCK = """
pan:1: invalid end state (at depth 14)
pan: wrote a.pml.trail
Warning: Search not completed
State-vector 28 byte, depth reached 14, errors: 1
      162 states, stored
      241 transitions (= stored+matched)
"""


class Canned:
    """A Beeline that answers from a table: (command, file name) to (exit status, JSON object, message)."""

    def __init__(self, answers: dict[tuple[str, str], tuple[int, dict[str, object], str]]) -> None:
        self.answers = answers

    def __call__(self, arguments: Sequence[str], time_s: float) -> tuple[int, str, str]:
        status, values, message = self.answers[arguments[0], Path(arguments[1]).name]
        return status, json.dumps(values) if values else "", message


def explored(states: int, complete: bool = True) -> tuple[int, dict[str, object], str]:
    return 0, {"states": states, "complete": complete, "reason": "time limit"}, ""


def checked(verdict: str, length: int | None = None) -> tuple[int, dict[str, object], str]:
    return {"holds": 0, "violated": 1, "unknown": 3}[verdict], {"verdict": verdict, "trace_length": length}, ""


@pytest.fixture
def model(tmp_path: Path) -> Model:
    path = tmp_path / "m.pml"
    path.write_text("active proctype P() { skip }\n")
    return Model(path, "m.pml")


def judge(model: Model, facts: SpinFacts, **answers: tuple[int, dict[str, object], str]) -> Row:
    return compare(model, facts, Beeline(Canned({(what, "m.pml"): answer for what, answer in answers.items()})))


def test_a_finished_search_is_read() -> None:
    run = read_pan(FINISHED)
    assert (run.states, run.transitions, run.atomic_steps, run.depth, run.errors) == (206, 379, 168, 24, 0)
    assert run.complete and run.verdict == "holds"


def test_an_error_is_read_with_its_length_in_statements() -> None:
    run = read_pan(DEADLOCK)
    assert run.verdict == "violated" and not run.complete
    assert steps_to_error(run, breadth_first=True) == 14
    assert steps_to_error(run, breadth_first=False) == 15
    assertion = read_pan(DEADLOCK.replace("invalid end state", "assertion violated (x==1)"))
    assert steps_to_error(assertion, breadth_first=True) == 15


@pytest.mark.parametrize(
    ("sign", "reason"),
    [("error: max search depth too small", "depth"), ("pan: reached -DMEMLIM bound", "memory"), ("Segmentation", "no")],
)
def test_a_search_that_was_cut_says_why(sign: str, reason: str) -> None:
    text = sign if reason == "no" else FINISHED + sign
    assert read_pan(text).reason.startswith(reason)
    assert read_pan(text).verdict == "unknown"


def test_the_generated_verifier_tells_of_rendezvous_and_claims() -> None:
    assert has_rendezvous("int\nq_zero(int from)\n{\tswitch(1) {\n\tcase 2: return 1;\n\tcase 1: return 0;\n}\n}\n")
    assert not has_rendezvous("int\nq_zero(int from)\n{\tswitch(1) {\n\tcase 1: return 0;\n}\n}\n")
    assert has_claim("#ifndef NOCLAIM\n\t#define NCLAIMS\t1\n")
    assert not has_claim("#ifndef NCLAIMS\n\t#define NCLAIMS 1\n")


def test_agreement_in_all_respects(model: Model) -> None:
    facts = SpinFacts(True, states=7, complete=True, verdict="violated", plain_verdict="violated", shortest=3)
    exact = SpinFacts(**{**facts.__dict__, "shortest_exact": True})
    row = judge(model, exact, explore=explored(7), check=checked("violated", 3))
    assert (row.parsed, row.states, row.verdict, row.trace) == ("yes", "equal", "equal", "equal")
    assert row.agrees
    assert judge(model, facts, explore=explored(7), check=checked("violated", 2)).trace == ""


def test_each_disagreement_is_named(model: Model) -> None:
    facts = SpinFacts(
        True, states=7, complete=True, verdict="violated", plain_verdict="violated", shortest=3, shortest_exact=True
    )
    assert judge(model, facts, explore=explored(8), check=checked("violated", 3)).states == "different"
    assert judge(model, facts, explore=explored(7), check=checked("holds")).verdict == "different"
    assert judge(model, facts, explore=explored(7), check=checked("violated", 4)).trace == "longer"
    shorter = judge(model, facts, explore=explored(7), check=checked("violated", 2))
    assert shorter.trace == "shorter" and shorter.agrees
    refused = judge(model, facts, explore=(BAD_MODEL, {}, "m.pml:1: what is this?"))
    assert (refused.parsed, refused.note) == ("no", "m.pml:1: what is this?") and not refused.agrees
    assert judge(model, facts, explore=(INTERNAL, {}, "internal error")).parsed == "fault"


def test_limits_are_no_disagreement(model: Model) -> None:
    facts = SpinFacts(True, reason="time")
    row = judge(model, facts, explore=explored(9, complete=False), check=checked("unknown"))
    assert (row.states, row.verdict) == ("limit", "limit") and row.agrees
    assert row.note.startswith("SPIN and Beeline")


def test_what_spin_rejects_is_not_compared(model: Model) -> None:
    assert judge(model, SpinFacts(False, message="syntax error")).group == "rejected"
    model.path.write_text("c_code { x = 1; }\n")
    assert judge(model, SpinFacts(False, message="no")).group == "embedded C"


def test_totals_and_tables(model: Model, tmp_path: Path) -> None:
    rows = [
        Row("a", "compared", "yes", "equal", "equal", "equal", 5, 5, "holds", "holds"),
        Row("b", "compared", "yes", "different", "equal", "", 5, 6, "holds", "holds"),
        Row("c", "compared", "no", note="line 3: what?"),
        Row("d", "rejected"),
    ]
    totals = report.totals(rows)
    assert totals["parsed"] == "2 of 3 (66.7 %)"
    assert totals["states equal"] == "1 of 2 (50.0 %)"
    data, page = report.write(rows, tmp_path / "results")
    assert [json.loads(line)["name"] for line in data.read_text().splitlines()] == ["a", "b", "c", "d"]
    assert "| b | yes | different |" in page.read_text()
    assert "SPIN 5, Beeline 6" in report.line_of(rows[1])
    assert report.earlier(tmp_path / "results", {"b", "c"}) == [rows[0], rows[3]]
    assert report.earlier(tmp_path, ()) == []


def test_answers_are_kept_by_content(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "known.jsonl"
    memory = Memory(path)
    memory.learn(model, SpinFacts(True, states=3, complete=True, verdict="holds"))
    memory.save()
    again = Memory(path)
    assert again.recall(model, Limits()) == SpinFacts(True, states=3, complete=True, verdict="holds")
    model.path.write_text("active proctype P() { skip; skip }\n")
    assert again.recall(model, Limits()) is None


def test_answers_cut_by_a_smaller_limit_are_asked_for_again(model: Model, tmp_path: Path) -> None:
    memory = Memory(tmp_path / "known.jsonl")
    memory.learn(model, SpinFacts(True, reason="time", cpu_limit_s=5))
    assert memory.recall(model, Limits(cpu_s=5)) is not None
    assert memory.recall(model, Limits(cpu_s=6)) is None


def test_a_folder_is_searched_for_promela(tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text("byte x;\n")
    (tmp_path / "a.pml").write_text('#include "part.h"\ninit { skip }\n')
    (tmp_path / "old").write_text("proctype P() { skip }\n")
    (tmp_path / "notes").write_text("nothing here\n")
    (tmp_path / "a.ltl").write_text("init { skip }\n")
    assert [model.name for model in shared_models(tmp_path)] == ["a.pml", "old"]
    assert [name for name, _ in sources(tmp_path / "a.pml")] == ["a.pml", "part.h"]


def test_every_model_of_the_project_has_recorded_answers() -> None:
    named = {model.path.name for model in own_models()}
    assert named == {path.name for path in Path(next(own_models()).path).parent.glob("*.pml")}
