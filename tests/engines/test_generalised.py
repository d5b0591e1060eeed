"""Components are sought with the acceptance sets of the formula itself; the answers are those of one set."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from benchmarks.conformance.liveness import live_program_of
from tests.programs import promela

from beeline import Limits
from beeline.checking import Result, check
from beeline.model.network import Network
from beeline.model.types import IntType
from beeline.problems.networks import NetworkProblem
from beeline.properties import find_property
from beeline.properties.linear import Linear
from beeline.records import replace

FEW = Limits(states=20_000)
TOSSED = """
bit a, b, c;
active proctype A() { do :: a = 1 - a od }
active proctype B() { do :: b = 1 - b od }
active proctype C() { do :: c = 1 - c od }
ltl all { ! ([]<> (a == 1) && []<> (b == 1) && []<> (c == 1)) }
ltl never_together { []<> (a == 1) && []<> (b == 1) -> <> (a == 1 && b == 1 || c == 1 || c == 0) }
"""


def with_one_set(monkeypatch: pytest.MonkeyPatch, network: Network, asked: str | Linear, fairness: str) -> Result:
    with monkeypatch.context() as patched:
        patched.setattr(NetworkProblem, "generalised", lambda problem: problem)
        return check(network, asked, search="scc", fairness=fairness, limits=FEW)


def test_the_automaton_of_several_promises_keeps_a_set_for_each(tmp_path: Path) -> None:
    asked = promela(tmp_path, TOSSED).property("all")
    assert isinstance(asked, Linear)
    several = replace(asked, generalised=True).automaton
    assert (len(several.locations), several.acceptance_sets) == (1, 3)
    assert len(asked.automaton.locations) > 1 and asked.automaton.acceptance_sets == 0


def test_a_cycle_through_all_sets_is_found_and_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = promela(tmp_path, TOSSED)
    found = check(network, "all", search="scc")
    assert found.verdict == "violated" and found.trace is not None and found.trace.cycle is not None
    assert found.property is network.property("all")
    assert found.statistics.stored < with_one_set(monkeypatch, network, "all", "none").statistics.stored


FORMULAS = (
    "! ([]<> {} && []<> {})",
    "[]<> {} && []<> {} -> []<> {}",
    "([]<> {} -> []<> {}) && ([]<> {} -> []<> {})",
    "! ([]<> {} && []<> {} && []<> {})",
    "<>[] {} || [] (<> {} -> <> {})",
)


def question_about(network: Network, dice: random.Random) -> Linear:
    """A formula of several promises about the first values of variables."""
    names = [variable.name for variable in network.variables if isinstance(variable.type, IntType)] or ["_nr_pr"]
    formula = dice.choice(FORMULAS)
    atoms = [f"({dice.choice(names)} {dice.choice(['==', '!='])} {dice.randrange(3)})" for _ in range(4)]
    asked = find_property(network, "ltl: " + formula.format(*atoms))
    assert isinstance(asked, Linear)
    return asked


@pytest.mark.parametrize("fairness", ["none", "weak", "strong"])
def test_random_programs_get_the_same_answers(fairness: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    several = 0
    for seed in range(4000, 4030):
        network = promela(tmp_path, live_program_of(seed))
        asked = question_about(network, random.Random(seed))
        if not asked.seeks_cycle:
            continue
        result = check(network, asked, search="scc", fairness=fairness, limits=FEW)
        expected = with_one_set(monkeypatch, network, asked, fairness)
        if "unknown" not in (result.verdict, expected.verdict):
            assert result.verdict == expected.verdict, (seed, asked.name)
            if result.verdict == "holds":
                assert result.statistics.stored <= expected.statistics.stored, (seed, asked.name)
        several += replace(asked, generalised=True).automaton.acceptance_sets > 1
    assert several > 10
