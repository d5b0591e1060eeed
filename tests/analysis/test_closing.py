"""Sticky edges: some edge of each run that comes back to a state, and few of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.analysis.test_dependence import dependence_of

from beeline.analysis.dependence import Dependence
from beeline.languages import LoadOptions, load
from beeline.model.network import Network


def dependence(folder: Path, text: str, lossy: bool = False) -> Dependence:
    path = folder / "model.pml"
    path.write_text(text)
    network = load(path, options=LoadOptions(lossy=lossy))
    assert isinstance(network, Network)
    return dependence_of(network)


def sticky(folder: Path, text: str, lossy: bool = False) -> set[tuple[int, str]]:
    """The processes and texts of the sticky edges."""
    found = dependence(folder, text, lossy)
    edges = [found.edges[position] for position in found.sticky]
    return {(facts.process, facts.edge.text) for facts in edges}


RING = """
chan c[4] = [1] of { bit };
active [4] proctype P() { bit x; do :: c[_pid]?x; c[(_pid + 1) % 4]!x od }
"""
SERVER = """
chan asked = [2] of { byte }; chan answered[3] = [1] of { bit };
active proctype Server() { byte who; do :: asked?who; answered[who]!1 od }
active [2] proctype Client() { do :: asked!_pid; answered[_pid]?1 od }
"""


def test_one_process_of_a_ring_is_enough(tmp_path: Path) -> None:
    found = dependence(tmp_path, RING)
    assert len({found.edges[position].process for position in found.closing}) == 4
    assert len({found.edges[position].process for position in found.sticky}) == 1


def test_the_server_is_enough_for_its_clients(tmp_path: Path) -> None:
    assert {process for process, _ in sticky(tmp_path, SERVER)} == {0}


def test_handshakes_are_balanced_too(tmp_path: Path) -> None:
    text = "chan c = [0] of { bit }; active proctype A() { do :: c!1 od } active proctype B() { do :: c?1 od }"
    assert len(sticky(tmp_path, text)) == 1


@pytest.mark.parametrize(
    ("loop", "needed"),
    [
        ("do :: c?1 od", False),  # nobody sends
        ("do :: c!1 od", False),  # nobody takes
        ("do :: c?<1> od", True),  # the message stays
        ("do :: c!1; c?1 od", True),
        ("do :: c!1 od; do :: c?1 od", False),  # first the one loop, then the other
        ("do :: c!1 :: c?1 od", True),
        ("do :: x = 1 od", True),
        ("do :: c?1; x = 1 :: x = 0 od", True),
        ("x = 1; c!1", False),  # no loop
    ],
)
def test_who_goes_round_alone_is_sticky(tmp_path: Path, loop: str, needed: bool) -> None:
    assert bool(sticky(tmp_path, f"chan c = [1] of {{ bit }}; bit x; active proctype P() {{ {loop} }}")) == needed


def test_messages_that_are_lost_need_not_be_taken(tmp_path: Path) -> None:
    text = "chan c = [1] of { bit }; active proctype P() { do :: c!1 od }"
    assert not sticky(tmp_path, text)
    assert sticky(tmp_path, text, lossy=True)


def test_a_channel_that_is_not_known_may_be_any(tmp_path: Path) -> None:
    text = """
    chan c = [1] of { bit }; chan d = [1] of { bit };
    active proctype P() { chan e; if :: e = c :: e = d fi; do :: e!1 :: e = c :: e = d od }
    active proctype Q() { do :: c?1 od }
    """
    assert {process for process, _ in sticky(tmp_path, text)} == {0}
    loops = "do :: atomic { e!1; if :: e = c :: e = d fi } od"
    assert sticky(tmp_path, text.replace("do :: e!1 :: e = c :: e = d od", loops))
