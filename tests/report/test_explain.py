"""Explanations name the parts of the question, their values, and who wrote them last."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from beeline.checking import check
from beeline.languages import LoadOptions, load
from beeline.model.builder import NetworkBuilder
from beeline.report.explain import explain
from beeline.report.explanation import Explanation, to_json, to_text

MODELS = Path(__file__).parents[2] / "models"


def explained(model: Any, asked: str | None = None) -> Explanation:
    why = explain(model, check(model, asked))
    assert why is not None
    return why


def promela(tmp_path: Path, text: str) -> Any:
    path = tmp_path / "model.pml"
    path.write_text(text)
    return load(path)


def test_an_invariant_is_taken_apart_with_the_last_writes(tmp_path: Path) -> None:
    model = promela(
        tmp_path,
        """
        byte x, y, z;
        active proctype P() { x = 1; y = 2; x = 3 }
        """,
    )
    why = explained(model, "x < 3 || y == 0 || z > 0")
    assert [(part.text, part.value, part.reads) for part in why.parts[1:]] == [
        ("x < 3", False, {"x": "3"}),
        ("y == 0", False, {"y": "2"}),
        ("z > 0", False, {"z": "0"}),
    ]
    assert [(one.name, one.value, one.step) for one in why.writes] == [("x", "3", 3), ("y", "2", 2), ("z", "0", 0)]
    assert why.writes[0].process.startswith("P") and why.writes[0].source.line == 3


def test_a_goal_is_explained_as_true(tmp_path: Path) -> None:
    model = promela(tmp_path, "byte x; active proctype P() { x = 1; x = 2 }")
    why = explained(model, "E<> x == 2")
    assert "is true" in why.headline
    assert why.parts[0].value is True


def test_a_quantifier_shows_the_instances_that_decide() -> None:
    builder = NetworkBuilder("cells")
    builder.variable("a", 0, 3, size=3)
    builder.process("P").location("s").location("t").edge("s", "t", effect="a[1] = 2")
    why = explained(builder.build(), "forall (i : 0..2) a[i] < 2")
    assert [(part.text, part.reads) for part in why.parts[1:]] == [("a[1] < 2", {"a[1]": "2"})]


def test_a_failed_assertion_shows_the_values_it_saw(tmp_path: Path) -> None:
    model = promela(
        tmp_path,
        """
        byte x;
        active proctype P() { byte mine = 4; d_step { x = 7; assert(x < mine) } }
        """,
    )
    why = explained(model)
    assert why.parts[0].value is False
    assert why.parts[0].reads["x"] == "7"
    assert "4" in why.parts[0].reads.values()


def test_a_deadlock_says_who_waits_for_what(tmp_path: Path) -> None:
    model = promela(
        tmp_path,
        """
        chan q = [1] of { byte }; chan r = [0] of { byte }; chan s = [1] of { byte };
        byte x;
        active proctype A() { q!1; q!2 }
        active proctype B() { r!1 }
        active proctype C() { byte y; s?y }
        active proctype D() { x == 5 }
        """,
    )
    text = to_text(explained(model, "deadlock"))
    assert "q is full: [1]" in text
    assert "nobody is ready to receive from r" in text
    assert "s is empty" in text
    assert "x == 5 is false (x = 0)" in text


def test_timed_traces_are_explained_with_their_clocks() -> None:
    model = load(MODELS / "uppaal" / "fischer_b_3_faulty.xta")
    why = explained(model)
    assert {name for part in why.parts for name in part.reads} == {"P(1)", "P(2)"}
    assert explained(model, "A[] P(1).x <= 3").parts[0].value is False


@pytest.mark.parametrize(
    ("asked", "headline"),
    [
        ("A<> P(1).cs", "after 0 steps time passes, and nothing else, for ever, and never is 'P(1)@cs' true"),
        ("E[] P(1).x <= 2", "what comes after step 1 is repeated for ever, and never is '!(P(1).x <= 2)' true"),
        ("P(1).cs --> id == 3", "and never after 'P(1)@cs' is 'id == 3' true"),
    ],
)
def test_runs_without_end_are_explained(asked: str, headline: str) -> None:
    assert explained(load(MODELS / "uppaal" / "fischer_b_3_faulty.xta"), asked).headline.endswith(headline)


@pytest.mark.parametrize(
    ("model", "defines"), [("alternating_bit.pml", {"FAULTY": "1"}), ("philosophers.pml", {}), ("marriers.pml", {})]
)
def test_models_of_the_project_have_explanations(model: str, defines: dict[str, str]) -> None:
    network = load(MODELS / "promela" / model, None, LoadOptions(defines))
    result = check(network)
    why = explain(network, result)
    if result.trace is None:
        assert why is None
    else:
        assert why is not None and why.writes
        assert to_json(why)["headline"] == why.headline


def test_a_space_of_ones_own_shows_its_last_state() -> None:
    why = explained(load(MODELS / "python" / "jugs.py"))
    assert "4 litres" in why.headline
    assert [part.text for part in why.parts] == ["state[0] = 3", "state[1] = 4"]


def test_a_write_that_changes_nothing_is_a_write(tmp_path: Path) -> None:
    model = promela(
        tmp_path,
        """
        chan q = [1] of { byte };
        byte x, y;
        active proctype P() { x = 1; y = 1; x = 1; q!0; q?y; q!0; q?y; assert(x + y > 1) }
        """,
    )
    assert {one.name: one.step for one in explained(model).writes} == {"x": 3, "y": 7}


def test_a_timed_deadlock_shows_the_clocks(tmp_path: Path) -> None:
    path = tmp_path / "late.xta"
    path.write_text(
        """
        chan c;
        process P() { clock x; state a, b; init a; trans a -> b { guard x < 1; sync c!; }; }
        process Q() { state a, b; init a; trans a -> b { sync c?; }; }
        One = P(); Two = Q();
        system One, Two;
        """
    )
    text = to_text(explained(load(path), "deadlock"))
    assert "its clock guard does not hold (One.x = 1)" in text
    assert "nobody is ready to send to c" in text


def test_causes_are_followed_backwards(tmp_path: Path) -> None:
    model = promela(
        tmp_path,
        """
        byte seed, x, y, noise; chan q = [2] of { byte };
        active proctype A() { seed = 3; noise = 1; x = seed + 1; noise = 2; q!x }
        active proctype B() { q?y; noise = 3; assert(y == 0) }
        """,
    )
    why = explained(model)
    assert [(one.process, dict(one.wrote), dict(one.read)) for one in why.causes] == [
        ("B", {"y": "4"}, {"q": "[4]"}),
        ("A", {"q": "[4]"}, {"x": "4"}),
        ("A", {"x": "4"}, {"seed": "3"}),
        ("A", {"seed": "3"}, {}),
    ]
    assert [one.step for one in why.causes] == sorted((one.step for one in why.causes), reverse=True)
    assert "and how that came about, backwards:" in to_text(why)
    assert to_json(why)["causes"][0]["wrote"] == {"y": "4"}


def test_a_chain_that_says_nothing_new_is_not_shown() -> None:
    why = explained(load(MODELS / "python" / "philosophers.py"))
    assert why.causes and "came about" not in to_text(why)


def test_a_loop_of_causes_ends(tmp_path: Path) -> None:
    model = promela(tmp_path, "byte x; active proctype P() { do :: x < 60 -> x++ :: else -> assert(x == 0) od }")
    steps = [one.step for one in explained(model).causes]
    assert 2 < len(steps) <= 15 and len(set(steps)) == len(steps)


WAITING = """
    byte waiting, served;
    active proctype P() {
        do :: waiting = 1; if :: served = 1; waiting = 0; served = 0 :: skip; do :: skip; skip od fi od
    }
"""


@pytest.mark.parametrize(
    ("formula", "headline"),
    [
        (
            "[] (waiting == 1 -> <> (served == 1))",
            "after step 1 'waiting==1' holds and '<>(served==1)' never comes: served==1 is false in all 2 states",
        ),
        ("[] <> (served == 1)", "at the start '<>(served==1)' never comes: served==1 is false in all 2 states of"),
        ("<> [] (served == 1)", "at the start '<>[](served==1)' never comes: [](served==1) is false in all "),
        ("!<> [] (waiting == 1)", "after step 1 '[](waiting==1)' is true: waiting==1 is true in all 2 states of"),
        ("<> (served == 1) && <> (waiting == 0)", "at the start '<>(served==1)' never comes: served==1 is false in"),
        ("true U (served == 1)", "at the start 'true U (served==1)' is false: served==1 is false in all 2 states"),
        ("<> (served == 1) || (waiting == 0) U (served == 2)", "at the start '<>(served==1) || ("),
    ],
)
def test_a_formula_says_what_it_waits_for(tmp_path: Path, formula: str, headline: str) -> None:
    why = explained(promela(tmp_path, f"{WAITING} ltl p {{ {formula} }}"), "p")
    assert why.headline.startswith(headline)
    assert why.parts[0].value is False and why.parts[0].when == "at the start"


def test_the_parts_of_a_formula_lead_to_what_is_never_true(tmp_path: Path) -> None:
    why = explained(promela(tmp_path, f"{WAITING} ltl p {{ [] (waiting == 1 -> <> (served == 1)) }}"), "p")
    assert [(part.value, part.when, part.depth) for part in why.parts] == [
        (False, "at the start", 0),
        (False, "after step 1", 1),
        (True, "after step 1", 2),
        (False, "after step 1", 2),
        (False, "after step 2 and ever after", 3),
    ]
    assert why.parts[2].reads == {"waiting": "1"} and why.parts[4].reads == {"served": "0"}
    assert to_json(why)["parts"][4]["when"] == "after step 2 and ever after"
    assert "served==1                     false after step 2 and ever after   served = 0" in to_text(why)
    assert [(one.name, one.step) for one in why.writes] == [("waiting", 1), ("served", 0)]


def test_what_alternates_on_the_cycle_is_not_said_to_stay(tmp_path: Path) -> None:
    model = promela(tmp_path, "byte x; active proctype P() { do :: x = 1; x = 0 od } ltl p { <> (x == 1 && x == 0) }")
    why = explained(model, "p")
    assert "is false in all 2 states of the cycle" in why.headline
    assert ["ever after" in part.when for part in why.parts] == [False, True, False]


def test_a_run_that_comes_to_rest_says_who_waits(tmp_path: Path) -> None:
    model = promela(tmp_path, "byte x; active proctype P() { x = 1; x == 2 } ltl p { <> (x == 2) }")
    why = explained(model, "p")
    assert why.headline.endswith("x==2 is false in the last state, in which the run stays")
    assert [wait.process for wait in why.waits] == ["P"]


def test_other_cycles_say_from_where_they_repeat(tmp_path: Path) -> None:
    text = "byte x; active proctype P() { x = 1; do :: x = 2; x = 1 od } active proctype Q() { progress: skip }"
    why = explained(promela(tmp_path, text), "progress")
    assert why.headline == "what comes after step 2 is repeated for ever: non-progress cycle"


class Queue:
    """A state is who waits."""

    def initial(self) -> str:
        return "nobody"

    def successors(self, state: str) -> list[tuple[str, str]]:
        return [("ask", "one")] if state == "nobody" else [("stay", "one"), ("serve", "nobody")]

    def waiting(self, state: str) -> bool:
        return state == "one"

    def served(self, state: str) -> bool:
        return state == "nobody"


def test_a_formula_about_a_space_in_python_is_explained_by_its_states() -> None:
    why = explained(Queue(), "ltl: [] (waiting -> <> served)")
    assert why.headline.startswith(
        "after step 1 'waiting' holds and '<>served' never comes: served is false in the only"
    )
    assert why.parts[-1].reads == {"state": "'one'"}


def test_guards_that_let_two_in_are_taken_apart_as_they_were() -> None:
    network = load(MODELS / "python" / "peterson.py", None, LoadOptions({"FAULTY": "1"}))
    why = explained(network, "exclusion")
    assert [(entry.step, entry.location) for entry in why.entries] == [(4, "critical"), (6, "critical")]
    assert {entry.process for entry in why.entries} == {"P[0]", "P[1]"}  # alike: either may be the first
    first, second = ([(part.text, part.value) for part in entry.parts[1:]] for entry in why.entries)
    assert first == [("!wants[1 - me]", True), ("turn == me", False)]
    assert second == [("!wants[1 - me]", False), ("turn == me", True)]
    assert f"who let them in:\n  step 4, {why.entries[0].process} to critical: " in to_text(why)


def test_clocks_are_among_what_lets_one_in() -> None:
    why = explained(load(MODELS / "uppaal" / "fischer_b_3_faulty.xta"))
    first = why.entries[0]
    number = first.process[2:-1]  # of P(1) to P(3), which are alike
    assert [(part.text, part.value, part.reads) for part in first.parts] == [
        (f"id == {number}", True, {"id": number}),
        (f"P({number}).x >= 2", True, {f"P({number}).x": "2"}),
    ]


def test_a_way_in_without_a_guard_is_named(tmp_path: Path) -> None:
    path = tmp_path / "open.xta"
    path.write_text("process P() { state a, b; init a; trans a -> b { }; } A = P(); B = P(); system A, B;")
    assert "without a guard: nothing keeps it out" in to_text(explained(load(path), "A[] not (A.b and B.b)"))


def test_time_is_nobodys_write(tmp_path: Path) -> None:
    path = tmp_path / "clocks.xta"
    path.write_text(
        "clock x, y; process P() { state a { x <= 5 }; init a; trans a -> a { guard x >= 2; assign x = 0; }; }system P;"
    )
    model = load(path)
    assert [(one.name, one.step) for one in explained(model, "A[] y < 7").writes] == [("y", 0)]
    text = to_text(explained(model, "A[] y < 7 or x < 3"))
    assert "x = 5   set to 0 by step 1, " in text and "and time passed since" in text


def test_provided_clauses_are_among_what_is_missing(tmp_path: Path) -> None:
    model = promela(
        tmp_path,
        """
        byte turn;
        active proctype A() provided (turn == 0) { turn = 1; turn = 0 }
        active proctype B() provided (turn == 1) { turn = 2; turn = 0 }
        """,
    )
    why = explained(model, "deadlock")
    text = to_text(why)
    assert "turn = 0: provided (turn == 0) is false (turn = 2)" in text
    assert "A stands at line 3" in text
    assert [one.name for one in why.writes] == ["turn"], "places without a name are no news"


def test_a_timeout_says_what_the_others_waited_for(tmp_path: Path) -> None:
    model = promela(
        tmp_path,
        """
        mtype = { idle, busy };
        mtype phase = idle; chan c = [1] of { mtype };
        active proctype A() { phase = busy; c!idle; c!busy }
        active proctype B() { timeout; assert(phase != busy) }
        """,
    )
    why = explained(model)
    assert [(one.step, one.process) for one in why.timeouts] == [(3, "B")]
    assert why.timeouts[0].parts[0].text == "A at line 4: c!busy"
    assert why.timeouts[0].parts[0].when == "c is full: [idle]"
    assert why.parts[0].text == "phase != busy", "members of mtype are called by their names"


def test_enumerations_of_other_languages_have_names_too() -> None:
    builder = NetworkBuilder("lights")
    builder.enumeration("light", ["red", "green"])
    builder.process("P").location("s").location("t").edge("s", "t", effect="light = green")
    assert explained(builder.build(), "light != green").parts[0].text == "light != green"


def test_cycles_are_explained_by_the_labels_that_they_pass_or_do_not(tmp_path: Path) -> None:
    idle = promela(tmp_path, "byte x; active proctype P() { do :: x = 1 - x :: x == 1 -> progress: x = 0 od }")
    assert [(one.text, one.value) for one in explained(idle, "progress").parts] == [("passes progress (line 1)", False)]
    busy = promela(tmp_path, "byte x; active proctype P() { do :: x = 1 - x; accept: skip od }")
    assert [(one.text, one.value) for one in explained(busy, "acceptance").parts] == [("passes accept (line 1)", True)]
    assert explained(busy, "acceptance").headline.startswith("the whole run is repeated for ever")
