"""Who may move when: committed locations, ranks, timeouts, uninterrupted and deterministic runs, priorities."""

import pytest
from tests.model.world import World

from beeline import NetworkBuilder
from beeline.model.builder import ProcessBuilder
from beeline.model.network import Rules
from beeline.model.statements import LOOP_LIMIT
from beeline.model.syntax import parse_expression
from beeline.records import replace


def two(builder: NetworkBuilder) -> tuple[ProcessBuilder, ProcessBuilder]:
    return builder.process("A"), builder.process("B")


# Committed locations


def test_a_process_at_a_committed_location_goes_first() -> None:
    builder = NetworkBuilder("committed")
    a, b = two(builder)
    a.location("s", committed=True).location("t").edge("s", "t")
    b.location("s").location("t").edge("s", "t")
    assert World(builder).movers() == ["A"]
    assert World(builder).go("A").movers() == ["B"]


def test_a_committed_process_that_cannot_move_stops_the_others() -> None:
    builder = NetworkBuilder("stuck")
    a, b = two(builder)
    a.location("s", committed=True)
    b.location("s").edge("s", "s")
    assert World(builder).is_deadlock()


@pytest.mark.parametrize(("together", "movers"), [(False, ["A+B"]), (True, [])])
def test_one_committed_partner_is_enough_unless_the_rules_ask_for_all(together: bool, movers: list[str]) -> None:
    builder = NetworkBuilder("partners")
    builder.rules = Rules(committed_together=together)
    builder.channel("c")
    a, b = two(builder)
    a.location("s", committed=True).edge("s", "s", sync="c!")
    b.location("s").edge("s", "s", sync="c?").edge("s", "s")
    assert World(builder).movers() == movers


# Ranks and else


def test_else_is_possible_only_where_nothing_else_is() -> None:
    builder = NetworkBuilder("otherwise")
    builder.variable("x", 0, 3)
    process = builder.process("P").location("s").location("done")
    process.edge("s", "s", guard="x < 2", effect="x++").edge("s", "done", guard="else")
    world = World(builder)
    assert world.targets("x", "P") == [("1", "s")]
    assert world.go("P", "P").targets("x", "P") == [("2", "done")]


def test_else_looks_at_synchronisation_too() -> None:
    builder = NetworkBuilder("otherwise")
    builder.channel("q", 1, fields=[(0, 1)])
    process = builder.process("P").location("s").location("done")
    process.edge("s", "s", sync="q!1").edge("s", "done", guard="else")
    world = World(builder)
    assert world.targets("P") == [("s",)]
    assert world.go("P").targets("P") == [("done",)]


def test_an_edge_of_a_lower_rank_hides_those_of_higher_ranks() -> None:
    builder = NetworkBuilder("ranks")
    process = builder.process("P").location("s").location("low").location("high")
    process.edge("s", "high", rank=2).edge("s", "low", rank=1).edge("s", "low", rank=1)
    assert World(builder).targets("P") == [("low",), ("low",)]


def test_a_receiver_answers_with_its_lowest_rank_that_can() -> None:
    builder = NetworkBuilder("ranks")
    builder.channel("c")
    builder.process("S").location("s").edge("s", "s", sync="c!")
    receiver = builder.process("R").location("s").location("low").location("high")
    receiver.edge("s", "high", sync="c?", rank=1).edge("s", "low", sync="c?")
    assert World(builder).targets("R") == [("low",)]


# Timeout


def test_timeout_is_true_only_when_nothing_else_can_happen() -> None:
    builder = NetworkBuilder("timeout")
    a, b = two(builder)
    a.location("s").location("t").edge("s", "t", guard="timeout")
    b.location("s").location("t").edge("s", "t")
    world = World(builder)
    assert world.movers() == ["B"]
    assert world.go("B").movers() == ["A"]


def test_a_partner_may_wait_for_a_timeout_too() -> None:
    builder = NetworkBuilder("timeout")
    builder.channel("c")
    a, b = two(builder)
    a.location("s").location("t").edge("s", "t", sync="c!")
    b.location("s").location("t").edge("s", "t", guard="timeout", sync="c?")
    assert World(builder).movers() == ["A+B"]


# Uninterrupted runs


def test_a_process_that_keeps_control_goes_on_alone() -> None:
    builder = NetworkBuilder("atomic")
    a, b = two(builder)
    a.location("s").location("t").location("u").edge("s", "t", keeps_control=True).edge("t", "u")
    b.location("s").location("t").edge("s", "t")
    world = World(builder)
    assert world.movers() == ["A", "B"]
    assert world.go("A").movers() == ["A"]
    assert world.go("A").movers() == ["B"]


def test_a_process_that_keeps_control_but_cannot_move_gives_it_up() -> None:
    builder = NetworkBuilder("atomic")
    builder.variable("x", 0, 1)
    a, b = two(builder)
    a.location("s").location("t").location("u").edge("s", "t", keeps_control=True).edge("t", "u", guard="x")
    b.location("s").edge("s", "s", effect="x = 1")
    world = World(builder).go("A")
    assert world.state.control == -1
    assert world.movers() == ["B"]
    assert world.go("B").movers() == ["A", "B"]


def test_in_a_handshake_control_goes_to_the_receiver() -> None:
    builder = NetworkBuilder("passed")
    builder.channel("c")
    a, b = two(builder)
    a.location("s").location("t").edge("s", "t", sync="c!").edge("t", "t")
    b.location("s").location("t").location("u").edge("s", "t", sync="c?", keeps_control=True).edge("t", "u")
    world = World(builder).go("A+B")
    assert world.movers() == ["B"]
    assert world.go("B").movers() == ["A"]


# Deterministic runs


def test_a_deterministic_run_is_one_step() -> None:
    builder = NetworkBuilder("d_step")
    builder.variable("x", 0, 9)
    process = builder.process("P").location("s").location("m", deterministic=True).location("t")
    process.edge("s", "m", effect="x = 1")
    process.edge("m", "m", guard="x < 5", effect="x = x + 2")
    process.edge("m", "t", guard="else")
    world = World(builder)
    assert world.targets("x", "P") == [("5", "t")]
    assert len(world.steps()[0].moves) == 4


def test_a_deterministic_run_takes_the_first_of_several_edges() -> None:
    builder = NetworkBuilder("first")
    process = builder.process("P").location("s").location("m", deterministic=True).location("t").location("u")
    process.edge("s", "m").edge("m", "t").edge("m", "u")
    assert World(builder).targets("P") == [("t",)]


def test_a_deterministic_run_that_blocks_is_an_error() -> None:
    builder = NetworkBuilder("blocked")
    builder.variable("x", 0, 1)
    builder.process("P").location("s").location("m", deterministic=True).edge("s", "m").edge("m", "s", guard="x")
    assert World(builder).errors() == ["blocked"]


def test_a_deterministic_run_cannot_shake_hands() -> None:
    builder = NetworkBuilder("blocked")
    builder.channel("c")
    builder.process("P").location("s").location("m", deterministic=True).edge("s", "m").edge("m", "s", sync="c!")
    builder.process("Q").location("s").edge("s", "s", sync="c?")
    assert World(builder).errors() == ["blocked"]


@pytest.mark.slow
def test_an_endless_deterministic_run_is_an_error() -> None:
    builder = NetworkBuilder("endless")
    builder.process("P").location("s").location("m", deterministic=True).edge("s", "m").edge("m", "m")
    world = World(builder)
    assert world.errors() == ["loop"]
    assert len(world.steps()[0].moves) == LOOP_LIMIT + 1


# Provided


def test_a_process_takes_part_only_while_its_condition_holds() -> None:
    builder = NetworkBuilder("provided")
    builder.variable("open", 0, 1)
    builder.channel("c")
    a, b = two(builder)
    a.location("s").location("t").edge("s", "t", sync="c!")
    b.location("s").location("t").edge("s", "t", sync="c?")
    b.provided = parse_expression("open")
    builder.process("O").location("s").location("t").edge("s", "t", effect="open = 1")
    world = World(builder)
    assert world.movers() == ["O"]
    assert world.go("O").movers() == ["A+B"]


def test_a_condition_without_a_value_does_not_hold() -> None:
    builder = NetworkBuilder("provided")
    builder.variable("x", 0, 1)
    process = builder.process("P").location("s").edge("s", "s")
    process.provided = parse_expression("1 / x")
    assert World(builder).movers() == []


# Priorities


def test_only_processes_of_the_highest_priority_move() -> None:
    builder = NetworkBuilder("priorities")
    builder.rules = Rules(priorities=True)
    builder.process("P").location("s").location("t").edge("s", "t")
    for priority in (1, 3, 3):
        builder.start("P", priority=priority)
    world = World(builder)
    assert world.movers() == ["P[1]", "P[2]"]
    assert world.go("P[1]", "P[2]").movers() == ["P[0]"]


def test_priorities_mean_nothing_unless_the_rules_say_so() -> None:
    builder = NetworkBuilder("priorities")
    builder.process("P").location("s").location("t").edge("s", "t")
    builder.start("P", priority=1)
    builder.start("P", priority=3)
    assert World(builder).movers() == ["P[0]", "P[1]"]


def test_a_channel_of_a_higher_priority_comes_first() -> None:
    builder = NetworkBuilder("channels")
    builder.channel("low")
    builder.channel("high")
    builder.channels[1] = replace(builder.channels[1], priority=1)
    a, b = two(builder)
    a.location("s").location("t").location("u").edge("s", "t", sync="low!").edge("s", "u", sync="high!")
    b.location("s").edge("s", "s", sync="low?").edge("s", "s", sync="high?").edge("s", "s")
    assert World(builder).targets("A") == [("u",)]


# Ends


def test_a_state_without_steps_is_a_deadlock_unless_everyone_is_at_an_end() -> None:
    builder = NetworkBuilder("ends")
    a, b = two(builder)
    a.location("s").location("t", end=True).edge("s", "t")
    b.location("s", end=True)
    world = World(builder)
    assert not world.is_deadlock()
    assert not world.go("A").is_deadlock()
    assert world.movers() == []
    b.locations["s"] = replace(b.locations["s"], end=False)
    assert World(builder).go("A").is_deadlock()


def test_two_edges_to_one_state_are_two_steps() -> None:
    builder = NetworkBuilder("arcs")
    builder.process("P").location("s").location("t").edge("s", "t").edge("s", "t")
    world = World(builder)
    assert len(world.steps()) == 2
    assert len(world.reachable()) == 2
