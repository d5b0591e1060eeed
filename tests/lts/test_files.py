"""Aldebaran files, and the systems of models."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.lts.test_equivalences import random_lts

from beeline.languages import load
from beeline.lts import TAU, Lts, label_by_event, label_by_step, lts_of, read_aldebaran, to_aldebaran
from beeline.lts.minimise import reachable
from beeline.model.source import ModelError
from beeline.simulate import NetworkWorld

MODELS = Path(__file__).resolve().parents[2] / "models"


def test_files_are_read_as_they_were_written(tmp_path: Path) -> None:
    dice = random.Random(5)
    for number in range(100):
        lts = reachable(random_lts(dice)).relabelled(lambda label: {"a": 'c!"x\\y"', "b": "a b, (c)"}.get(label, label))
        path = tmp_path / f"{number}.aut"
        path.write_text(to_aldebaran(lts))
        assert read_aldebaran(path) == lts


def test_the_first_state_is_0_in_files(tmp_path: Path) -> None:
    path = tmp_path / "late.aut"
    path.write_text(to_aldebaran(Lts.of(3, 2, [(2, "a", 0), (0, "b", 1)])))
    assert read_aldebaran(path) == Lts.of(3, 0, [(0, "a", 2), (2, "b", 1)])


def test_other_tools_words_are_read(tmp_path: Path) -> None:
    path = tmp_path / "other.aut"
    path.write_text('des (0,3,2)\n(0,"PUT !1",1)\n( 1 , i , 0 )\n(1, tau, 1)\n\n')
    assert read_aldebaran(path).arcs == ((0, "PUT !1", 1), (1, TAU, 0), (1, TAU, 1))


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("", "1:1", "begins with des"),
        ("des (4, 0, 2)", "1:1", "the first state is 4"),
        ("des (0, 2, 2)\n(0, a, 1)", "1:1", "2 arcs, but there are 1"),
        ("des (0, 1, 2)\n(0, a, 7)", "2:1", "no state 7"),
        ('des (0, 1, 2)\n(0, "a, 1)', "2:1", "an arc is written"),
    ],
)
def test_mistakes_in_files_have_a_place(text: str, place: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.aut"
    path.write_text(text)
    with pytest.raises(ModelError, match=said) as caught:
        read_aldebaran(path)
    assert f"wrong.aut:{place}" in str(caught.value)


def test_labels_tell_messages_with_their_values(tmp_path: Path) -> None:
    path = tmp_path / "talk.pml"
    path.write_text(
        "mtype = { red }; chan slow = [1] of { mtype, byte }; chan quick = [0] of { byte };"
        "active proctype A() { slow!red,3; quick!4 }"
        "active proctype B() { byte x; slow?_,x; x++; quick?x; assert(x == 3) }"
    )
    world = NetworkWorld(load(path))
    lts = lts_of(world, label_by_event(world))
    assert lts.labels == ["error: assertion failed: x==3", "quick(4)", "slow!red,3", "slow?red,3", TAU]
    ends = {target for _, label, target in lts.arcs if label.startswith("error")}
    assert not [source for source, _, _ in lts.arcs if source in ends], "nothing happens after a failure"
    assert "A: slow!red,3" in lts_of(world, label_by_step).labels


def test_models_without_channels_have_their_steps_as_labels() -> None:
    world = NetworkWorld(load(MODELS / "python" / "peterson.py"))
    assert TAU not in lts_of(world, label_by_event(world)).labels


def test_a_system_has_the_states_that_explore_counts() -> None:
    from beeline import explore

    network = load(MODELS / "python" / "philosophers.py")
    world, counted = NetworkWorld(network), explore(network).statistics
    lts = lts_of(world, label_by_step)
    assert (lts.states, len(lts.arcs)) == (counted.stored, counted.generated)
