"""Every reduction under every search finds what plain search finds, and no more."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.por.agreement import compare, compare_program

SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=12)
@given(seed=SEEDS)
def test_reduced_searches_of_networks_agree_with_plain_search(seed: int) -> None:
    compare(seed)


@settings(max_examples=10)
@given(seed=SEEDS)
def test_reduced_searches_of_promela_programs_agree_with_plain_search(seed: int) -> None:
    compare_program(seed)


@pytest.mark.slow
@settings(max_examples=2000)
@given(seed=SEEDS)
def test_thousands_of_networks(seed: int) -> None:
    compare(seed)


@pytest.mark.slow
@settings(max_examples=2000)
@given(seed=SEEDS)
def test_thousands_of_promela_programs(seed: int) -> None:
    compare_program(seed)
