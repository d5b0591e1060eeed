"""Every reduction under every search finds what plain search finds, and no more."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.calm import CalmSampler
from tests.reductions.harness import Reducible, decided

from beeline import _native

SEEDS = st.integers(0, 2**32 - 1)


def compare(seed: int) -> None:
    sampler = CalmSampler(seed)
    subject = Reducible(sampler.network(), sampler.asked())
    try:
        full = subject.run("bfs")
        if not decided(full):
            return
        for search, reduction, proviso, made, outcome in subject.every_way():
            if not decided(outcome):
                continue
            told = f"{search} with {reduction}:{proviso}, {full.found} became {outcome.found}"
            assert bool(outcome.found) == bool(full.found), told
            if outcome.found and search in ("bfs", "astar") and reduction == "stubborn" and not made.needs_proviso:
                assert len(outcome.path) == len(full.path), told
    except _native.OutOfRoom:
        pass  # another layout; the checker compiles again


@settings(max_examples=15)
@given(seed=SEEDS)
def test_reduced_searches_agree_with_plain_search(seed: int) -> None:
    compare(seed)


@pytest.mark.slow
@settings(max_examples=2000)
@given(seed=SEEDS)
def test_reduced_searches_agree_with_plain_search_on_thousands_of_networks(seed: int) -> None:
    compare(seed)
