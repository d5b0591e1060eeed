"""The dependence service: what can be told apart, and what is not told apart although it should not matter."""

from pathlib import Path

import pytest

from beeline import NetworkBuilder
from beeline.analysis.configuration import find_configuration
from beeline.analysis.dependence import Dependence
from beeline.compile.program import compile_network
from beeline.languages import LoadOptions, load
from beeline.model.network import Network


def dependence_of(network: Network) -> Dependence:
    configuration = find_configuration(network)
    assert configuration is not None
    max_processes = max(len(configuration), len(network.initial))
    return Dependence(compile_network(network, max_processes=max_processes), configuration)


def promela(folder: Path, text: str) -> Dependence:
    path = folder / "model.pml"
    path.write_text(text)
    network = load(path, options=LoadOptions())
    assert isinstance(network, Network)
    return dependence_of(network)


def edge(dependence: Dependence, process: int, text: str) -> int:
    """The edge of a process that shows as `text`."""
    return next(
        position
        for position, facts in enumerate(dependence.edges)
        if facts.process == process and facts.edge.text == text
    )


def test_elements_of_an_array_are_told_apart_by_parameters() -> None:
    builder = NetworkBuilder("cells")
    builder.variable("cell", 0, 3, size=3)
    kind = builder.process("P", parameters={"me": (0, 2)})
    kind.location("here").edge("here", "here", effect="cell[me] = 1")
    builder.start("P", me=0)
    builder.start("P", me=1)
    builder.start("P", me=1)
    dependence = dependence_of(builder.build())
    assert not dependence.disturbs(0, 1)
    assert dependence.disturbs(1, 2)


TALK = """
chan c = [2] of { byte };
byte x;
active proctype Sender() { c!1; c!2 }
active proctype Receiver() { byte got; c?got; len(c) == 0 }
active proctype Other() { x = 1 }
"""


def test_a_send_and_a_receive_meet_at_no_end_of_a_channel(tmp_path: Path) -> None:
    dependence = promela(tmp_path, TALK)
    send, receive = edge(dependence, 0, "c!1"), edge(dependence, 1, "c?got")
    assert not dependence.disturbs(send, receive)
    assert send in dependence.enablers(receive)
    assert receive in dependence.enablers(send)
    assert dependence.disturbs(send, edge(dependence, 1, "len(c)==0"))
    assert not dependence.disturbs(send, edge(dependence, 2, "x = 1"))


def test_a_handshake_knows_its_partners(tmp_path: Path) -> None:
    text = """
    chan c = [0] of { byte };
    active proctype S() { c!1 }
    active proctype R() { byte got; c?got }
    """
    dependence = promela(tmp_path, text)
    send, receive = edge(dependence, 0, "c!1"), edge(dependence, 1, "c?got")
    assert dependence.edges[send].partners == (receive,)
    assert dependence.pairs_of(receive) == {send}
    assert not dependence.edges[receive].begins


def test_only_a_fitting_value_makes_a_comparison_true(tmp_path: Path) -> None:
    text = """
    byte x;
    active proctype One() { x = 1; x = 2 }
    active proctype Waits() { x == 2 }
    """
    dependence = promela(tmp_path, text)
    (test,) = dependence.tests(edge(dependence, 1, "x==2"))
    assert test.makers == {edge(dependence, 0, "x = 2")}


@pytest.mark.parametrize(("statement", "fails"), [("x = 1", False), ("assert(x == 0)", True), ("x++; a[x] = 1", True)])
def test_what_can_fail_is_known(statement: str, fails: bool, tmp_path: Path) -> None:
    dependence = promela(tmp_path, f"byte x; byte a[3]; active proctype P() {{ {statement} }}")
    assert dependence.may_fail() == fails


def test_an_atomic_run_reads_and_writes_all_that_it_may_come_to(tmp_path: Path) -> None:
    text = """
    byte x, y;
    active proctype Run() { atomic { x = 1; y = 1 } }
    active proctype Other() { y = 2 }
    """
    dependence = promela(tmp_path, text)
    assert dependence.disturbs(edge(dependence, 0, "x = 1"), edge(dependence, 1, "y = 2"))


def test_processes_that_init_starts_are_known_with_their_arguments() -> None:
    network = load(Path("models/promela/leader.pml"), options=LoadOptions({"N": "4"}))
    assert isinstance(network, Network)
    configuration = find_configuration(network)
    assert configuration is not None
    names = [network.processes[kind].name for kind in configuration.kinds]
    assert names == ["init", "Node", "Node", "Node", "Node"]
    assert "place" in configuration.names[1]
    assert "number" not in configuration.names[1]


def test_who_starts_processes_all_the_time_has_no_configuration() -> None:
    network = load(Path("models/promela/sieve.pml"), options=LoadOptions())
    assert isinstance(network, Network)
    assert find_configuration(network) is None
