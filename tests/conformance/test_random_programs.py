"""Random Promela programs: SPIN accepts them, and Beeline finds as many states in them and the same verdict."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import shutil

import pytest
from benchmarks.conformance.fuzz import examine_seed
from benchmarks.conformance.generator import program_of, programs, shrink
from hypothesis import given, settings

PROGRAMS = 100
needs_spin = pytest.mark.skipif(not (shutil.which("spin") and shutil.which("gcc")), reason="SPIN is not installed")


@needs_spin
def test_random_programs_agree_with_spin() -> None:
    agreed, difficult = 0, []
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        for seed, kind, difference in pool.map(examine_seed, range(PROGRAMS + PROGRAMS // 5), chunksize=2):
            assert kind != "disagrees", f"{difference}\n{program_of(seed)}"
            agreed += kind == "agrees"
            if kind == "rejected":
                difficult.append((seed, difference))
    assert agreed >= PROGRAMS, difficult


@settings(max_examples=50)
@given(programs())
def test_programs_are_well_formed_enough_to_count_braces(text: str) -> None:
    assert text.count("{") == text.count("}")
    assert "proctype" in text


def test_the_same_seed_gives_the_same_program() -> None:
    assert program_of(7) == program_of(7) != program_of(8)


def test_shrinking_keeps_what_fails() -> None:
    text = program_of(11)
    small = shrink(text, lambda candidate: "mtype" in candidate)
    assert "mtype" in small and len(small.splitlines()) == 1
