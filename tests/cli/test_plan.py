"""`beeline check --plan`: what to do about a model that may not fit."""

import pytest
from tests.cli.conftest import MODELS, Beeline

from beeline.planning import ways as plans

COUNTERS = MODELS.parent / "promela" / "counters.pml"
NINE = (
    "check",
    COUNTERS,
    "-D",
    "N=9",
    "--property",
    "invariant: true",
    "--shrink",
    "none",
    "--plan",
    "--max-time",
    "4",
)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "SECONDS", 3.0)


def test_a_plan_is_a_table_and_a_recommendation(beeline: Beeline) -> None:
    done = beeline(*NINE)
    assert done.code == 0
    assert "states: " in done.out and "--store disk:FOLDER" in done.out
    assert "not tried: " in done.out


def test_a_plan_for_programs(beeline: Beeline) -> None:
    told = beeline(*NINE, "--json").object
    assert told["verdict"] == "unknown" and told["states"]["seen"] > 0
    assert {"options", "needed_bytes", "fits", "proves"} <= told["choices"][0].keys()


def test_what_is_answered_at_once_needs_no_plan(beeline: Beeline) -> None:
    done = beeline("check", MODELS / "philosophers.py", "--plan")
    assert (done.code, done.out.splitlines()[0]) == (
        0,
        "safety: violated (deadlock), found while the plan was made: it fits",
    )
