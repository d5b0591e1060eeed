"""Trails get shorter or easier to read, and stay trails."""

import json
import os
import shutil
import subprocess
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.loosely_coupled import LooselyCoupledSampler

from beeline import check
from beeline.checking.shorter import search_shorter
from beeline.engine import Limits
from beeline.languages import LoadOptions, load
from beeline.languages.promela.elaborate import elaborate
from beeline.languages.promela.parser import parse_text
from beeline.model.network import Network
from beeline.model.property import Goal
from beeline.properties import SAFETY
from beeline.report.objects import result_object
from beeline.trace.grouping import group
from beeline.trace.reorder import reorder
from beeline.trace.slicing import slice_trail
from beeline.trace.spin import is_present, read_spin_trail, spin_flags, to_spin_trail
from beeline.trace.trail import Replayer, Trail, TrailError, read_steps, read_trail, trail_of

MODELS = Path("models/promela")
LONG = ("peterson.pml -DFAULTY", "philosophers.pml -DN=9")  # depth-first trails of thousands of steps
WITH_ERRORS = [
    pytest.param(
        Path(answer["model"]).stem,
        tuple(answer["macros"]),
        id=(text := " ".join([answer["model"], *answer["macros"]])),
        marks=[pytest.mark.slow] if text in LONG else [],
    )
    for answer in tomllib.loads((MODELS / "answers.toml").read_text())["answer"]
    if answer["verdict"] == "violated"
]


def network_of(name: str, defines: dict[str, str]) -> Network:
    found = load(MODELS / f"{name}.pml", options=LoadOptions(defines))
    assert isinstance(found, Network)
    return found


def long_trail(network: Network, reduction: str = "none") -> Trail:
    result = check(network, SAFETY, search="dfs", reduce=reduction)
    assert result.trace is not None
    return trail_of(network, result.trace.states, bool(result.trace.steps[-1].error))


@pytest.fixture(scope="module")
def leader() -> Trail:
    return long_trail(network_of("leader", {"FAULTY": "1", "N": "4"}), "ample")


def test_a_trail_is_read_back_from_json(leader: Trail, tmp_path: Path) -> None:
    result = check(leader.network, SAFETY, search="dfs", reduce="ample")
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(result_object(result)))
    assert read_trail(path, leader.network).states == leader.states
    assert read_steps(path)[1]["property"] == "safety"


@pytest.mark.parametrize("text", ["{}", "[", '[{"changes": {"x": ["1", "2"]}}]', '{"trace": [1]}'])
def test_what_is_no_trail_of_the_model_is_refused(leader: Trail, text: str, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text(text)
    with pytest.raises(TrailError, match="trace"):
        read_trail(path, leader.network)


def test_reordering_removes_what_nothing_later_depends_on(leader: Trail) -> None:
    shorter = reorder(leader, SAFETY)
    assert len(shorter) < len(leader)
    assert shorter.steps[-1].error is not None


def test_reordered_leader_trails_come_within_three_steps_of_the_shortest(leader: Trail) -> None:
    shortest = check(leader.network, SAFETY, search="bfs").trace
    assert shortest is not None
    assert len(reorder(leader, SAFETY)) <= len(shortest) + 3


RING = """
    chan to_left = [2] of {{ byte }}, to_right = [2] of {{ byte }};
    byte got, own;
    active proctype Left() {{ byte m; {left} }}
    active proctype Right() {{ byte m; {right} }}
"""


@pytest.mark.parametrize(
    ("left", "right", "before", "after"),
    [
        # The second message is sent before the first is taken, and never matters.
        ("to_right ! 1; to_right ! 2", "to_right ? m; got = m; assert(got != 1)", 5, 4),
        # It is the one that is taken.
        ("to_right ! 1; to_right ! 2", "to_right ? m; to_right ? m; got = m; assert(got != 2)", 6, 6),
        # Somebody asks how many there are.
        ("to_right ! 1; to_right ! 2", "len(to_right) > 1; to_right ? m; assert(m != 1)", 5, 5),
    ],
)
def test_a_send_matters_to_who_takes_its_message(left: str, right: str, before: int, after: int) -> None:
    network = elaborate(parse_text(RING.format(left=left, right=right)))
    trail = _in_order(network)
    assert len(trail) == before
    assert len(reorder(trail, SAFETY)) == after


QUEUES = """
    chan c[2] = [3] of {{ byte }};
    byte x, y;
    active proctype P() {{ byte m; {} }}
    active proctype Q() {{ byte m; {} }}
    active proctype R() {{ byte m; {} }}
"""
STEPS = ("c[0] ! 1", "c[0] ! 2", "c[1] ! 1", "c[1] ! 2", "c[0] ? m", "c[1] ? m", "x = m", "y = m", "c[0] ? 1", "m = x")


@pytest.mark.parametrize("seed", range(int(os.environ.get("BEELINE_TRAILS", "60"))))
def test_what_is_left_of_a_trail_through_queues_replays(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    lines = ["; ".join(random.choice(STEPS) for _ in range(random.randint(3, 7))) for _ in range(3)]
    lines[random.randrange(3)] += "; assert(x != m)"
    network = elaborate(parse_text(QUEUES.format(*lines)))
    result = check(network, "assertions", search="dfs:seed=3")
    if result.trace is None:
        return
    trail = trail_of(network, result.trace.states, failed=True)
    follow = Replayer.follow
    followed: list[Trail | None] = []

    def note(self: Replayer, units: Any) -> Trail | None:
        followed.append(follow(self, units))
        return followed[-1]

    monkeypatch.setattr(Replayer, "follow", note)
    assert len(reorder(trail, SAFETY)) <= len(trail)
    assert None not in followed


def _in_order(network: Network) -> Trail:
    """Each process as far as it can, the first one first."""
    found = check(network, SAFETY, search="dfs").trace
    assert found is not None
    return trail_of(network, found.states, failed=True)


def test_slicing_deletes_at_least_as_much_as_reordering(leader: Trail) -> None:
    assert len(slice_trail(leader, SAFETY)) <= len(reorder(leader, SAFETY))


def test_grouping_keeps_the_length_and_saves_switches() -> None:
    trail = long_trail(network_of("pots", {}))
    grouped = group(trail, SAFETY)
    assert len(grouped) == len(trail)
    assert grouped.switches < trail.switches
    assert Replayer(trail.network, SAFETY).is_violation(grouped.states[-1])


@pytest.mark.parametrize("search", ["bfs", "dfs"])
def test_grouping_may_bring_an_interrupted_run_together(search: str) -> None:
    text = """
        byte a, b, d;
        active proctype P() { atomic { a = 1; b == 1; a = 2 } }
        active proctype Q() { d = 1; b = 1; a == 2; assert(false) }
    """
    network = elaborate(parse_text(text))
    result = check(network, SAFETY, search=search)
    assert result.trace is not None
    trail = trail_of(network, result.trace.states, failed=True)
    grouped = group(trail, SAFETY)
    assert (len(grouped), grouped.switches) == (len(trail), 2)


def test_a_deadlock_needs_all_its_steps() -> None:
    trail = long_trail(network_of("philosophers", {}))
    assert reorder(trail, SAFETY) is trail


def test_a_shorter_way_is_searched_to_the_same_state() -> None:
    trail = long_trail(network_of("philosophers", {}))
    result = search_shorter(trail, SAFETY, to="state")
    assert result.trace is not None
    assert len(result.trace) < len(trail)
    assert result.trace.states[-1] == trail.states[-1]


def test_a_failing_step_has_no_state_to_search(leader: Trail) -> None:
    with pytest.raises(TrailError, match="failing step"):
        search_shorter(leader, SAFETY, to="state")


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1))
def test_whatever_is_done_to_a_trail_it_still_ends_in_a_violation(seed: int) -> None:
    sampler = LooselyCoupledSampler(seed)
    network = sampler.network()
    wanted = sampler.rare_state(network)
    if wanted is None:
        return
    asked = Goal("goal", expression=wanted)
    result = check(network, asked, search="dfs", limits=Limits(states=300))
    if result.trace is None or not 0 < len(result.trace) < 40:
        return
    trail = trail_of(network, result.trace.states, bool(result.trace.steps[-1].error))
    replayer = Replayer(network, asked)
    for better in (reorder(trail, asked), slice_trail(trail, asked), group(trail, asked)):
        assert len(better) <= len(trail)
        again = replayer.follow(better.units)
        assert again is not None
        assert again.states == better.states


# SPIN


@pytest.mark.skipif(not is_present(), reason="SPIN is not installed")
@pytest.mark.parametrize(("name", "macros"), WITH_ERRORS)
def test_spin_replays_our_trails_and_we_replay_what_spin_shows(
    name: str, macros: tuple[str, ...], tmp_path: Path
) -> None:
    named = {key: value or "1" for key, _, value in (macro.removeprefix("-D").partition("=") for macro in macros)}
    flags = spin_flags(named)
    network = network_of(name, named)
    trail = long_trail(network)
    model = tmp_path / f"{name}.pml"
    shutil.copy(MODELS / f"{name}.pml", model)
    written = tmp_path / f"{name}.pml.trail"
    written.write_text(to_spin_trail(trail, model, flags))
    command = ["spin", *flags, "-t", model.name]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    moves = len(written.read_text().splitlines())
    assert f"trail ends after {moves} steps" in shown
    assert ("assertion violated" in shown) == (trail.steps[-1].error is not None)
    back = read_spin_trail(written, model, network, flags)
    assert back.states == trail.states


CLAIMED = """
byte x;
active proctype A() { x = 1; x = 2; x = 5 }
active proctype B() { x == 2; x = 3; x = 4 }
never {
wait: do :: x != 3 :: x == 3 -> break od
}
"""


@pytest.mark.skipif(not is_present(), reason="SPIN is not installed")
def test_spin_takes_the_same_option_of_an_escape(tmp_path: Path) -> None:
    text = """
        byte x;
        active proctype P() {
            { if :: x = 1 :: x = 2 fi; x = 3 } unless { if :: x == 1 -> x = 4 :: x == 2 -> x = 5 fi };
            assert(x != 4)
        }
    """
    model = tmp_path / "model.pml"
    model.write_text(text)
    network = elaborate(parse_text(text))
    result = check(network, SAFETY, search="bfs")
    assert result.trace is not None
    trail = trail_of(network, result.trace.states, failed=True)
    written = tmp_path / "model.pml.trail"
    written.write_text(to_spin_trail(trail, model))
    done = subprocess.run(["spin", "-t", "model.pml"], cwd=tmp_path, capture_output=True, text=True)
    assert "assertion violated" in done.stdout
    assert "x = 4" in done.stdout


NESTED_ESCAPES = """
byte x;
active proctype P() provided (x < 9) {
    {
        d_step { skip; x = 1 } unless { x == 0 -> assert(x == 3) }
    } unless { { x > 5 } unless { x > 7 } }
}
"""
CLAIM_IN_ONE_MOVE = """
byte x;
active proctype P() { do :: x < 3 -> x++ :: else -> break od }
never {
T0: do
    :: atomic { x == 1 -> if :: x > 5 :: x < 3 fi; assert(x != 2) } -> goto T1
    :: x != 1
    od;
T1: do :: d_step { x == 3 -> if :: x < 2 :: else fi } -> break :: x < 3 od
}
"""


@pytest.mark.skipif(not is_present(), reason="SPIN is not installed")
@pytest.mark.parametrize(("text", "asked"), [(NESTED_ESCAPES, "safety"), (CLAIM_IN_ONE_MOVE, "claim")])
def test_spin_replays_escapes_of_escapes_and_claims_that_pass_over_places(
    text: str, asked: str, tmp_path: Path
) -> None:
    model, written = tmp_path / "model.pml", tmp_path / "model.pml.trail"
    model.write_text(text)
    loaded = load(model)
    assert isinstance(loaded, Network)
    result = check(loaded, asked, search="bfs")
    assert result.trace is not None
    network = result.property.watched(loaded)
    trail = trail_of(network, result.trace.states, bool(result.trace.steps[-1].error))
    written.write_text(to_spin_trail(trail, model))
    moves = sum(not line.startswith("-") for line in written.read_text().splitlines())
    done = subprocess.run(["spin", "-t", "model.pml"], cwd=tmp_path, capture_output=True, text=True)
    assert f"trail ends after {moves} steps" in done.stdout
    assert ("assertion violated" in done.stdout) == (asked == "safety")
    assert read_spin_trail(written, model, network).states == trail.states


@pytest.mark.skipif(not is_present(), reason="SPIN is not installed")
def test_beside_a_never_claim_spin_counts_processes_from_one(tmp_path: Path) -> None:
    model = tmp_path / "claimed.pml"
    model.write_text(CLAIMED)
    loaded = load(model)
    assert isinstance(loaded, Network)
    result = check(loaded, "claim", search="bfs")
    network = result.property.watched(loaded)
    assert result.trace is not None
    trail = trail_of(network, result.trace.states, False)
    written = tmp_path / "claimed.pml.trail"
    written.write_text(to_spin_trail(trail, model))
    command = ["spin", "-t", "-p", model.name]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    moves = len(written.read_text().splitlines()) - 1  # the first line says that there is a claim
    assert f"trail ends after {moves} steps" in shown
    assert shown.index("(A:1)") < shown.index("(B:1)") < shown.index("proc  - (never_0:1)")
    back = read_spin_trail(written, model, network)
    assert back.states == trail.states
