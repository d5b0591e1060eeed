"""`beeline simulate`: the same seed gives the same walk, and a person can choose each step."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import MODELS, Beeline

PHILOSOPHERS = MODELS / "philosophers.py"
PETERSON = MODELS / "peterson.py"


def test_the_same_seed_gives_the_same_walk(beeline: Beeline) -> None:
    walks = [beeline("simulate", PETERSON, "--seed", str(seed), "--steps", "30").out for seed in (1, 1, 2)]
    assert walks[0] == walks[1]
    assert walks[0] != walks[2]
    assert walks[0].count("\n") == 30


def test_a_walk_ends_where_no_step_is_possible(beeline: Beeline) -> None:
    done = beeline("simulate", PHILOSOPHERS, "--seed", "3", "--steps", "1000")
    assert done.code == 0
    assert done.out.endswith("no step is possible\n")


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
    assert done.out.splitlines()[-1] == "      ! value 4 outside 0..3"


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
    assert "[0] P[0]: wants[me] = 1" in done.err
    assert "[1] P[1]: wants[me] = 1" in done.err
    if "nonsense" in answers:
        assert done.err.count("a number from 0 to 1, or q") == 2
