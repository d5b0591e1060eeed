"""Certificates: what proves that nothing is reachable, as the reference interpreter sees it."""

from __future__ import annotations

import json
from pathlib import Path
from time import sleep

import pytest
from click.testing import CliRunner
from tests.networks import Sampler

from beeline import NetworkBuilder, explore
from beeline import check as check_model
from beeline.checking import Options
from beeline.cli.check import check
from beeline.engine import Limits
from beeline.languages import load
from beeline.model.property import Safety
from beeline.problems import Settings, certificate, problem_of
from beeline.problems.certificate import Refuted, check_closed, listed
from beeline.problems.networks import NetworkProblem
from beeline.problems.settings import Certificate
from beeline.report.verdicts import Case
from beeline.searches import find

MODELS = Path(__file__).parents[2] / "models"
LEADER = MODELS / "promela/leader.pml"
SETTINGS = Settings(find("bfs"))


def counter() -> NetworkBuilder:
    builder = NetworkBuilder("counter")
    builder.variable("x", 0, 3)
    builder.process("P").location("a").edge("a", "a", guard="x < 3", effect="x++")
    return builder


def test_a_closed_set_without_a_violation_is_a_proof() -> None:
    result = check_model(counter(), "x <= 3", certify=True)
    assert result.verdict == "holds"
    assert result.certificate is not None
    assert (result.certificate.states, result.certificate.steps) == (4, 3)


def test_a_goal_that_no_state_satisfies_has_a_certificate_too() -> None:
    result = check_model(counter(), "goal: x > 3", certify=True)
    assert (result.verdict, result.certificate is not None) == ("violated", True)


def test_a_trace_needs_no_certificate() -> None:
    result = check_model(counter(), "x < 2", certify=True)
    assert (result.verdict, result.certificate, result.certified()) == ("violated", None, "")


def test_what_was_taken_out_for_the_search_is_in_the_certificate() -> None:
    plain = check_model(LEADER, search="bfs", shrink="none")
    for options in (Options(), Options(reduce="stubborn", search="dfs"), Options(store="tree", search="bfs")):
        proof = check_model(LEADER, None, options, certify=True).certificate
        assert proof is not None
        assert proof.states >= plain.statistics.stored


@pytest.mark.parametrize(
    ("model", "asked", "said"),
    [
        (MODELS / "uppaal/fischer_b_3_faulty.xta", "A[] true", "without clocks"),
        (counter(), "ltl: <> x == 3", "endless runs"),
    ],
)
def test_others_say_why_they_have_none(model: object, asked: str, said: str) -> None:
    result = check_model(model, asked, certify=True)
    assert result.verdict == "holds"
    assert said in result.certificate_note


def test_a_set_that_lacks_a_state_is_refuted() -> None:
    problem = problem_of(load(LEADER), Safety("safety"))
    assert isinstance(problem, NetworkProblem)
    ready = problem.ready(SETTINGS)
    states = listed(ready)
    assert check_closed(problem, ready, states, SETTINGS) > len(states)
    for words in list(states)[:: len(states) // 20]:
        others = {one: None for one in states if one != words}
        with pytest.raises(Refuted):
            check_closed(problem, ready, others, SETTINGS)


@pytest.mark.parametrize(("asked", "said"), [("x < 2", "is sought"), ("deadlock", "deadlock")])
def test_a_set_with_a_violation_is_refuted(asked: str, said: str) -> None:
    network = counter().build()
    found = check_model(network, asked)
    problem = problem_of(network, found.property)
    assert isinstance(problem, NetworkProblem)
    with pytest.raises(Refuted, match=said):
        certificate.certify(problem, SETTINGS)


def test_a_refuted_proof_leaves_the_question_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "listed", lambda ready: dict(list(listed(ready).items())[:-1]))
    result = check_model(counter(), "x <= 3", certify=True)
    assert (result.verdict, result.reason) == ("unknown", "the certificate was refuted: a step leads out of it")


def test_a_time_limit_ends_the_proof_and_not_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "check_closed", lambda *_: sleep(60))
    result = check_model(counter(), "x <= 3", certify=True, limits=Limits(time=2.0))
    assert (result.verdict, result.certificate) == ("holds", None)
    assert result.certificate_note == "time limit while certifying"


def test_the_interpreter_confirms_what_holds_in_random_networks() -> None:
    """A wrong `holds` would be refuted. What is violated is refuted, too: the check does tell them apart."""
    confirmed = refuted = 0
    for seed in range(100):
        network = Sampler(seed).network()
        if not explore(network, limits=Limits(states=200)).complete:
            continue
        result = check_model(network, "safety", certify=True)
        if result.verdict == "holds":
            assert result.certificate is not None, (seed, result)
            confirmed += 1
        else:
            problem = problem_of(network, result.property)
            assert isinstance(problem, NetworkProblem)
            with pytest.raises(Refuted):
                certificate.certify(problem, SETTINGS)
            refuted += 1
    assert confirmed >= 5
    assert refuted >= 20


def test_every_report_tells_of_it(tmp_path: Path) -> None:
    said = str(Certificate(198, 387, 0.0))
    junit = tmp_path / "junit.xml"
    run = CliRunner().invoke(check, [str(LEADER), "--certify", "--json", "--junit", str(junit)])
    told = json.loads(run.stdout)
    assert (told["certificate"]["states"], told["certificate"]["steps"]) == (198, 387)
    assert told["certificate_text"] == f"certified: {said}"
    assert said in junit.read_text()
    assert said in CliRunner().invoke(check, [str(LEADER), "--certify"]).stdout
    result = check_model(LEADER, certify=True)
    assert said in result._repr_html_()
    assert said in Case.of("leader.pml", result, expected="violated").text, "what SARIF says of an unexpected answer"


def test_the_table_of_answers_says_which_are_certified() -> None:
    rows = CliRunner().invoke(check, [str(MODELS / "promela/elevator.pml"), "--certify"]).stdout
    assert "holds, certified" in rows
