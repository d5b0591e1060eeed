"""`--claim FILE`: a never claim, or formulas, in a file of their own, as behind SPIN's `-N`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import Beeline
from tests.cli.test_improve_lasso import LOOSE, NEEDS_SPIN
from tests.cli.test_mistakes import refused

MODEL = f"#define FULL 5\n{LOOSE}"
NEVER = "#define reached (y == FULL)\nnever { T0: do :: true :: x == 1 -> goto accept od; accept: do :: !reached od }\n"
FORMULAS = "ltl comes { <> (y == FULL) }\nltl low { [] (y < FULL) }\n"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    file = tmp_path / "model.pml"
    file.write_text(MODEL)
    return file


@pytest.fixture
def claim(tmp_path: Path) -> Path:
    file = tmp_path / "claim.ltl"
    file.write_text(NEVER)
    return file


def test_a_claim_beside_the_model_uses_its_names_and_macros(beeline: Beeline, model: Path, claim: Path) -> None:
    assert beeline("check", model, "--claim", claim, "--property", "claim").code == 1
    assert beeline("check", model, "--claim", claim, "--property", "claim", "-D", "FULL=0").code == 1
    claim.write_text(FORMULAS)
    told = beeline("check", model, "--claim", claim, "--json").object["answers"]
    assert [(one["property"], one["verdict"]) for one in told if one["property"] != "assertions"] == [
        ("comes", "violated"),
        ("low", "violated"),
    ]


@NEEDS_SPIN
def test_spin_replays_the_trail_with_the_same_claim(beeline: Beeline, model: Path, claim: Path) -> None:
    trail = model.with_name("model.pml.trail")
    told = beeline("check", model, "--claim", claim, "--property", "claim", "--trail", trail)
    assert told.code == 1
    command = ["spin", "-t", "-p", "-N", claim.name, model.name]
    done = subprocess.run(command, cwd=model.parent, capture_output=True, text=True, check=False)
    assert "START OF CYCLE" in done.stdout
    assert "error" not in done.stdout
    assert beeline("improve", model, trail, "--claim", claim).code == 1


def test_a_mistake_in_a_claim_is_told_with_its_place(beeline: Beeline, model: Path, claim: Path) -> None:
    claim.write_text("ltl comes {\n  <> (z == FULL)\n}\n")
    place, line, *_ = refused(beeline("check", model, "--claim", claim))
    assert "claim.ltl:2:" in place
    assert "z == FULL" in line
    assert refused(beeline("check", model, "--claim", claim.with_name("none.ltl")))[0].endswith("no such file")


def test_claims_are_for_promela(beeline: Beeline, tmp_path: Path, claim: Path) -> None:
    other = tmp_path / "model.dve"
    other.write_text("process P { state a; init a; } system async;")
    told = refused(beeline("check", other, "--claim", claim))
    assert told[0].endswith("claims in a file of their own belong to Promela")
