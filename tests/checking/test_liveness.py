"""Questions about runs that go on for ever, asked as users ask them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.programs import promela

from beeline import NetworkBuilder, check
from beeline.checking import Result, check_all
from beeline.languages.uppaal import load_text
from beeline.model.source import BeelineError

TURNS = """
byte x;
active proctype P() { do :: x = 1 :: x = 0 od }
active proctype Q() { do :: x == 1 -> x = 2 od }
ltl often { []<> (x == 2) }
ltl bounded { [] (x < 3) }
ltl leaves { [] (x == 1 -> <> (x != 1)) }
"""


def verdicts(results: tuple[Result, ...]) -> dict[str, str]:
    return {result.property.name: result.verdict for result in results}


@pytest.mark.parametrize("search", ["auto", "ndfs", "scc", "bfs", "astar", "greedy", "dfs"])
def test_every_formula_of_a_file_is_answered_by_every_search(search: str, tmp_path: Path) -> None:
    answers = verdicts(check_all(promela(tmp_path, TURNS), search=search))
    assert answers == {"assertions": "holds", "often": "violated", "bounded": "holds", "leaves": "violated"}


def test_fairness_decides(tmp_path: Path) -> None:
    network = promela(tmp_path, TURNS)
    for fairness in ("weak", "strong"):  # Q's test sees 1, its step may come at 0
        answers = verdicts(check_all(network, ["often", "leaves"], fairness=fairness))
        assert answers == {"often": "violated", "leaves": "holds"}


def test_strong_fairness_excludes_more_than_weak(tmp_path: Path) -> None:
    network = promela(
        tmp_path,
        """
        bit open; bool done;
        active proctype Door() { do :: open = 1 - open od }
        active proctype Guest() { open == 1 -> done = true }
        ltl enters { <> done }
        """,
    )
    answers = [check(network, "enters", fairness=fairness).verdict for fairness in ("none", "weak", "strong")]
    assert answers == ["violated", "violated", "holds"]


def test_a_lasso_comes_back_to_the_very_same_state(tmp_path: Path) -> None:
    result = check(promela(tmp_path, TURNS), "often")
    trace = result.trace
    assert trace is not None and trace.cycle is not None
    assert trace.states[trace.cycle] == trace.states[-1]
    assert len(trace) == 2 and "goes on for ever" in result.reason


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("[]<> (x == 2)", "'x == 2' never comes"),
        ("<>[] (x == 2)", "'x == 2' does not stay: it is false at the start"),
        ("[] (x == 1 -> <> (x == 2))", "'x == 2' never comes"),
        ("(x == 0) U (x == 2)", "'x == 2' never comes"),
        ("<> (x == 2) || []<> (x == 1)", ""),
    ],
)
def test_a_lasso_tells_which_promise_it_breaks_in_every_turn(formula: str, said: str, tmp_path: Path) -> None:
    text = "byte x; active proctype P() { do :: x == 0 -> skip :: x < 2 -> x++ :: x == 1 -> x = 0 od }"
    result = check(promela(tmp_path, text), f"ltl: {formula}")
    assert result.trace is not None and result.trace.promise == said


def test_a_run_that_comes_to_rest_violates_what_it_never_did(tmp_path: Path) -> None:
    result = check(promela(tmp_path, "byte x; active proctype P() { x = 1; x = 2 } ltl f { <> (x == 3) }"), "f")
    assert result.trace is not None
    assert (result.verdict, result.reason) == ("violated", "violated by a run that comes to rest")
    assert result.trace.cycle == len(result.trace)
    assert result.trace.promise == "'x==3' never comes"


def test_labels_are_asked_about_too(tmp_path: Path) -> None:
    network = promela(
        tmp_path,
        """
        byte x;
        active proctype P() { do :: x == 0 -> accept: x = 1 :: x == 1 -> progress: x = 0 :: x == 1 -> skip od }
        """,
    )
    results = {result.property.name: result for result in check_all(network)}
    assert {name: result.verdict for name, result in results.items()} == {
        "safety": "holds",
        "acceptance": "violated",
        "progress": "violated",
    }
    assert results["acceptance"].reason == "acceptance cycle"
    assert results["progress"].reason == "non-progress cycle"


def test_a_process_that_rests_at_an_accept_label_stays_there_for_ever(tmp_path: Path) -> None:
    result = check(promela(tmp_path, "active proctype P() { skip; accept: false }"), "acceptance")
    assert result.verdict == "violated" and result.trace is not None
    assert result.trace.cycle == len(result.trace) == 1


def test_never_claims_with_accept_labels_are_checked(tmp_path: Path) -> None:
    claim = "never { T0: do :: true :: x == 1 -> goto accept od; accept: do :: x == 1 od }"
    network = promela(tmp_path, f"byte x; active proctype P() {{ do :: x = 1 :: x = 0 od }} {claim}")
    result = check(network, "claim")
    assert (result.verdict, result.reason) == ("violated", "acceptance cycle")


def test_formulas_from_outside_speak_of_networks_built_in_python() -> None:
    builder = NetworkBuilder("light")
    builder.variable("on", 0, 1)
    builder.process("Switch").location("idle").edge("idle", "idle", effect="on = 1 - on")
    assert check(builder, "ltl: []<> (on == 1)").verdict == "holds"
    result = check(builder, "ltl: <>[] (on == 1)")
    assert result.verdict == "violated" and result.trace is not None and result.trace.cycle is not None


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("A<> on == 1", "holds"),
        ("A<> on == 2", "violated"),
        ("E[] on <= 1", "holds"),
        ("E[] on == 0", "violated"),
        ("on == 0 --> on == 1", "holds"),
        ("on == 0 --> on == 2", "violated"),
    ],
)
def test_questions_about_all_runs_are_formulas_where_there_are_no_clocks(question: str, verdict: str) -> None:
    builder = NetworkBuilder("light")
    builder.variable("on", 0, 2)
    builder.process("Switch").location("idle").edge("idle", "idle", effect="on = 1 - on")
    result = check(builder, question)
    assert result.verdict == verdict
    assert (result.trace is not None) == ((verdict == "holds") == question.startswith("E"))


@pytest.mark.parametrize(
    ("text", "said"),
    [("ltl: [] (nothing == 1)", "nothing"), ("ltl: [] (", "not closed"), ("ltl:", "formula")],
)
def test_a_formula_that_cannot_be_read_is_an_error_with_its_place(text: str, said: str) -> None:
    builder = NetworkBuilder("light")
    builder.variable("on", 0, 1)
    builder.process("Switch").location("idle").edge("idle", "idle", effect="on = 1 - on")
    with pytest.raises(BeelineError, match=said):
        check(builder, text)


class Queue:
    """Somebody waits, and is served or passed over."""

    def initial(self) -> int:
        return 0

    def successors(self, state: int) -> list[tuple[str, int]]:
        return {0: [("come", 1)], 1: [("serve", 0), ("pass over", 2)], 2: [("again", 1)], 3: []}[state]

    def waiting(self, state: int) -> bool:
        return state in (1, 2)

    def served(self, state: int) -> bool:
        return state == 0


@pytest.mark.parametrize("search", ["auto", "ndfs", "scc", "bfs"])
def test_spaces_written_in_python_have_their_methods_as_propositions(search: str) -> None:
    result = check(Queue(), "ltl: [] (waiting -> <> served)", search=search)
    assert result.verdict == "violated" and result.trace is not None
    assert [step.action for step in result.trace.steps[result.trace.cycle :]] in (
        ["pass over", "again"],
        ["again", "pass over"],
    )
    assert check(Queue(), "ltl: [] (waiting || served)", search=search).verdict == "holds"


@pytest.mark.parametrize("search", ["auto", "ndfs", "scc", "bfs"])
def test_the_cycle_of_a_space_begins_where_its_states_first_come_back(search: str) -> None:
    class Stuck:
        def initial(self) -> int:
            return 0

        def successors(self, state: int) -> list[tuple[str, int]]:
            return [("stay", 1)] if state else [("begin", 1)]

        def begun(self, state: int) -> bool:
            return state == 1

        def ended(self, state: int) -> bool:
            return state == 2

    trace = check(Stuck(), "ltl: [] (begun -> <> ended)", search=search).trace
    assert trace is not None
    assert ([step.action for step in trace.steps], trace.cycle) == (["begin", "stay"], 1)


def test_a_proposition_that_a_space_lacks_is_an_error() -> None:
    with pytest.raises(BeelineError, match="the space has no method 'waits'"):
        check(Queue(), "ltl: [] waits")


def test_what_a_search_for_cycles_cannot_do_is_refused(tmp_path: Path) -> None:
    network = promela(tmp_path, TURNS)
    options: list[dict[str, Any]] = [
        {"search": "bfs", "fairness": "weak"},
        {"search": "ndfs", "fairness": "weak"},
        {"search": "astar", "heuristic": "hL"},
        {"fairness": "some"},
    ]
    for option in options:
        with pytest.raises(BeelineError):
            check(network, "often", **option)


@pytest.mark.parametrize("asked", ["ctl: AG EF x == 1", "mu: nu X . <true> X", "P.a --> P.b", "A<> P.b"])
def test_fairness_is_refused_where_it_would_be_passed_over(tmp_path: Path, asked: str) -> None:
    network: object = promela(tmp_path, TURNS)
    if "P." in asked:
        network = load_text("clock c; process P() { state a, b; init a; trans a -> b { guard c > 1; }; } system P;")
    with pytest.raises(BeelineError, match="fair"):
        check(network, asked, fairness="weak")


def test_a_limit_leaves_the_question_open(tmp_path: Path) -> None:
    from beeline import Limits

    text = "byte x, y; active proctype P() { do :: x++ :: y++ od } ltl f { <>[] (x == 300) -> [] (x < 300) }"
    result = check(promela(tmp_path, text), "f", search="ndfs", limits=Limits(states=100))
    assert result.verdict == "unknown"


def test_several_threads_may_be_asked_for_whether_a_search_shares_its_work_or_not(tmp_path: Path) -> None:
    network = promela(tmp_path, TURNS)
    assert verdicts(check_all(network, threads=2)) == verdicts(check_all(network))
