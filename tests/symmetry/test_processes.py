"""Processes that are alike are found in Promela, DVE, UPPAAL and Python, and searches that fold them say what plain
search says."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.conformance.symmetric_networks import network_differences, read, symmetric_network_of, verdicts_differ

from beeline import check, explore
from beeline.languages import LoadOptions, load
from beeline.model.builder import NetworkBuilder
from beeline.model.network import Network
from beeline.symmetry.found import find_symmetries

PROGRAMS = int(os.environ.get("BEELINE_SYMMETRY", "20"))
"""All 2,000: ``BEELINE_SYMMETRY=2000 pytest tests/symmetry``."""


@pytest.mark.parametrize("first", range(0, PROGRAMS, 10))
def test_processes_that_are_alike_can_be_taken_for_one(first: int) -> None:
    found = [network_differences(symmetric_network_of(seed)) for seed in range(first, first + 10)]
    assert [difference for _, difference in found if difference] == []
    assert Counter(became for became, _ in found)["agrees"] >= 1


def users(count: int, effect: str = "turn = me") -> Network:
    builder = NetworkBuilder("users")
    builder.variable("turn", low=0, high=count - 1)
    builder.variable("flag", low=0, high=1, size=count)
    user = builder.process("U", parameters={"me": (0, count - 1)})
    user.location("idle").location("trying").location("critical")
    user.edge("idle", "trying", effect="flag[me] = 1")
    user.edge("trying", "critical", guard="turn == me", effect=effect)
    user.edge("critical", "idle", effect="flag[me] = 0")
    user.edge("trying", "trying", effect=effect)
    for me in range(count):
        builder.start("U", me=me)
    return builder.build()


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_processes_of_python_networks_are_alike(count: int) -> None:
    network = users(count)
    plain, exact = explore(network), explore(network, symmetry="exact")
    assert exact.symmetry_note.startswith(f"{(2, 6, 24, 120)[count - 2]} ways")
    assert exact.statistics.stored < plain.statistics.stored


def test_numbers_that_are_computed_with_are_no_names() -> None:
    assert "no two parts" in explore(users(3, "turn = (me + 1) % 3"), symmetry="exact").symmetry_note


def test_a_question_about_one_process_leaves_the_others_alike() -> None:
    network = users(4)
    every, one = find_symmetries(network, ()), check(network, "E<> U[0]@critical && flag[1] == 1", symmetry="exact")
    assert every.group.order == 24
    assert (one.verdict, one.symmetry_note) == ("holds", "2 ways to exchange 2 processes")
    assert "no two parts" in check(users(2), "E<> U[0]@critical", symmetry="exact").symmetry_note


SPLIT = """
byte turn; byte flag[2];
process A {{ state idle, busy; init idle;
  trans idle -> busy {{ guard turn == 0; effect flag[0] = 1; }}, busy -> idle {{ effect flag[0] = 0, turn = 1; }}; }}
process B {{ state idle, busy; init idle;
  trans idle -> busy {{ guard turn == 1; effect flag[1] = {value}; }},
    busy -> idle {{ effect flag[1] = 0, turn = 0; }}; }}
system async;
"""


def test_processes_of_different_names_with_the_same_code_are_alike(tmp_path: Path) -> None:
    path = tmp_path / "pair.dve"
    for value, note in (("1", "2 ways to exchange 2 processes"), ("0", "off: no two parts of the model are alike")):
        path.write_text(SPLIT.format(value=value))
        network = load(path, None, LoadOptions())
        assert explore(network, symmetry="exact").symmetry_note == note
        assert verdicts_differ(network, "E<> flag[0] == 1", 0) == ""


RECEIVERS = """
broadcast chan go;
int x;
process S() {{ state a; init a; trans a -> a {{ sync go!; }}; }}
process R(int[0,2] me) {{ state a; init a; trans a -> a {{ sync go?; assign x = {value}; }}; }}
system S, R;
"""


def test_receivers_of_a_broadcast_are_not_exchanged(tmp_path: Path) -> None:
    path = tmp_path / "told.xta"
    path.write_text(RECEIVERS.format(value="me"))
    assert "broadcast" in explore(load(path, None, LoadOptions()), symmetry="exact").symmetry_note


PUBLIC = Path(__file__).resolve().parents[3] / "shared" / "models" / "promela-symmetrytools"
PUBLISHED = {
    "SymmExtractorTests/mutex/mutex5.p": (120, 12),
    "SymmExtractorTests/mutex/mutex10.p": (3_628_800, 22),
    "SymmExtractorTests/threetiered/threetiersmall.p": (72, None),
    "SymmExtractorTests/ring/ring.p": (3, None),
    "SymmExtractorTests/peterson/peterson3.p": (6, None),
    "SymmReducerTests/email/enumerate/email4.p": (24, 36_255),
}


@pytest.mark.parametrize(("name", "published"), PUBLISHED.items())
def test_models_of_the_symmetry_tools_have_their_published_figures(
    name: str, published: tuple[int, int | None]
) -> None:
    if not (PUBLIC / name).is_file():
        pytest.skip("the models of the symmetry tools are not here")
    network = load(PUBLIC / name, "promela")
    order, states = published
    assert find_symmetries(network, ()).group.order == order
    if states is not None:
        assert explore(network, symmetry="auto").statistics.stored == states


@pytest.mark.parametrize("asked", ["len(c) == 0", "c?[1]"])
def test_operands_that_may_fail_are_not_exchanged(asked: str) -> None:
    """One process looks at a channel that was never set up only where the other operand lets it."""
    text = "bool tok; byte x; "
    for name, condition in (("B", f"{asked} && x == 1"), ("A", f"x == 1 && {asked}")):
        text += (
            f"active proctype {name}() {{ chan c; atomic {{ !tok -> tok = true }}; ({condition}); do :: x = 2 od }} "
        )
    network = read(text)
    for symmetry in ("none", "exact"):
        result = check(network, "assertions", search="bfs", symmetry=symmetry)
        assert (result.verdict, len(result.trace or [])) == ("violated", 3)
