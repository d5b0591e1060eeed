"""Random programs for the corners of Promela, programs broken in one place, random DVE models: a few dozen of each."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import random
import shutil
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from benchmarks.conformance.corners import TRAITS, Corners, corner_of
from benchmarks.conformance.dve_generator import dve_of
from benchmarks.conformance.fuzz import GENERATORS, examine_seed
from benchmarks.conformance.mutations import mutant_of
from benchmarks.conformance.trails import escaping_program_of

needs_spin = pytest.mark.skipif(not (shutil.which("spin") and shutil.which("gcc")), reason="SPIN is not installed")


def examined(generator: str, seeds: range) -> Counter[str]:
    """How many programs ended in which way; a disagreement is an error that shows the program."""
    counts: Counter[str] = Counter()
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        for seed, kind, difference in pool.map(partial(examine_seed, generator=generator), seeds, chunksize=2):
            assert kind != "disagrees", f"{difference}\n{GENERATORS[generator].program_of(seed)}"
            counts[kind] += 1
    return counts


@needs_spin
def test_programs_with_rare_constructs_agree_with_spin() -> None:
    assert examined("corners", range(30))["agrees"] >= 24


@needs_spin
def test_spin_replays_the_counterexamples_of_programs_with_escapes() -> None:
    assert examined("trails", range(24))["agrees"] >= 10


@needs_spin
def test_broken_programs_are_refused_where_spin_refuses_them() -> None:
    assert examined("refusals", range(60))["agrees"] >= 50


@needs_spin
def test_formulas_and_labels_of_random_programs_are_answered_as_by_pan() -> None:
    assert examined("liveness", range(100, 124))["agrees"] >= 12


def test_dve_models_agree_with_a_search_of_their_syntax() -> None:
    assert examined("dve", range(12))["agrees"] >= 10


@pytest.mark.parametrize("trait", TRAITS)
def test_every_trait_makes_programs(trait: str) -> None:
    texts = {Corners(random.Random(seed).randint, frozenset({trait})).program() for seed in range(5)}
    assert len(texts) == 5 and all(f"/* {trait} */" in text for text in texts)


@pytest.mark.parametrize("make", [corner_of, mutant_of, dve_of, escaping_program_of])
def test_the_same_seed_gives_the_same_text(make: Callable[[int], str]) -> None:
    assert make(7) == make(7) != make(8)
