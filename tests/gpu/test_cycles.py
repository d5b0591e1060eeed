"""Cycles on a device: the same verdicts as the searches of the processor, and lassos that the interpreter replays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.conformance.liveness import live_program_of
from tests.gpu.harness import compare_programs
from tests.gpu.test_engine import on_the_host  # noqa: F401  # used as a fixture
from tests.programs import promela

from beeline import Limits, check
from beeline.checking import Result
from beeline.engine import Found, Outcome, Status, core
from beeline.engines import EngineError
from beeline.gpu import cycles, find_device, source
from beeline.gpu.search import Preparation, Setup, Told, search
from beeline.jit.compiler import find_compiler
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.problems.make import problem_of
from beeline.problems.problem import Problem
from beeline.problems.settings import Settings
from beeline.properties import find_property, questions
from beeline.records import replace
from beeline.searches import SearchError, find

pytestmark = [
    pytest.mark.skipif(find_compiler() is None, reason="no C++ compiler"),
    pytest.mark.usefixtures("on_the_host"),
]
FEW = Limits(states=20_000)
SMALL = Setup(memory=2**26, buckets=2**8, margin=2**8)
MOST_QUESTIONS = 3  # of a program: each is compiled
ROUND = """
byte x, steps;
active proctype P() { do :: steps < 40 -> steps++ :: steps == 40 -> x = 1 - x od }
active proctype Q() { byte n; do :: n < 20 -> n++ :: n == 20 -> n = 0 od }
ltl often { []<> (x == 1) }
ltl stays { [] (steps <= 40) && <> (steps >= 0) }
ltl leaves { [] (x == 1 -> <> (x == 0)) }
ltl counts { <>[] (steps < 40) || []<> (x == 0) }
"""
LONG = ROUND.replace("40", "200")  # more layers than the device goes through by itself


def asked_of_runs(network: Network) -> Iterator[Property]:
    """Some questions with an automaton, or about cycles."""
    yield from [one for one in questions(network) if one.automaton is not None or one.seeks_cycle][:MOST_QUESTIONS]


def ready_program(problem: Problem) -> core.Program:
    ready = problem.ready(Settings(find("auto")))
    native: core.Program = ready.program.native  # type: ignore[attr-defined]
    return native


def compare(seed: int, folder: Path) -> int:
    """Arcs and verdicts of a random program, by both; how many questions had an answer."""
    compared = 0
    network = promela(folder, live_program_of(seed))
    for number, asked in enumerate(asked_of_runs(network)):
        program = ready_program(problem_of(network, asked))
        if core.not_for_devices(program):
            continue
        libraries = folder / str(number)
        libraries.mkdir()
        compare_programs(program, libraries, 100, f"{seed} {asked.name}")
        engine = ("owcty", "ndfs") if asked.seeks_cycle else ("bfs", "bfs")
        there = check(network, asked.name, engine="gpu", search=engine[0], limits=FEW)
        here = check(network, asked.name, search=engine[1], limits=FEW)
        if "unknown" not in (there.verdict, here.verdict):
            assert there.verdict == here.verdict, (seed, asked.name)
            compared += 1
    return compared


def test_random_programs_get_the_same_verdicts(tmp_path: Path) -> None:
    assert sum(compare(seed, tmp_path / str(seed)) for seed in made(tmp_path, range(2, 6))) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 300, 20))
def test_hundreds_of_random_programs_get_the_same_verdicts(
    first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cycles, "MOST_FOLLOWED", first // 20 % 3)
    seeds = made(tmp_path, range(first, first + 20))
    assert sum(compare(seed, tmp_path / str(seed)) for seed in seeds) >= 10


def made(folder: Path, seeds: range) -> range:
    """The numbers, each with a folder of its own."""
    for seed in seeds:
        (folder / str(seed)).mkdir()
    return seeds


def searched(network: Network, asked: str, setup: Setup = SMALL) -> tuple[Outcome, Told]:
    """What the device says of a question alone."""
    problem = problem_of(network, find_property(network, asked))
    device = find_device()
    try:
        return search(device, ready_program(problem), replace(setup, stop=problem.stop))
    finally:
        device.close()


def lasso(network: Network, asked: str, **options: object) -> Result:
    """The answer, with a lasso that was replayed."""
    result = check(network, asked, engine="gpu", search="owcty", **options)  # type: ignore[arg-type]
    assert (result.verdict, result.tier, result.shortest) == ("violated", "host", False)
    assert result.trace is not None and result.trace.cycle is not None
    assert result.trace.states[result.trace.cycle] == result.trace.states[-1]
    return result


def test_each_formula_is_answered(tmp_path: Path) -> None:
    network = promela(tmp_path, ROUND)
    for name, verdict in (("stays", "holds"), ("often", "violated"), ("counts", "violated")):
        assert check(network, name, engine="gpu", search="owcty").verdict == verdict


def test_the_cycle_is_the_shortest_through_its_first_state(tmp_path: Path) -> None:
    text = "byte x; active proctype P() { do :: x < 5 -> x++ :: x == 5 -> x = 0 :: x == 3 -> x = 1 od }"
    result = lasso(promela(tmp_path, text), "ltl: <>[] (x == 7)")
    assert result.trace is not None and result.trace.cycle is not None
    assert len(result.trace) - result.trace.cycle == 3 or result.trace.cycle == 0


@pytest.mark.parametrize("kind", [source.NARROW, source.PAIR, source.WIDE])
def test_all_exact_stores_have_marks(kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in ("beeline.gpu.search", "beeline.gpu.source"):
        monkeypatch.setattr(f"{module}.store_for", lambda twin, has_pairs=True, asked=source.PLAIN: kind)
    network = promela(tmp_path, ROUND)
    found, told = searched(network, "often")
    assert (told.store, found.status, found.found) == (kind, Status.FOUND, Found.CYCLE)
    held, _ = searched(network, "stays")
    assert held.status is Status.EXHAUSTED


def test_a_cycle_is_found_before_all_states_are_known(tmp_path: Path) -> None:
    network = promela(tmp_path, LONG)
    late, _ = searched(network, "often")
    soon, _ = searched(network, "often", replace(SMALL, first_look=100))
    assert (soon.status, late.status) == (Status.FOUND, Status.FOUND)
    assert soon.statistics.stored < late.statistics.stored / 2


def test_a_look_before_the_end_changes_nothing_where_there_is_no_cycle(tmp_path: Path) -> None:
    network = promela(tmp_path, LONG)
    late, soon = (searched(network, "stays", replace(SMALL, first_look=look))[0] for look in (10**6, 10))
    assert late.status is soon.status is Status.EXHAUSTED
    for name in ("stored", "generated", "depth"):
        assert getattr(late.statistics, name) == getattr(soon.statistics, name)


def test_a_cycle_among_what_fits_is_an_answer(tmp_path: Path) -> None:
    network = promela(tmp_path, ROUND)
    for limits in (Limits(states=5000), Limits(depth=60)):
        outcome, _ = searched(network, "often", replace(SMALL, limits=limits))
        assert outcome.status is Status.FOUND
    outcome, _ = searched(network, "stays", replace(SMALL, limits=Limits(states=300)))
    assert outcome.status is Status.STATES


def test_layers_that_the_host_keeps_are_passed_over_too(tmp_path: Path) -> None:
    network = promela(tmp_path, LONG)
    setup = replace(SMALL, memory=330_000, buckets=2**8, margin=2**6)
    for asked, status in (("stays", Status.EXHAUSTED), ("often", Status.FOUND)):
        outcome, told = searched(network, asked, setup)
        assert told.spilled > 1000 or status is Status.FOUND
        assert outcome.status is status


def test_what_only_leads_to_a_cycle_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first accepting states lie on no cycle, so that the search for a way back fails and goes on behind them."""
    monkeypatch.setattr(cycles, "MOST_FOLLOWED", 0)
    result = lasso(promela(tmp_path, ROUND), "ltl: <>[] (x == 3)")
    assert result.trace is not None and len(result.trace) > 1


def test_steps_that_the_host_finds_count_as_well(tmp_path: Path) -> None:
    text = """
    int big, other, third;
    active proctype P() {
      do :: d_step { big < 300 -> big++; other = 3 * big; third = -big } :: big == 300 -> big = 0 od
    }
    """
    network = promela(tmp_path, text)
    setup = replace(SMALL, sample=20)
    found, told = searched(network, "ltl: []<> (big == 77)", setup)
    assert found.status is Status.EXHAUSTED
    assert told.left > 0 or told.restarts > 0
    found, _ = searched(network, "ltl: <>[] (big == 77)", setup)
    assert found.found is Found.CYCLE


def test_labels_are_asked_about(tmp_path: Path) -> None:
    network = promela(
        tmp_path,
        "byte x; active proctype P() "
        "{ do :: x == 0 -> accept: x = 1 :: x == 1 -> progress: x = 0 :: x == 1 -> skip od }",
    )
    assert lasso(network, "acceptance").reason == "acceptance cycle"
    assert lasso(network, "progress").reason == "non-progress cycle"


def test_a_process_that_rests_at_an_accept_label_stays_there_for_ever(tmp_path: Path) -> None:
    network = promela(tmp_path, "active proctype P() { skip; accept: false }")
    result = check(network, "acceptance", engine="gpu", search="owcty")
    assert result.verdict == "violated" and result.trace is not None and result.trace.cycle == len(result.trace) == 1


def test_a_formula_of_safety_is_a_search_for_a_state(tmp_path: Path) -> None:
    network = promela(tmp_path, "byte x; active proctype P() { do :: x < 9 -> x++ od } ltl low { [] (x < 7) }")
    result = check(network, "low", engine="gpu", search="bfs")
    assert (result.verdict, result.shortest) == ("violated", True)


def test_what_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    network = promela(tmp_path, ROUND)
    refused: list[tuple[dict[str, object], str]] = [
        ({"fairness": "weak"}, "nobody knows which runs are fair"),
        ({"shortest_lasso": True}, "the shortest lasso is not looked for"),
        ({"search": "ndfs"}, "use --search owcty"),
        ({"search": "owcty", "store": f"disk:{tmp_path}"}, "use --store plain"),
        ({"automaton": "ta"}, "leave out --automaton"),
    ]
    for options, said in refused:
        with pytest.raises(EngineError, match=said):
            check(network, "often", engine="gpu", **options)  # type: ignore[arg-type]
    with pytest.raises(SearchError, match="or --engine gpu"):
        check(network, "often", engine="explicit", search="owcty")


def test_the_processor_answers_what_is_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Preparation, "run", lambda self, then: None)  # the device is never ready
    result = check(promela(tmp_path, ROUND), "often", engine="gpu")
    assert (result.verdict, result.search, result.tier) == ("violated", "auto", "bytecode")
