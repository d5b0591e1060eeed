"""Sets of states say what single states say: counts, verdicts, lengths of shortest traces."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.conformance.generator import program_of
from tests.loosely_coupled import sampler_of
from tests.networks import Sampler

from beeline import check, explore
from beeline.engine import Limits
from beeline.engines.declaration import EngineError
from beeline.heuristics import HeuristicError
from beeline.languages import load
from beeline.languages.dve import read_dve
from beeline.model.network import Network
from beeline.model.property import Claim, Goal, Property

TIMES = int(os.environ.get("BEELINE_SYMBOLIC", "1"))  # BEELINE_SYMBOLIC=20 asks for a long run
FEW = Limits(states=3000)
ALWAYS = ("safety", "deadlock", "assertions")

Question = tuple[str, Network, str | Property]


def programs(folder: Path, count: int) -> Iterator[Question]:
    """Random Promela: channels, atomic regions, processes that start, timeouts, priorities."""
    for seed in range(count):
        path = folder / f"{seed}.pml"
        path.write_text(program_of(seed))
        network = load(path)
        for asked in ALWAYS:
            yield f"program {seed}, {asked}", network, asked


def loosely_coupled(count: int) -> Iterator[Question]:
    """Networks with a rare state to look for."""
    for seed in range(count):
        sampler = sampler_of(seed)
        network = sampler.network()
        wanted = sampler.rare_state(network)
        yield f"network {seed}, safety", network, "safety"
        if wanted is not None:
            yield f"network {seed}, goal", network, Goal("wanted", expression=wanted)


def all_kinds(count: int) -> Iterator[Question]:
    """Networks with everything, watched by their monitors, if those wait for an end."""
    for seed in range(count):
        network = Sampler(seed).network()
        for asked in ALWAYS:
            yield f"sample {seed}, {asked}", network, asked
        if network.monitor is not None:
            claim = Claim("watched", watcher=network.monitor)
            if not claim.seeks_cycle:
                yield f"sample {seed}, watched", network, claim


def compare(question: Question, search: str, verdicts: Counter[str]) -> None:
    told, network, asked = question
    expected = check(network, asked, search="bfs", shrink="none", limits=FEW)
    if expected.verdict == "unknown":
        return
    result = check(network, asked, search=search, shrink="none", engine="bdd")
    assert result.verdict == expected.verdict, told
    verdicts[result.verdict] += 1
    if expected.trace is None:
        assert result.trace is None, told
    elif search != "auto" or result.shortest:
        assert result.trace is not None and len(result.trace) == len(expected.trace), told


@pytest.mark.parametrize(
    ("search", "parts"),
    [
        ("bfs", 3),
        ("auto", 3),
        ("backward", 1),
        ("bidirectional", 1),
        ("astar", 1),
        ("setastar", 1),
        ("bdda", 1),
    ],
)
def test_verdicts_and_lengths(search: str, parts: int, tmp_path: Path) -> None:
    verdicts: Counter[str] = Counter()
    for question in programs(tmp_path, 4 * parts * TIMES):
        compare(question, search, verdicts)
    for question in loosely_coupled(8 * parts * TIMES):
        compare(question, search, verdicts)
    for question in all_kinds(8 * parts * TIMES):
        compare(question, search, verdicts)
    assert min(verdicts["holds"], verdicts["violated"]) > 10 * parts


def test_counts(tmp_path: Path) -> None:
    compared = 0
    networks = [question[1] for question in [*programs(tmp_path, 10 * TIMES), *all_kinds(20 * TIMES)][::3]]
    for number, network in enumerate(networks):
        expected = explore(network, limits=FEW)
        if expected.complete:
            found = explore(network, engine="bdd")
            assert found.complete, number
            assert found.statistics.stored == expected.statistics.stored, number
            assert found.statistics.deadlocks == expected.statistics.deadlocks, number
            compared += 1
    assert compared > 15


@pytest.mark.parametrize(
    "name", ["promela/peterson.pml", "promela/pipeline.pml", "promela/sliding_window.pml", "dve/mailbox_race.dve"]
)
def test_bundled_models(name: str) -> None:
    model = Path(__file__).parents[2] / "models" / name
    expected, found = explore(model), explore(model, engine="bdd")
    assert expected.complete and found.complete
    assert found.statistics.stored == expected.statistics.stored
    assert found.statistics.deadlocks == expected.statistics.deadlocks


def test_searches_with_sets_refuse_spaces_of_single_states() -> None:
    model = Path(__file__).parents[2] / "models" / "python" / "jugs.py"
    with pytest.raises(EngineError, match=r"the engine bdd does not take .*: it takes networks without clocks alone"):
        check(model, search="backward")


def test_estimates_that_know_no_sets_are_refused() -> None:
    model = Path(__file__).parents[2] / "models" / "promela" / "peterson.pml"
    with pytest.raises(EngineError, match=r"goes by these heuristics.*: blind, refine, spdb"):
        check(model, search="astar", heuristic="hFF", engine="bdd")


def test_without_the_package_there_is_a_clear_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Path(__file__).parents[2] / "models" / "promela" / "peterson.pml"
    for module in ("beeline.engines.bdd", "beeline.heuristics.sets"):
        monkeypatch.setattr(f"{module}.find_spec", lambda name: None)
    with pytest.raises(EngineError, match=r"needs the package oxidd: install beeline\[symbolic\]"):
        check(model, engine="bdd")
    with pytest.raises(HeuristicError, match=r"needs the package oxidd: install beeline\[symbolic\]"):
        check(model, "deadlock", search="astar", heuristic="spdb")


def test_that_a_step_fails_depends_on_the_index_that_fails() -> None:
    text = """
byte a[2]; byte i = 9;
process P { state s, t, u; init s; trans s -> t { effect i = 1; }, t -> u { effect a[i] = 1; }; }
system async;
"""
    network = read_dve(text)
    assert explore(network, engine="bdd").statistics.stored == explore(network).statistics.stored == 3
