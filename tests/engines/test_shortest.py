"""The shortest lasso is the shortest: all shorter runs are tried, by an evaluator that knows no automata."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.loosely_coupled import sampler_of

from beeline import Limits
from beeline.automata import evaluate, parse_ltl
from beeline.checking import check
from beeline.languages import load
from beeline.model.network import Network
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.properties.linear import Linear
from beeline.searches import SearchError
from beeline.trace.lasso import is_looked_at, letter

FORMULAS = (
    "[]<> p",
    "<>[] p",
    "[](p -> <> q)",
    "[]<> p -> []<> q",
    "p U q",
    "! ([]<> p && []<> !p && <> q)",
    "X X (p || <> q)",
    "[](p -> X X X !p)",
)
LONGEST = 5  # steps of runs that are all tried


def runs(semantics: Semantics, path: list[State], longest: int) -> Iterator[tuple[list[State], int]]:
    """All lassos with so many steps at most that go on from a path: their states, and where the cycle begins; that is
    behind the last state where the run comes to rest."""
    steps = [step.target for step in semantics.steps(path[-1]) if step.target is not None]
    if not steps:
        yield path, len(path)
    if longest == 0:
        return
    for target in steps:
        if target in path:
            for start, state in enumerate(path):
                if state == target:
                    yield path, start
        yield from runs(semantics, [*path, target], longest - 1)


def shortest_by_trying(network: Network, asked: Linear, longest: int) -> int | None:
    """The fewest steps of a run that violates the formula, if they are not more than that."""
    semantics = Semantics(network)
    watching = Semantics(asked.watched(network))
    found: int | None = None
    for states, start in runs(semantics, [semantics.initial_states()[0]], longest):
        at_rest = start == len(states)
        length = len(states) - 1 if at_rest else len(states)
        word = [letter(watching, asked, state) for state in states if is_looked_at(state)]
        cut = len([state for state in states[: min(start, len(states) - 1)] if is_looked_at(state)])
        if word[cut:] and length <= longest and not evaluate(asked.formula, word[:cut], word[cut:]):
            found = length if found is None else min(found, length)
    return found


def question(seed: int) -> tuple[Network, Linear] | None:
    sampler = sampler_of(seed)
    network = sampler.network()
    facts = [sampler.rare_state(network), sampler.rare_state(network)]
    if facts[0] is None or facts[1] is None:
        return None
    formula = parse_ltl(random.Random(seed).choice(FORMULAS))
    return network, Linear("f", str(formula), formula=formula, atoms=(("p", facts[0]), ("q", facts[1])))


@pytest.mark.parametrize("first", range(0, 120, 30))
def test_no_shorter_run_violates_the_formula(first: int) -> None:
    compared = 0
    for seed in range(first, first + 30):
        asked = question(seed)
        if asked is None or not asked[1].seeks_cycle:
            continue
        result = check(*asked, search="ndfs", shortest_lasso=True, limits=Limits(states=100_000))
        if result.verdict != "violated" or result.trace is None or result.trace.cycle is None:
            continue
        assert result.shortest, seed
        expected = shortest_by_trying(*asked, min(LONGEST, len(result.trace)))
        assert expected in ((len(result.trace),) if len(result.trace) <= LONGEST else (None,)), seed
        compared += 1
    assert compared >= 3


ROUNDS = """
byte x;
active proctype P() { do :: x == 0 -> x = 1 :: x == 1 -> x = 0 :: x == 0 -> x = 2; x = 3; x = 0 od }
ltl often { []<> (x == 2) }
never small { accept: do :: x < 2 od }
"""


@pytest.fixture
def rounds(tmp_path: Path) -> Network:
    path = tmp_path / "rounds.pml"
    path.write_text(ROUNDS)
    found = load(path)
    assert isinstance(found, Network)
    return found


def test_what_is_proven_is_said(rounds: Network) -> None:
    assert not check(rounds, "often", search="ndfs").shortest
    assert check(rounds, "often", search="ndfs", shortest_lasso=True).shortest


def test_claims_have_a_shortest_lasso_too(rounds: Network) -> None:
    asked = next(each for each in rounds.properties if each.kind == "claim")
    result = check(rounds, asked, shortest_lasso=True)
    assert result.verdict == "violated" and result.shortest
    assert result.trace is not None and len(result.trace) == 4  # round by x == 0, x = 1, x == 1, x = 0


def test_a_limit_leaves_it_open(rounds: Network) -> None:
    result = check(rounds, "often", search="ndfs", shortest_lasso=True, limits=Limits(states=1000))
    assert result.shortest
    few = check(rounds, "often", search="ndfs", shortest_lasso=True, limits=Limits(states=3))
    assert not few.shortest


def test_fairness_is_refused(rounds: Network) -> None:
    with pytest.raises(SearchError, match="not sought under fairness"):
        check(rounds, "often", fairness="weak", shortest_lasso=True)
