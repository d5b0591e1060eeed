"""`beeline simulate`: the same seed gives the same walk, and a person can choose each step."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import MODELS, Beeline, Done

PHILOSOPHERS = MODELS / "philosophers.py"
PETERSON = MODELS / "peterson.py"


def test_the_same_seed_gives_the_same_walk(beeline: Beeline) -> None:
    walks = [beeline("simulate", PETERSON, "--seed", str(seed), "--steps", "30").out for seed in (1, 1, 2)]
    assert walks[0] == walks[1]
    assert walks[0] != walks[2]
    assert walks[0].count("\n") == 31, "a table with its head"


def test_a_walk_ends_where_no_step_is_possible(beeline: Beeline) -> None:
    done = beeline("simulate", PHILOSOPHERS, "--seed", "3", "--steps", "1000")
    assert done.code == 0
    assert done.out.splitlines()[-1].startswith("deadlock: no step is possible, and not at a valid end: phil[0] at ")


def test_a_walk_as_json_is_one_list_of_steps(beeline: Beeline) -> None:
    done = beeline("simulate", PETERSON, "--steps", "5", "--json")
    steps = json.loads(done.out)
    assert [step["step"] for step in steps] == [1, 2, 3, 4, 5]
    assert steps[0].keys() >= {"process", "action", "source", "changes"}
    assert done.err == ""


def test_an_error_ends_the_walk_and_exits_with_one(beeline: Beeline, model: Callable[[str], Path]) -> None:
    file = model(
        "from beeline import NetworkBuilder\n"
        'b = NetworkBuilder("b")\n'
        'b.variable("x", 0, 3)\n'
        'b.process("P").location("s").edge("s", "s", effect="x++")\n'
        "network = b\n"
    )
    done = beeline("simulate", file)
    assert done.code == 1
    assert done.out.splitlines()[-1].endswith("! value 4 outside 0..3")


@pytest.mark.parametrize(
    ("answers", "movers"),
    [
        ("0\n0\n0\n", ["P[0]", "P[0]", "P[0]"]),
        ("1\n1\n1\n", ["P[1]", "P[1]", "P[1]"]),
        ("0\n1\nq\n", ["P[0]", "P[1]"]),
        ("0\n1\n", ["P[0]", "P[1]"]),  # the end of the input
        ("nonsense\n7\n1\nq\n", ["P[1]"]),
        ("\nq\n", ["P[0]"]),  # the first is the default
        ("", []),
    ],
)
def test_a_person_chooses_the_steps(
    beeline: Beeline, monkeypatch: pytest.MonkeyPatch, answers: str, movers: list[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    done = beeline("simulate", PETERSON, "-i", "--steps", "3", "--json")
    assert done.code == 0
    assert [step["process"] for step in json.loads(done.out)] == movers
    assert "[0]  P[0]:  wants[me] = 1  wants[0]: 0 -> 1, P[0]: idle -> set" in done.err
    assert "[1]  P[1]:  wants[me] = 1  wants[1]: 0 -> 1, P[1]: idle -> set" in done.err
    if "nonsense" in answers:
        assert "no step says 'nonsense'" in done.err and "a number from 0 to 1, a text, or `help`" in done.err


def session(beeline: Beeline, monkeypatch: pytest.MonkeyPatch, file: Path, *said: str, **options: str) -> Done:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(said) + "\n"))
    return beeline("simulate", file, "-i", "--json", *(f"--{name}={value}" for name, value in options.items()))


def movers(done: Done) -> list[str]:
    return [step["process"] for step in json.loads(done.out)]


def test_steps_are_chosen_by_what_they_say(beeline: Beeline, monkeypatch: pytest.MonkeyPatch) -> None:
    done = session(beeline, monkeypatch, PETERSON, "P[1]", "p[0]: wants", "turn", "P[0]: turn", "q")
    assert movers(done) == ["P[1]", "P[0]", "P[0]"]
    assert "'turn' could be P[0]: turn = 1 - me; P[1]: turn = 1 - me" in done.err


def test_a_walk_goes_back_and_forth(beeline: Beeline, monkeypatch: pytest.MonkeyPatch) -> None:
    forth = ["0", "0", "1", "back 2", "1", "undo", "goto 1"]
    assert movers(session(beeline, monkeypatch, PETERSON, *forth, "q")) == ["P[0]"]
    assert movers(session(beeline, monkeypatch, PETERSON, "0", "1", "0", "goto 0", "goto 3", "q")) == [
        "P[0]",
        "P[1]",
        "P[0]",
    ]
    done = session(beeline, monkeypatch, PETERSON, "0", "goto 5", "goto x", "back y", "q")
    assert "there are 1 steps to go to, not 5" in done.err
    assert done.err.count("is no number of steps") == 2
    assert "this is the beginning" in session(beeline, monkeypatch, PETERSON, "back", "q").err


def test_the_state_can_be_printed(beeline: Beeline, monkeypatch: pytest.MonkeyPatch) -> None:
    done = session(beeline, monkeypatch, PETERSON, "0", "state wants", "print nothing", "q")
    assert "  wants[0]  1\n  wants[1]  0\n" in done.err
    assert "nothing in the state is called 'nothing'" in done.err
    bit = MODELS.parent / "promela" / "alternating_bit.pml"
    done = session(beeline, monkeypatch, bit, "3", "0", "state Sender", "q")
    assert "0, a text, or `help`" in done.err
    assert "  Sender         line 23\n" in done.err, "a place without a name is called by its line"


def test_a_walk_is_shown_saved_and_replayed(beeline: Beeline, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    saved = tmp_path / "walk.json"
    done = session(beeline, monkeypatch, PETERSON, "random 5", "trace", "chart", f"save {saved}", "save /no/where", "q")
    assert "step  process  action" in done.err and "│" in done.err
    assert "/no/where: No such file or directory" in done.err
    walked = movers(done)
    assert len(walked) == 5
    assert [line.split()[1] for line in beeline("simulate", PETERSON, "--replay", saved).out.splitlines()[1:]] == walked
    again = session(beeline, monkeypatch, PETERSON, "", "", "", "", "", "q", replay=str(saved))
    assert movers(again) == walked
    assert "next in the trace: " in again.err


def test_help_and_the_end_are_told(beeline: Beeline, monkeypatch: pytest.MonkeyPatch) -> None:
    done = session(beeline, monkeypatch, PETERSON, "help", "?", "q", steps="7")
    assert done.err.count("go to the state after step N") == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("active proctype P() { skip }", "the end: every process is at a valid end"),
        (
            "chan c = [0] of { byte }; active proctype P() { c!1 }",
            "deadlock: no step is possible, and not at a valid end: P at ",
        ),
        ("active proctype P() { end: false }", "the end: every process is at a valid end"),
    ],
)
def test_a_deadlock_is_told_from_a_proper_end(beeline: Beeline, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "m.pml"
    file.write_text(text)
    assert beeline("simulate", file).out.splitlines()[-1].startswith(said)


def test_spaces_written_in_python_can_be_walked_through(beeline: Beeline, monkeypatch: pytest.MonkeyPatch) -> None:
    done = beeline("simulate", MODELS / "jugs.py", "--steps", "4")
    assert len(done.out.splitlines()) == 5 and "state[0]: 0 -> 3" in done.out
    chosen = session(beeline, monkeypatch, MODELS / "jugs.py", "fill the small", "pour small", "q")
    assert [step["action"] for step in json.loads(chosen.out)] == ["fill the small jug", "pour small into large"]


@pytest.mark.parametrize("file", ["uppaal/fischer_b_3_faulty.xta", "promela/needham_schroeder.pml", "python/jugs.py"])
def test_counterexamples_are_replayed(beeline: Beeline, tmp_path: Path, file: str) -> None:
    model, result = MODELS.parent / file, tmp_path / "result.json"
    result.write_text(beeline("check", model, "--json").out)
    trace = json.loads(result.read_text())["trace"]
    walked = json.loads(beeline("simulate", model, "--replay", result, "--json").out)
    assert [step["action"] for step in walked if step["process"] != "time"] == [step["action"] for step in trace]
    result.write_text(json.dumps([{**trace[0], "process": "nobody", "changes": {"x": ["1", "2"]}}]))
    assert "is not a step of this model" in beeline("simulate", model, "--replay", result).err


def test_time_passes_as_long_as_one_likes(beeline: Beeline, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "late.xta"
    file.write_text("clock x; process P() { state a { x <= 4 }, b; init a; trans a -> b { guard x >= 3; }; } system P;")
    done = session(beeline, monkeypatch, file, "wait 3.25", "wait 2", "wait soon", "P", "q")
    assert json.loads(done.out)[0]["action"] == "passes for 3.25"
    assert movers(done) == ["time", "P"]
    assert "time cannot pass for 2 here" in done.err and "'soon' is no time to wait" in done.err
