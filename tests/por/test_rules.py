"""Reduction of rule-based systems, with and without symmetry, by all tiers of the dependence service, says what plain
search says, on random Murphi programs. `BEELINE_RULES=2000 pytest tests/por/test_rules.py` compares that many."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from benchmarks.conformance.loose_murphi import loose_murphi_of
from benchmarks.conformance.murphi_generator import murphi_of
from benchmarks.conformance.symmetric_generator import symmetric_murphi_of

from beeline import Result, check
from beeline.analysis.configuration import find_configuration
from beeline.analysis.tiers import Service
from beeline.compile.program import compile_network
from beeline.engine import Limits
from beeline.languages.murphi import load_murphi, read_murphi
from beeline.model.network import Network
from beeline.model.source import BeelineError
from beeline.por import all_reductions

PROGRAMS = int(os.environ.get("BEELINE_RULES", "20"))
MOST = Limits(states=4000)
SEARCHES = ("bfs", "dfs", "astar", "auto", "greedy")
GERMAN = Path(__file__).resolve().parents[2] / "models" / "murphi" / "german.m"


TURNS = tuple(product(all_reductions(), ("none", "exact", "quick")))


def compare(network: Network, number: int, tier: str, turns: Sequence[tuple[str, str]] = TURNS) -> Counter[str]:
    """How often steps were left out, and how often states were saved by that. Searches take turns."""
    became: Counter[str] = Counter()
    plain = check(network, "safety", search="bfs", limits=MOST, tier="bytecode")
    if plain.verdict == "unknown":
        return became
    for turn, (reduction, symmetry) in enumerate(turns):
        search = SEARCHES[(number + turn) % len(SEARCHES)]
        found = check(
            network, "safety", search=search, symmetry=symmetry, reduce=reduction, dependence=tier, limits=MOST,
            tier="bytecode",
        )  # fmt: skip
        told = f"{search}, {symmetry}, {reduction} by {tier}: {found.reason}, not {plain.reason}"
        assert found.verdict == plain.verdict, told
        assert _length(found) >= _length(plain) and (not found.shortest or _length(found) == _length(plain)), told
        became["reduced"] += found.dependence == tier
        became["folded"] += found.dependence == tier and found.symmetry == symmetry != "none"
        became["saved"] += found.verdict == "holds" and found.statistics.stored < plain.statistics.stored
    return became


def _length(result: Result) -> int:
    return 0 if result.trace is None else len(result.trace)


@pytest.mark.parametrize("tier", ["syntax", "index"])
def test_nodes_that_have_little_to_do_with_each_other(tier: str) -> None:
    became: Counter[str] = Counter()
    for seed in range(PROGRAMS):
        became += compare(read_murphi(loose_murphi_of(seed)), seed, tier)
    assert min(became["reduced"], became["folded"], became["saved"]) > 0


def test_proofs_by_a_solver() -> None:
    pytest.importorskip("z3")
    became: Counter[str] = Counter()
    for seed in range(PROGRAMS // 5):
        became += compare(read_murphi(loose_murphi_of(seed)), seed, "smt", TURNS[seed % len(TURNS) :: len(TURNS) // 2])
    assert became["reduced"]


def test_nodes_that_point_at_each_other() -> None:
    became: Counter[str] = Counter()
    for seed in range(PROGRAMS // 4):
        became += compare(read_murphi(symmetric_murphi_of(seed)), seed, "index")
    assert became["folded"]


def test_programs_of_all_kinds() -> None:
    became: Counter[str] = Counter()
    for seed in range(PROGRAMS // 2):
        try:
            network = read_murphi(murphi_of(seed))
        except BeelineError:
            continue
        became += compare(network, seed, "index")
    assert became["reduced"]


def test_each_tier_knows_at_least_as_much_as_the_one_before() -> None:
    pytest.importorskip("z3")
    for network in (load_murphi(GERMAN, {"N": "2"}), *(read_murphi(loose_murphi_of(seed)) for seed in range(2))):
        program = compile_network(network, None, len(network.initial))
        configuration = find_configuration(network)
        assert configuration is not None
        by_syntax, by_index, proved = (
            Service(tier).dependence(program, configuration) for tier in ("syntax", "index", "smt")
        )
        for position in range(len(by_index.edges)):
            for ask in ("disturbed_by", "enablers"):
                sets = [getattr(one, ask)(position) for one in (proved, by_index, by_syntax)]
                assert sets[0] <= sets[1] <= sets[2], (ask, position)


def test_a_solver_that_is_not_there_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "z3", None)
    with pytest.raises(BeelineError, match=r"needs z3: pip install 'beeline\[smt\]'"):
        check(read_murphi(loose_murphi_of(0)), "safety", reduce="seeds", dependence="smt")
    assert check(read_murphi(loose_murphi_of(0)), "safety", reduce="seeds").dependence == "index"
