"""Every reduction under every search finds what plain search finds, and no more."""

from functools import partial
from importlib.util import find_spec

import pytest
from hypothesis import strategies as st
from tests.por.agreement import compare, compare_program
from tests.random_checks import few_and_many

from beeline.analysis.tiers import Service

PROOFS = Service("smt")
needs_z3 = pytest.mark.skipif(find_spec("z3") is None, reason="needs z3")
SEEDS = st.integers(0, 2**32 - 1)

test_reduced_searches_of_networks_agree_with_plain_search, test_thousands_of_networks = few_and_many(
    compare, SEEDS, 12, 2000
)
test_reduced_searches_of_promela_programs_agree_with_plain_search, test_thousands_of_promela_programs = few_and_many(
    compare_program, SEEDS, 10, 2000
)
test_networks_with_proofs, test_thousands_of_networks_with_proofs = map(
    needs_z3, few_and_many(partial(compare, service=PROOFS), SEEDS, 6, 1000)
)
test_promela_programs_with_proofs, test_thousands_of_promela_programs_with_proofs = map(
    needs_z3, few_and_many(partial(compare_program, service=PROOFS), SEEDS, 6, 1000)
)
