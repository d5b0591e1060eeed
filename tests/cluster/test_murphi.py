"""Murphi models, which the paper on lines of states searched, by several ranks."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cluster.harness import COUNTS, in_threads

from beeline.checking import explore
from beeline.cluster.job import Job
from beeline.languages import load
from beeline.model.property import Property
from beeline.problems.networks import NetworkProblem
from beeline.symmetry import find_symmetry
from beeline.symmetry.tables import symmetry_tables

FOLDER = Path(__file__).parents[2] / "models" / "murphi"
LARGE = {"flash"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(file.stem, marks=pytest.mark.slow if file.stem in LARGE else ())
        for file in sorted(FOLDER.glob("*.m"))
    ],
)
def test_the_counts_are_those_of_one_search(name: str) -> None:
    network = load(FOLDER / f"{name}.m")
    expected = explore(network).statistics
    program = NetworkProblem(network, Property("states")).counted_program()
    for ranks in (1, 2, 4):
        found = in_threads(Job(program.tables, merged=True, line=64), ranks).statistics
        assert [getattr(found, one) for one in COUNTS] == [getattr(expected, one) for one in COUNTS]


def test_representatives_are_the_same_for_all_ranks() -> None:
    network = load(FOLDER / "german.m")
    symmetry = find_symmetry("exact")
    assert symmetry is not None
    program = NetworkProblem(network, Property("states")).counted_program()
    job = Job(program.tables, merged=True, symmetry=symmetry_tables(program.network), orders=symmetry.most, line=8)
    expected = explore(network, symmetry="exact").statistics
    for ranks in (1, 3):
        found = in_threads(job, ranks).statistics
        assert (found.stored, found.generated) == (expected.stored, expected.generated)
