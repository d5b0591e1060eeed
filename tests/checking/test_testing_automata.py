"""Formulas watched by an automaton of a chosen kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchmarks.conformance.liveness import live_program_of

from beeline import Limits, NetworkBuilder, check
from beeline.automata import observer
from beeline.checking import check_all
from beeline.languages import load
from beeline.model.network import Network
from beeline.model.source import BeelineError
from beeline.searches import AUTOMATA

KINDS = [("tlba", "ndfs"), ("tlba", "scc"), ("slba", "ndfs"), ("slba", "scc"), ("ta", "testing"), ("tgta", "scc")]
TURNS = """
byte x;
active proctype P() { do :: x = 1 :: x = 0 od }
active proctype Q() { do :: x == 1 -> x = 2 od }
ltl often { []<> (x == 2) }
ltl bounded { [] (x < 3) }
ltl leaves { [] (x == 1 -> <> (x != 1)) }
ltl settles { <>[] (x == 0) -> []<> (x == 0) }
ltl next { [] (x == 1 -> X (x == 0)) }
"""


def promela(tmp_path: Path, text: str = TURNS) -> Network:
    path = tmp_path / "model.pml"
    path.write_text(text)
    found = load(path)
    assert isinstance(found, Network)
    return found


def test_the_kinds_have_the_same_names_everywhere() -> None:
    assert AUTOMATA[1:] == observer.KINDS


@pytest.mark.parametrize(("kind", "search"), KINDS)
def test_every_kind_of_automaton_gives_the_same_verdict(kind: str, search: str, tmp_path: Path) -> None:
    network = promela(tmp_path)
    for name in ("often", "bounded", "leaves", "settles"):
        expected = check(network, name)
        result = check(network, name, automaton=kind, search=search)
        assert result.verdict == expected.verdict
        assert result.search == f"{search} on {kind}"
        assert (result.trace is None) == (result.verdict == "holds")


def test_verdicts_agree_on_random_programs(tmp_path: Path) -> None:
    compared, limits = 0, Limits(states=5_000)
    for seed in range(20):
        text = live_program_of(seed)
        network = promela(tmp_path, text)
        for asked in network.properties:
            if asked.kind != "ltl":
                continue
            expected = check(network, asked, search="ndfs", limits=limits).verdict
            for kind, search in KINDS:
                verdict = check(network, asked, automaton=kind, search=search, limits=limits).verdict
                if "unknown" not in (expected, verdict):
                    compared += 1
                    assert verdict == expected, (seed, asked.name, kind, search)
    assert compared > 100


@pytest.mark.parametrize("kind", ["ta", "tgta"])
def test_a_formula_that_counts_steps_is_refused_with_the_reason(kind: str, tmp_path: Path) -> None:
    network = promela(tmp_path)
    with pytest.raises(BeelineError, match=r"(?s)can tell a word from one in which a letter is repeated.*without X"):
        check(network, "next", automaton=kind)
    assert check(network, "next", automaton="slba").verdict == "violated"


def test_a_run_that_comes_to_rest_is_a_livelock(tmp_path: Path) -> None:
    network = promela(tmp_path, "byte x; active proctype P() { x = 1; x = 2 } ltl f { <> (x == 3) }")
    result = check(network, "f", automaton="ta")
    assert (result.verdict, result.reason) == ("violated", "violated by a run that comes to rest")
    assert result.trace is not None and result.trace.cycle == len(result.trace)


def test_nobody_looks_into_the_middle_of_an_uninterrupted_run(tmp_path: Path) -> None:
    runs = "byte x; active proctype P() { do :: atomic { x = 1; x = 0 } od }"
    network = promela(tmp_path, runs + " ltl f { [] (x == 0) } ltl g { <> (x == 1) }")
    for kind, search in KINDS:
        answers = [check(network, name, automaton=kind, search=search).verdict for name in "fg"]
        assert answers == ["holds", "violated"]


def test_the_number_of_processes_is_the_same_whatever_watches(tmp_path: Path) -> None:
    ends = "active [2] proctype P() { skip }"
    network = promela(tmp_path, ends + " ltl f { <>[] (_nr_pr == 1) } ltl g { [] (_nr_pr > 1) }")
    for name in "fg":
        expected = check(network, name).verdict
        assert {check(network, name, automaton=kind).verdict for kind, _ in KINDS} == {expected}


def test_other_questions_of_a_file_are_answered_as_ever(tmp_path: Path) -> None:
    answers = {result.property.name: result for result in check_all(promela(tmp_path), automaton="ta")}
    assert answers["assertions"].verdict == "holds"
    assert answers["often"].search == "testing on ta"
    assert answers["next"].verdict == "unknown" and "letter is repeated" in answers["next"].reason


def test_what_an_automaton_cannot_do_is_refused(tmp_path: Path) -> None:
    network = promela(tmp_path)
    options: list[dict[str, Any]] = [
        {"automaton": "ta", "search": "ndfs"},
        {"automaton": "slba", "search": "bfs"},
        {"automaton": "ta", "fairness": "weak"},
        {"automaton": "ta", "reduce": "ample"},
        {"automaton": "dta"},
        {"search": "testing"},
    ]
    for option in options:
        with pytest.raises(BeelineError):
            check(network, "often", **option)
    labels = "active proctype P() { accept: do :: skip od } never { accept: do :: true od }"
    with pytest.raises(BeelineError, match="no formula"):
        check(promela(tmp_path, labels), "claim", automaton="ta")
    with pytest.raises(BeelineError, match="timeout"):
        check(promela(tmp_path, "active proctype P() { timeout } ltl f { []<> timeout }"), "f", automaton="ta")


def test_one_pass_does_not_prove_that_there_is_no_livelock(tmp_path: Path) -> None:
    network = promela(tmp_path, "bit x; active proctype P() { do :: x = 1 - x od } ltl f { []<> (x == 1) }")
    assert check(network, "f", automaton="ta").verdict == "holds"
    result = check(network, "f", automaton="ta", search="testing:1")
    assert (result.verdict, result.reason) == ("unknown", "incomplete search")


def test_networks_built_in_python_are_watched_as_well() -> None:
    builder = NetworkBuilder("light")
    builder.variable("on", 0, 1)
    builder.process("Switch").location("idle").edge("idle", "idle", effect="on = 1 - on")
    assert check(builder, "ltl: []<> (on == 1)", automaton="ta").verdict == "holds"
    assert check(builder, "ltl: <>[] (on == 1)", automaton="ta").verdict == "violated"
