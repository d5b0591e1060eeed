"""The contract that scripts rely on: options, exit codes, and the fields of the JSON objects."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import MODELS, Beeline

import beeline as package

PHILOSOPHERS = MODELS / "philosophers.py"
PETERSON = MODELS / "peterson.py"
HUGE = """
from beeline import NetworkBuilder
builder = NetworkBuilder("huge")
builder.variable("x", 0, 9, size=8)
for i in range(8):
    process = builder.process(f"p{i}").location("s")
    process.edge("s", "s", guard=f"x[{i}] < 9", effect=f"x[{i}]++").edge("s", "s", guard="else", effect=f"x[{i}] = 0")
builder.invariant("small", "x[0] <= 9")
network = builder.build()
"""

Write = Callable[[str], Path]


def test_holds_exits_with_zero(beeline: Beeline) -> None:
    done = beeline("check", PETERSON, "--json")
    assert done.code == 0
    assert done.object["verdict"] == "holds"
    assert done.object["reason"] == "exhausted"
    assert done.object["trace"] is None
    assert done.object["trace_length"] is None
    assert done.err == ""


def test_violated_exits_with_one(beeline: Beeline) -> None:
    done = beeline("check", PHILOSOPHERS, "--json")
    assert done.code == 1
    assert (done.object["verdict"], done.object["reason"]) == ("violated", "deadlock")
    assert done.object["trace_length"] == len(done.object["trace"]) == 4


def test_a_handshake_counts_as_two_steps_if_asked(beeline: Beeline, model: Write) -> None:
    file = model("chan c = [0] of { byte }; active proctype A() { c!1; assert(false) } active proctype B() { c?_ }")
    assert "counterexample, 2 steps, the shortest" in beeline("check", file, "--language", "promela").out
    assert "counterexample, 3 moves in 2 steps" in beeline("check", file, "--language", "promela", "--two-step").out
    found = beeline("check", file, "--language", "promela", "--json").object
    assert (found["trace_length"], found["trace_moves"]) == (2, 3)


def test_the_object_of_a_check_has_all_fields(beeline: Beeline) -> None:
    found = beeline("check", PHILOSOPHERS, "--property", "safety", "--search", "bfs", "--json").object
    expected: dict[str, Any] = {
        "verdict": str,
        "reason": str,
        "property": str,
        "search": str,
        "heuristic": type(None),
        "reduction": str,
        "reduction_note": str,
        "shrinking": dict,
        "states": dict,
        "trace_length": int,
        "trace_moves": int,
        "trace": list,
        "time_s": float,
        "memory_bytes": int,
        "bytes_per_state": float,
        "version": str,
    }
    for name, kind in expected.items():
        assert isinstance(found[name], kind), name
    assert found["property"] == "safety"
    assert found["search"] == "bfs"
    assert found["version"] == package.__version__
    assert {"stored", "expanded", "generated"} <= found["states"].keys()
    assert all(isinstance(count, int) for count in found["states"].values())
    assert 0 < found["states"]["expanded"] <= found["states"]["stored"] <= found["states"]["generated"] + 1


def test_a_step_says_who_did_what_where_and_what_changed(beeline: Beeline) -> None:
    step = beeline("check", PHILOSOPHERS, "--search", "bfs", "--json").object["trace"][0]
    assert step["step"] == 1
    assert step["process"] == "phil[0]"
    assert step["action"] == "[!taken[left]] taken[left] = 1"
    assert step["source"]["file"].endswith("philosophers.py")
    assert "taken[left]" in PHILOSOPHERS.read_text().splitlines()[step["source"]["line"] - 1]
    assert step["changes"] == {"taken[0]": ["0", "1"], "phil[0]": ["thinks", "hungry"]}
    assert (step["partners"], step["output"], step["error"]) == ([], [], None)


def test_partners_of_a_synchronisation_are_listed(beeline: Beeline) -> None:
    done = beeline("check", MODELS / "river.py", "--property", "crossed", "--json")
    assert done.object["trace"][0]["partners"] == [{"process": "goat", "action": "goat_to_the_right"}]


def test_a_run_time_error_is_the_last_step(beeline: Beeline) -> None:
    found = beeline("check", MODELS / "alternating_bit.py", "-D", "FAULTY", "--json").object
    assert found["reason"] == "assertion failed: item == expected"
    assert found["trace"][-1]["error"] == "assertion failed: item == expected"
    assert found["trace"][-1]["changes"] == {}
    assert [step["error"] for step in found["trace"][:-1]] == [None] * 8


def test_the_object_of_an_exploration_has_all_fields(beeline: Beeline) -> None:
    done = beeline("explore", PHILOSOPHERS, "--json")
    assert done.code == 0
    assert done.err == ""
    found = done.object
    assert (found["states"], found["transitions"], found["depth"]) == (34, 88, 4)
    assert (found["deadlocks"], found["complete"]) == (1, True)
    for name, kind in {"time_s": float, "memory_bytes": int, "bytes_per_state": float}.items():
        assert isinstance(found[name], kind)


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        (["--max-states", "1000"], "state limit"),
        (["--max-depth", "3"], "depth limit"),
        (["--max-time", "0.05"], "time limit"),
        (["--max-memory", "1M"], "memory limit"),
    ],
)
@pytest.mark.parametrize("search", ["bfs", "dfs", "iddfs"])
def test_a_limit_gives_unknown_with_its_reason_and_exits_with_three(
    beeline: Beeline, model: Write, option: list[str], reason: str, search: str
) -> None:
    done = beeline("check", model(HUGE), "--search", search, "--shrink", "none", "--json", *option)
    assert done.code == 3
    assert done.object["verdict"] == "unknown"
    if reason == "memory limit":  # the tests themselves hold more: nothing is begun
        assert done.object["reason"].startswith(reason)
    else:
        assert done.object["reason"] == reason
        assert done.object["states"]["stored"] > 0
    assert done.object["trace"] is None


@pytest.mark.parametrize("option", [["--max-states", "1000"], ["--max-depth", "3"], ["--max-time", "0.05"]])
def test_an_exploration_that_reaches_a_limit_is_not_complete(beeline: Beeline, model: Write, option: list[str]) -> None:
    done = beeline("explore", model(HUGE), "--json", *option)
    assert done.code == 3
    assert done.object["complete"] is False
    assert done.object["reason"].endswith("limit")
    assert done.object["states"] > 0


def test_a_limit_that_is_not_reached_changes_nothing(beeline: Beeline) -> None:
    limits = ["--max-time", "60", "--max-memory", "1G", "--max-states", "1000", "--max-depth", "100"]
    assert beeline("check", PETERSON, "--json", *limits).object["verdict"] == "holds"


def test_a_violation_within_the_limit_is_still_found(beeline: Beeline) -> None:
    assert beeline("check", PHILOSOPHERS, "--max-depth", "4", "--json").code == 1
    assert beeline("check", PHILOSOPHERS, "--max-depth", "3", "--json").code == 3


def test_the_same_command_gives_the_same_result_but_for_times(beeline: Beeline) -> None:
    for search in ("bfs", "dfs", "random-dfs", "iddfs"):
        for file in (PHILOSOPHERS, MODELS / "alternating_bit.py", MODELS / "jugs.py"):
            command = ("check", file, "--search", search, "--seed", "7", "-D", "FAULTY", "--json")
            first, second = beeline(*command).object, beeline(*command).object
            for told in (first, second):
                assert told.pop("time_s") >= 0
                assert all(answer.pop("time_s") >= 0 for answer in told["answers"])
            assert first.pop("history").keys() == second.pop("history").keys()  # it is about times
            assert first == second


def test_another_seed_may_give_another_trace(beeline: Beeline) -> None:
    lengths = {
        beeline(
            "check", MODELS / "hanoi.py", "--property", "moved", "--search", "random-dfs", "--seed", str(seed), "--json"
        ).object["trace_length"]
        for seed in range(5)
    }
    assert len(lengths) > 1


@pytest.mark.parametrize(
    ("asked", "kind", "code"),
    [
        ("exclusion", "invariant", 0),
        ("entry", "goal", 0),
        ("safety", "safety", 0),
        ("deadlock", "deadlock", 0),
        ("A[] not deadlock", "deadlock", 0),
        ("turn <= 1", "invariant", 0),
        ("A[] turn <= 1", "invariant", 0),
        ("always: turn <= 1", "invariant", 0),
        ("E<> P[1]@critical", "goal", 0),
        ("reach: P[0].critical and P[1].critical", "goal", 1),
        ("wants[0] + wants[1] < 2", "invariant", 1),
    ],
)
def test_a_property_is_a_name_or_an_expression(beeline: Beeline, asked: str, kind: str, code: int) -> None:
    done = beeline("check", PETERSON, "--property", asked, "--json")
    assert (done.code, done.object["property_kind"]) == (code, kind)


def test_what_a_model_prints_does_not_disturb_the_result(beeline: Beeline, model: Write) -> None:
    talking = """
print("reading")
class Space:
    def initial(self): print("initial"); return 0
    def successors(self, state): print("at", state); return [state + 1] if state < 3 else []
space = Space()
"""
    done = beeline("check", model(talking), "--json")
    assert done.object["verdict"] == "holds"
    assert "reading" in done.err
    assert "at 3" in done.err


def test_a_users_space_may_say_why(beeline: Beeline) -> None:
    found = beeline("check", MODELS / "jugs.py", "--json").object
    assert (found["verdict"], found["reason"], found["property"]) == ("violated", "4 litres", "safety")
    assert found["trace"][0]["action"] == "fill the large jug"


def test_for_people_the_result_is_a_table(beeline: Beeline) -> None:
    done = beeline("check", PHILOSOPHERS)
    assert done.code == 1
    assert done.out.startswith("safety: VIOLATED (deadlock)\n\ncounterexample, 4 steps, the shortest possible:\n")
    assert "44 states stored, 62 expanded" in done.out
    assert done.err == ""
    answers = [re.split(r" {2,}", line) for line in beeline("check", PETERSON).out.splitlines()[:3]]
    assert [row[:-1] for row in answers] == [
        ["name", "question", "answer", "steps", "states"],
        ["exclusion", "!(P[0]@critical && P[1]@critical)", "holds", "20"],
        ["entry", "P[0]@critical", "holds (goal reached)", "3", "6"],
    ]
    assert beeline("check", PETERSON, "--property", "entry").out.startswith("entry: holds (goal reached)\n\nwitness")
    assert beeline("explore", PHILOSOPHERS).out.startswith("34 states, 88 transitions: complete\n")


def test_a_trace_can_be_drawn(beeline: Beeline, tmp_path: Path) -> None:
    drawing = tmp_path / "trace.dot"
    assert beeline("check", PHILOSOPHERS, "--dot", drawing).code == 1
    text = drawing.read_text()
    assert text.startswith("digraph trace {")
    assert text.count("->") >= 4
    assert text.endswith("}\n")


def test_a_trace_can_be_a_chart(beeline: Beeline) -> None:
    lines = beeline("check", PHILOSOPHERS, "--chart").out.splitlines()
    assert lines[4].split() == ["phil[3]", "phil[2]", "phil[0]", "phil[1]"]


def test_without_a_trace_nothing_is_drawn(beeline: Beeline, tmp_path: Path) -> None:
    drawing = tmp_path / "trace.dot"
    assert beeline("check", PETERSON, "--dot", drawing).code == 0
    assert not drawing.exists()


def test_list_names_searches_heuristics_and_languages(beeline: Beeline) -> None:
    done = beeline("list")
    assert done.code == 0
    for word in ("searches", "heuristics", "languages", "bfs", "dfs", "python", "promela", "promises: shortest"):
        assert word in done.out
    found = beeline("list", "--json").object
    bfs = next(search for search in found["searches"] if search["name"] == "bfs")
    assert bfs["promises"] == ["shortest", "complete"]
    assert bfs["paper"]
    assert {language["name"] for language in found["languages"]} >= {"python", "promela", "dve", "uppaal"}


@pytest.mark.parametrize("command", [["--help"], ["check", "--help"], ["explore", "-h"], ["--version"]])
def test_help_and_version_exit_with_zero(beeline: Beeline, command: list[str]) -> None:
    done = beeline(*command)
    assert done.code == 0
    assert done.out


def test_zones_are_shown_on_request_and_refused_without_clocks(beeline: Beeline) -> None:
    timed = MODELS.parent / "uppaal" / "fischer_b_3_faulty.xta"
    found = beeline("check", timed, "--zones", "--extrapolation", "m", "--merge-zones", "--json").object
    assert found["verdict"] == "violated" and all(step["zone"] for step in found["trace"])
    assert "\nzones:\n   0  " in beeline("check", timed, "--zones").out
    plain = beeline("check", MODELS / "peterson.py", "--zones")
    assert plain.code == 2 and "has no clocks" in plain.err


def test_a_space_that_prints_while_its_graph_is_made_does_not_disturb_the_object(
    beeline: Beeline, tmp_path: Path
) -> None:
    file = tmp_path / "loud.py"
    file.write_text(
        "class Loud:\n    def initial(self): return 0\n"
        "    def successors(self, state):\n        print('hello')\n        return [(state + 1) % 4]\n"
        "    def violates(self, state): return state == 3\n"
        "space = Loud()\n"
    )
    found = beeline("check", file, "--json", "--graph").object
    assert found["graph"]["path"] == [0, 1, 2, 3]


def test_threads_are_told_of_and_refused_where_a_search_cannot_use_them(beeline: Beeline) -> None:
    assert beeline("explore", PHILOSOPHERS, "--threads", "2", "--json").object["threads"] == 2
    assert beeline("check", PHILOSOPHERS, "--search", "bfs", "--threads", "2", "--json").object["threads"] == 2
    assert beeline("check", PHILOSOPHERS, "--threads", "2", "--json").object["threads"] == 2
    done = beeline("check", PHILOSOPHERS, "--search", "dfs", "--threads", "2")
    assert done.code == 2
    assert "dfs works with one thread; several can share the work of: astar, auto, bfs, greedy" in done.err


def test_several_answers_are_lines_for_people_and_lists_for_programs(beeline: Beeline, tmp_path: Path) -> None:
    file = tmp_path / "asks.pml"
    file.write_text(
        "byte x; active proctype P() { do :: x < 3 -> x++ :: else -> x = 0 od }\n"
        "ltl low { [] (x < 2) } ltl high { [] <> (x == 3) }\n"
    )
    done = beeline("check", file, "--json")
    assert (done.code, done.object["schema"]) == (1, 2)
    assert [answer["verdict"] for answer in done.object["answers"]] == ["holds", "violated", "holds"]
    assert done.object["property"] == "low" and done.object["trace_length"] == 5
    assert [other["property"] for other in done.object["others"]] == ["assertions", "high"]
    lines = beeline("check", file).out.splitlines()
    assert lines[3].startswith("high        []<>(x == 3)  ") and lines[3].split()[4] == "holds"
    assert lines[-1] == "not asked: deadlock (--property NAME asks)"
    assert beeline("check", file, "--property", "low").out.endswith(
        "not asked: assertions, high (--property NAME asks)\n"
    )
    assert beeline("check", file, "--property", "high").code == 0
    assert beeline("check", file, "--property", "assertions").code == 0
