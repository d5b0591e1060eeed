"""Questions about endless runs, with states on disk, are answered as they are in memory."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from benchmarks.conformance.liveness import live_program_of
from tests.engines.test_generalised import question_about
from tests.programs import promela

from beeline import Limits, check
from beeline.languages import LoadOptions, load
from beeline.model.network import Network
from beeline.properties.linear import Linear
from beeline.searches import SearchError

PROGRAMS = int(os.environ.get("BEELINE_DISK", "25"))  # BEELINE_DISK=500 asks for a long run
FEW = Limits(states=20_000)
MODELS = Path(__file__).parents[2] / "models"


def philosophers(count: int) -> Network:
    found = load(MODELS / "promela" / "hungry_philosophers.pml", options=LoadOptions(defines={"N": str(count)}))
    assert isinstance(found, Network)
    return found


def questions(folder: Path, first: int) -> list[tuple[int, Network, Linear]]:
    found = []
    for seed in range(first, first + PROGRAMS):
        network = promela(folder, live_program_of(seed))
        asked = question_about(network, random.Random(seed))
        if asked.seeks_cycle:
            found.append((seed, network, asked))
    return found


def test_a_proof_on_disk_says_what_components_say(tmp_path: Path) -> None:
    told = {"holds": 0, "violated": 0}
    for seed, network, asked in questions(tmp_path, 6000):
        expected = check(network, asked, search="scc", limits=FEW)
        if expected.verdict == "unknown":
            continue
        result = check(network, asked, search="owcty", store=f"disk:{tmp_path}", limits=FEW)
        assert result.verdict == expected.verdict, (seed, asked.name)
        told[expected.verdict] += 1
    assert min(told.values()) > PROGRAMS / 10


@pytest.mark.parametrize("search, heuristic", [("bfs", None), ("astar", "cL")])
def test_lassos_on_disk_are_as_short_as_in_memory(search: str, heuristic: str | None, tmp_path: Path) -> None:
    found = 0
    for seed, network, asked in questions(tmp_path, 7000):
        expected = check(network, asked, search=search, heuristic=heuristic, limits=FEW)
        if expected.verdict == "unknown":
            continue
        result = check(network, asked, search=search, heuristic=heuristic, store=f"disk:{tmp_path}", limits=FEW)
        assert result.verdict == expected.verdict, (seed, asked.name)
        if expected.trace is not None and expected.trace.cycle is not None:
            assert result.trace is not None and result.trace.cycle is not None
            # A cycle is told from the earliest state on in which it can begin; what is found is as long.
            assert result.statistics.depth == expected.statistics.depth, (seed, asked.name)
            found += 1
    assert found > PROGRAMS / 10


def test_without_a_search_the_proof_is_taken(tmp_path: Path) -> None:
    result = check(philosophers(5), "starves", store=f"disk:{tmp_path}")
    assert (result.verdict, result.search) == ("violated", "owcty")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("search, heuristic", [("owcty", None), ("bfs", None), ("astar", "cL")])
def test_checkpoints_lead_to_the_same_answer(search: str, heuristic: str | None, tmp_path: Path) -> None:
    """One search is ended by its limit again and again, until it is not; another is left alone."""
    store, kept = f"disk:{tmp_path / 'states'}", tmp_path / "kept"
    told = {"holds": 0, "violated": 0}
    for seed, network, asked in questions(tmp_path, 9000):
        expected = check(network, asked, search=search, heuristic=heuristic, store=store, limits=FEW)
        if expected.verdict == "unknown":
            continue
        kept.mkdir()
        states, most = max(2, expected.statistics.stored // 3), expected.statistics.stored
        while True:
            resumes = (kept / "search").exists()
            result = check(
                network,
                asked,
                search=search,
                heuristic=heuristic,
                store=store,
                limits=Limits(states=states),
                checkpoint=str(kept),
                resumes=resumes,
            )
            if result.reason != "state limit":
                break
            assert states <= most
            states += max(1, most // 3)
        told[result.verdict] += 1
        assert (result.verdict, result.statistics.stored) == (expected.verdict, expected.statistics.stored), seed
        assert (result.trace is None) == (expected.trace is None), seed
        assert result.trace is None or expected.trace is None or len(result.trace) == len(expected.trace), seed
        assert not list((tmp_path / "states").iterdir())
        kept.rmdir()
    assert min(told.values()) > PROGRAMS / 12


def test_what_does_not_go_with_it_is_refused(tmp_path: Path) -> None:
    network, store = philosophers(3), f"disk:{tmp_path}"
    with pytest.raises(SearchError, match="keeps its states on disk or on a GPU"):
        check(network, "starves", search="owcty")
    with pytest.raises(SearchError, match="in memory"):
        check(network, "starves", store=store, fairness="weak")
    with pytest.raises(SearchError, match="does not know the store disk"):
        check(network, "starves", store=store, search="ndfs")
