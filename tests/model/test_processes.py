"""Processes that are born and die, and what others see of them."""

import pytest
from tests.model.world import World

from beeline import NetworkBuilder, check
from beeline.model.expressions import Binary, Literal, Ref
from beeline.model.network import Channel, Network, Rules, Send, Variable
from beeline.model.statements import SetPriority, Start
from beeline.model.types import BYTE, INT, ArrayType, IntType
from beeline.records import replace


def nursery(limit: int = 3, effect: str = "start child(1)") -> NetworkBuilder:
    """A parent that starts children while there is room."""
    builder = NetworkBuilder("nursery")
    builder.rules = Rules(max_processes=limit)
    builder.variable("x", 0, 9)
    builder.process("parent").location("p").edge("p", "p", effect=effect)
    child = builder.process("child", parameters={"n": (0, 9)}).location("c").location("d")
    child.edge("c", "d", effect="x = n; stop")
    builder.start("parent")
    return builder


def test_a_started_process_takes_the_next_number_and_its_arguments() -> None:
    world = World(nursery(effect="start child(x + 4)")).go("parent")
    assert (world["child(1)"], world["child(1).n"]) == ("c", "4")
    assert world.movers() == ["parent", "child(1)"]


def test_a_full_table_is_an_error() -> None:
    world = World(nursery(limit=2)).go("parent")
    assert world.errors() == ["processes"]


def test_processes_die_in_the_opposite_order_of_their_birth() -> None:
    world = World(nursery()).go("parent", "parent")
    assert [mover for mover in world.movers() if mover != "parent"] == ["child(2)"]
    world.go("child(2)")
    assert world["x"] == "1"
    assert "child(1)" in world.movers()
    assert len(world.go("child(1)").state.processes) == 1


def test_a_process_that_ends_in_the_step_that_starts_another_is_an_error() -> None:
    builder = nursery(effect="start child(1); stop")
    assert World(builder).errors() == ["blocked"]


def test_the_number_of_a_new_process_can_be_kept() -> None:
    builder = nursery()
    parent = builder.processes[0]
    parent.edges[0] = replace(parent.edges[0], effect=(Start("child", (Literal(1),), Ref("x")),))
    assert World(builder).go("parent", "parent")["x"] == "2"


def test_an_argument_that_does_not_fit_is_an_error() -> None:
    assert World(nursery(effect="start child(x - 1)")).errors() == ["range"]


def test_initial_values_may_be_expressions_of_the_parameters() -> None:
    builder = nursery(effect="start child(3)")
    child = builder.processes[1]
    double = Variable("double", INT, expression=Binary("*", Ref("n"), Literal(2)))
    more = Variable("more", INT, expression=Binary("+", Ref("double"), Literal(1)))
    child.variables.extend([double, more])
    world = World(builder).go("parent")
    assert (world["child(1).double"], world["child(1).more"]) == ("6", "7")


def with_mailbox() -> Network:
    """Every child makes a queue of its own and writes into it."""
    builder = nursery(effect="start child(5)")
    child = builder.processes[1]
    child.edges.clear()
    child.edge("c", "d").edge("d", "d", effect="stop")
    network = builder.build()
    parent, child_process = network.processes
    box = Channel("box", 1, (BYTE,))
    send = replace(child_process.edges[0], sync=Send(Ref("box"), (Ref("n"),)))
    child_process = replace(child_process, channels=(box,), edges=(send, child_process.edges[1]))
    return replace(network, processes=(parent, child_process))


def test_channels_of_a_process_come_and_go_with_it() -> None:
    world = World(with_mailbox())
    assert len(world.state.channels) == 0
    world.go("parent")
    assert world["child(1).box"] == "1"
    assert world.go("child(1)")["child(1).box#0"] == "[5]"
    assert len(world.go("child(1)").state.channels) == 0


def test_a_start_during_the_search_needs_no_limit_to_be_fast() -> None:
    # The engine begins with room for a few processes and asks for more when it needs them.
    result = check(nursery(limit=40), "_nr_pr < 30")
    assert result.verdict == "violated"
    assert result.trace is not None
    assert len(result.trace) == 29


@pytest.mark.parametrize(
    ("question", "before", "after"),
    [
        ("child@c", "0", "1"),
        ("child.n", "0", "7"),
        ("_nr_pr", "1", "2"),
        ("child[1]@c", "0", "1"),
        ("child[1]:n", "0", "7"),
        ("child[0]@c", "0", "0"),
        ("child[9]:n", "0", "0"),
        ("pc_value(1)", "0", "0"),
        ("_last", "0", "0"),
        ("_pid", "0", "0"),
    ],
)
def test_questions_about_other_processes(question: str, before: str, after: str) -> None:
    builder = nursery(effect=f"if (_nr_pr < 2) {{ start child(7) }}; x = {question}")
    builder.rules = replace(builder.rules, processes_by_number=True)
    world = World(builder)
    watching = replace(world.network.processes[0].edges[0])
    assert watching.text
    first = world.go("parent")["x"]
    assert first == after
    alone = nursery(effect=f"x = {question}")
    alone.rules = builder.rules
    assert World(alone).go("parent")["x"] == before


def test_last_is_the_number_of_the_process_that_moved() -> None:
    builder = NetworkBuilder("last")
    builder.variable("x", 0, 9)
    builder.process("A").location("s").edge("s", "s", guard="_last != 1")
    builder.process("B").location("s").edge("s", "s")
    world = World(builder)
    assert world.movers() == ["A", "B"]
    assert world.go("B").movers() == ["B"]


def test_priorities_can_be_changed() -> None:
    builder = NetworkBuilder("priorities")
    builder.rules = Rules(priorities=True)
    builder.process("P").location("s").location("t").edge("s", "t")
    builder.start("P", priority=1)
    builder.start("P", priority=2)
    process = builder.processes[0]
    process.edges[0] = replace(process.edges[0], effect=(SetPriority(Literal(0), Literal(7)),))
    world = World(builder)
    assert world.movers() == ["P[1]"]
    world.go("P[1]")
    assert world.state.processes[0].priority == 7


def test_a_local_of_another_process_is_read_with_the_readers_indices() -> None:
    builder = NetworkBuilder("remote")
    builder.variable("x", 0, 9)
    builder.process("A").variable("i", 0, 1, initial=1).location("s").edge("s", "s", effect="x = B.cells[i]")
    builder.process("B").variable("i", 0, 9).location("s")
    b = builder.processes[1]
    b.variables.append(replace(b.variables[0], name="cells", type=ArrayType(IntType(0, 9), 2), initial=(3, 4)))
    assert World(builder).go("A")["x"] == "4"
