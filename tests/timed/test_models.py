"""The generated models have the errors, and the lengths of errors, that their descriptions give."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from beeline.engine import Status
from beeline.languages.uppaal import load, load_text
from beeline.languages.uppaal.queries import parse_queries
from beeline.model.network import Network
from beeline.timed.search import search_property

FOLDER = Path(__file__).parents[2] / "models" / "uppaal"


@pytest.fixture(scope="module", autouse=True)
def generators() -> Iterator[None]:
    sys.path.insert(0, str(FOLDER))
    yield
    sys.path.remove(str(FOLDER))


def family(name: str) -> ModuleType:
    return importlib.import_module(name)


def network(made: object) -> Network:
    text, query = made.xta, made.query.strip()  # type: ignore[attr-defined]
    assert len(parse_queries(query)) == 1
    return load_text(f"{text}\nquery {{ {query} }}")


def length(made: object) -> int | None:
    """Steps of a shortest violation, or None if there is none; the trace has been replayed with exact clocks."""
    found = network(made)
    outcome, trace = search_property(found, found.properties[0])
    assert outcome.status in (Status.FOUND, Status.EXHAUSTED)
    return None if trace is None else len(trace)


@pytest.mark.parametrize(("variant", "steps"), [("a", 8), ("b", 6), ("c", 6)])
@pytest.mark.parametrize("processes", [2, 3, 5])
def test_fischer_needs_one_weakened_comparison(variant: str, steps: int, processes: int) -> None:
    fischer = family("fischer").fischer
    assert length(fischer(variant, processes)) == steps
    if processes < 5:
        assert length(fischer(variant, processes, faulty=False)) is None


@pytest.mark.parametrize(("height", "fault", "steps"), [(2, "keeps", 12), (2, "repeats", 24), (2, "none", None)])
def test_small_arbiter_trees(height: int, fault: str, steps: int | None) -> None:
    assert length(family("arbiter_tree").arbiter_tree(height, fault=fault)) == steps


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "steps"), [("keeps", 17), ("repeats", 32)])
def test_arbiter_trees_of_height_three(fault: str, steps: int) -> None:
    assert length(family("arbiter_tree").arbiter_tree(3, fault=fault)) == steps


@pytest.mark.parametrize(("disks", "steps"), [(1, 4), (2, 16), (3, 44), (4, 104), (5, 228)])
def test_hanoi_has_the_published_lengths(disks: int, steps: int) -> None:
    assert length(family("hanoi").hanoi(disks)) == steps


def test_random_networks_are_the_same_for_the_same_seed_and_have_their_error() -> None:
    make = family("random_network").random_network
    assert make(4, 7) == make(4, 7)
    assert make(4, 7) != make(4, 8)
    found = length(make(4, 7))
    assert found is not None and found >= 8


@pytest.mark.parametrize(
    ("name", "size"), [("single_track", 2), ("single_track", 3), ("message_mutex", 2), ("message_mutex", 3)]
)
def test_case_studies_fail_only_when_faulty(name: str, size: int) -> None:
    make = getattr(family(name), name)
    assert length(make(size)) is not None
    assert length(make(size, faulty=False)) is None


def test_samples_in_the_folder_are_what_the_generators_write() -> None:
    samples = {
        "fischer_b_3_faulty": family("fischer").fischer("b", 3),
        "hanoi_3": family("hanoi").hanoi(3),
        "arbiter_tree_2_keeps": family("arbiter_tree").arbiter_tree(2),
        "single_track_2_faulty": family("single_track").single_track(2),
        "message_mutex_2_faulty": family("message_mutex").message_mutex(2),
    }
    assert {path.stem for path in FOLDER.glob("*.xta")} == samples.keys()
    for name, made in samples.items():
        assert (FOLDER / f"{name}.xta").read_text() == made.xta
        assert len(load(FOLDER / f"{name}.xta").properties) == 1
