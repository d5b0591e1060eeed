"""Random programs mean what trying all assignments says, and what NuSMV says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.languages.smv.brute_force import BruteForce
from tests.languages.smv.nusmv import ask, needs_nusmv
from tests.languages.smv.random_models import Generator

from beeline import check, explore
from beeline.languages.smv import read_smv

TIMES = int(os.environ.get("BEELINE_SMV", "1"))  # BEELINE_SMV=20 asks for a long run


@pytest.mark.parametrize("part", range(4))
def test_states_and_invariants_are_those_of_all_assignments(part: int) -> None:
    pytest.importorskip("oxidd")
    for seed in range(part * 15 * TIMES, (part + 1) * 15 * TIMES):
        text = Generator(seed, plain=True).text()
        network, meant = read_smv(text), BruteForce(text)
        for engine in ("explicit", "bdd"):
            found = explore(network, engine=engine)
            stuck = sum(not after for after in meant.successors.values())
            assert (found.statistics.stored, found.statistics.deadlocks) == (len(meant.successors), stuck), seed
            assert (check(network, "invariant", engine=engine).verdict == "violated") == meant.violates("invariant")


@needs_nusmv
@pytest.mark.parametrize("part", range(4))
def test_answers_are_those_of_nusmv(part: int, tmp_path: Path) -> None:
    pytest.importorskip("oxidd")
    for seed in range(part * 10 * TIMES, (part + 1) * 10 * TIMES):
        text = Generator(seed).text()
        network, theirs = read_smv(text), ask(text, tmp_path)
        if not any(variable.name == "ran" or variable.name.startswith("last_") for variable in network.variables):
            assert explore(network).statistics.stored == theirs.states, seed
        for name, holds in theirs.holds.items():
            if not theirs.total and name != "invariant":
                continue  # it then says that its answers may be wrong
            for engine in ("explicit",) if name.startswith("linear") else ("explicit", "bdd"):
                assert (check(network, name, engine=engine).verdict == "holds") == holds, (seed, name, engine)
