"""Every reduction under every search finds what plain search finds, and no more."""

from hypothesis import strategies as st
from tests.por.agreement import compare, compare_program
from tests.random_checks import few_and_many

SEEDS = st.integers(0, 2**32 - 1)

test_reduced_searches_of_networks_agree_with_plain_search, test_thousands_of_networks = few_and_many(
    compare, SEEDS, 12, 2000
)
test_reduced_searches_of_promela_programs_agree_with_plain_search, test_thousands_of_promela_programs = few_and_many(
    compare_program, SEEDS, 10, 2000
)
