"""Formulas on networks: states one by one and sets of states say the same, and evidence is replayed."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from tests.networks import Sampler

from beeline import check
from beeline.ctl import Formula
from beeline.ctl.formula import PATHS, TRUE, atom
from beeline.engine import Limits
from beeline.engines import numbering
from beeline.languages import load
from beeline.model.source import ModelError

MODELS = Path(__file__).parents[2] / "models"
FEW = Limits(states=1500)
ATOMS = ("x > 0", "y == 250", "a[1] == 1", "len(queue) == 0")


def random_formula(chance: random.Random, depth: int) -> Formula:
    if depth == 0:
        return chance.choice([TRUE, *map(atom, ATOMS)])
    kind = chance.choice([*PATHS, *PATHS, "not", "and", "implies"])
    count = 1 if kind == "not" or (kind in PATHS and kind[-1] in "XFG") else 2
    return Formula(kind, tuple(random_formula(chance, depth - 1) for _ in range(count)))


def test_sets_say_what_single_states_say() -> None:
    pytest.importorskip("oxidd", reason="decision diagrams need oxidd")
    verdicts: Counter[str] = Counter()
    for seed in range(40):
        network = Sampler(seed).network()
        chance = random.Random(seed)
        fairness = f"[{chance.choice(ATOMS)}]" if chance.random() < 0.4 else ""
        text = f"ctl{fairness}: {random_formula(chance, 3)}"
        expected = check(network, text, limits=FEW)
        if expected.verdict != "unknown":
            found = check(network, text, engine="bdd")
            assert found.verdict == expected.verdict, (seed, text)
            verdicts[expected.verdict] += 1
            verdicts["with a path"] += found.trace is not None
    assert min(verdicts.values()) > 5


def test_early_answers_are_those_of_all_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """States are labelled again and again while they are found; a step that fails later may not be seen."""
    early: Counter[str] = Counter()
    for seed in range(150):
        network = Sampler(seed).network()
        text = f"ctl: {random_formula(random.Random(seed), 3)}"
        monkeypatch.setattr(numbering, "FIRST_ANSWER", 10**9)
        expected = check(network, text, limits=FEW)
        monkeypatch.setattr(numbering, "FIRST_ANSWER", 2)
        monkeypatch.setattr(numbering, "NEXT_ANSWER", 2)
        found = check(network, text, limits=FEW)
        if expected.verdict != "unknown" and (expected.verdict == "holds" or "fails (" in expected.reason):
            assert found.verdict == expected.verdict, (seed, text)
            early[found.verdict] += found.statistics.stored < expected.statistics.stored
    assert min(early["holds"], early["violated"]) > 3


def test_an_answer_is_given_before_all_states_are_seen(tmp_path: Path) -> None:
    model = tmp_path / "trap.pml"
    model.write_text("""
        int x; bool stuck;
        active proctype Counter() { do :: x < 1000000 && !stuck -> x++ :: stuck = 1 od }
        active proctype Other() { do :: x > 3 && !stuck -> x-- od }
    """)
    network = load(model)
    violated = check(network, "ctl: AG EF stuck == 0", engine="explicit")
    assert (violated.verdict, violated.trace is not None) == ("violated", True)
    holds = check(network, "ctl: EF AG stuck == 1", engine="explicit")
    assert (holds.verdict, holds.reason) == ("holds", "known before all states were seen")
    assert max(violated.statistics.stored, holds.statistics.stored) < 10_000


LIGHT = """
byte light;
process Lamp { state off, on, broken; init off;
trans off -> on { effect light = 1; }, on -> off { effect light = 0; }, on -> broken { effect light = 0; }; }
system async;
"""


@pytest.mark.parametrize("engine", ["explicit", "bdd"])
@pytest.mark.parametrize(
    ("formula", "verdict", "length", "cycle", "branches"),
    [
        ("ctl: AG EF light == 1", "violated", 2, None, 0),
        ("ctl: EF AG light == 0", "holds", 2, None, 0),
        ("ctl: AF AG light == 0", "violated", 2, 0, 1),
        ("ctl: EG EF light == 1", "holds", 2, 0, 1),
        ("ctl: AX AX light == 0", "holds", None, None, 0),
        ("ctl[light == 1]: AG EF light == 1", "holds", None, None, 0),
        ("ctl: A[light == 0 U light == 1]", "holds", None, None, 0),
        ("ctl: E[light == 0 W !EX light == 1]", "holds", 2, None, 0),
    ],
)
def test_a_lamp_that_breaks(
    engine: str, formula: str, verdict: str, length: int | None, cycle: int | None, branches: int, tmp_path: Path
) -> None:
    if engine == "bdd":
        pytest.importorskip("oxidd", reason="decision diagrams need oxidd")
    model = tmp_path / "lamp.dve"
    model.write_text(LIGHT)
    result = check(model, formula, engine=engine)
    assert result.verdict == verdict
    if length is not None and formula != "ctl: E[light == 0 W !EX light == 1]":
        assert result.trace is not None and result.trace.cycle == cycle and len(result.trace) == length
    assert len(result.branches) == branches


def test_formulas_about_states_or_runs_end_on_the_fly() -> None:
    model = MODELS / "promela" / "peterson.pml"
    network = load(model)
    result = check(network, "ctl: EF critical == 1")
    assert result.verdict == "holds" and result.property.kind == "ctl"
    assert result.statistics.stored < 100_000
    assert check(network, "ctl: AG (critical <= 1)").verdict == "holds"


def test_a_step_that_fails_violates_every_formula(tmp_path: Path) -> None:
    model = tmp_path / "fails.pml"
    model.write_text("byte x; active proctype P() { x = 1; assert(x == 2) }")
    for engine in ("explicit", "bdd"):
        result = check(model, "ctl: EX EX true", engine=engine)
        assert result.verdict == "violated" and result.trace is not None and "assert" in result.reason


def test_limits_are_kept() -> None:
    result = check(MODELS / "promela" / "peterson.pml", "ctl: AG EF critical == 1", limits=Limits(states=1000))
    assert (result.verdict, result.reason) == ("unknown", "state limit")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ctl: AG (critcal == 1)", "critcal"),
        ("ctl: AG", "missing"),
        ("ctl[AF critical == 1]: AG true", "a fairness condition is about single states"),
        ("ctl", "no property"),
    ],
)
def test_mistakes_are_told(text: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        check(MODELS / "promela" / "peterson.pml", text)
