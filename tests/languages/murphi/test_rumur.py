"""Rumur counts the same states of random Murphi programs, and gives the same verdicts."""

from __future__ import annotations

import shutil

import pytest
from benchmarks.conformance.murphi import murphi_differences
from benchmarks.conformance.murphi_generator import murphi_of
from benchmarks.conformance.tool import Beeline, Inside

pytestmark = pytest.mark.skipif(shutil.which("rumur") is None, reason="rumur is not installed (Debian: rumur)")


# 64057 has an invariant with (1 / 0): an error at run time.
@pytest.mark.parametrize("seed", [3, 14, 159, 64057])
def test_rumur_says_the_same_of_a_random_program(seed: int) -> None:
    kind, difference = murphi_differences(murphi_of(seed), Beeline(Inside()))
    assert not difference
    assert kind in ("agrees", "too large")
