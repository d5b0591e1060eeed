"""The engine finds the states of random Murphi programs that the interpreter finds, in bytecode and in native code."""

from __future__ import annotations

from collections import Counter

import pytest
from benchmarks.conformance.murphi_generator import murphi_of

from beeline import explore
from beeline.engine import Limits
from beeline.languages.murphi import read_murphi
from beeline.model.network import Network
from beeline.model.semantics import Semantics

MOST = 300


def count(network: Network) -> Counter[str] | None:
    """States, steps, deadlocks and failing steps as the interpreter sees them; None if there are too many."""
    semantics = Semantics(network)
    found: Counter[str] = Counter(errors=sum(step.error is not None for step in semantics.openings()))
    front = semantics.initial_states()
    seen = set(front)
    while front:
        state = front.pop()
        found["states"] += 1
        found["deadlocks"] += semantics.is_deadlock(state)
        for step in semantics.steps(state):
            found["steps"] += 1
            if step.target is None:
                found["errors"] += 1
            elif step.target not in seen:
                seen.add(step.target)
                front.append(step.target)
        if len(seen) > MOST:
            return None
    return found


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_the_engine_finds_what_the_interpreter_finds(first: int) -> None:
    compared = 0
    for seed in range(first, first + 20):
        network = read_murphi(murphi_of(seed))
        expected = count(network)
        if expected is None:
            continue
        compared += 1
        for tier in ("bytecode", "native") if seed % 10 == 0 else ("bytecode",):
            found = explore(network, tier=tier, limits=Limits(states=10 * MOST))
            told = found.statistics
            assert told.stored == expected["states"], (seed, tier)
            assert told.generated == expected["steps"], (seed, tier)
            assert told.deadlocks == expected["deadlocks"], (seed, tier)
            assert told.errors == expected["errors"], (seed, tier)
    assert compared >= 10
