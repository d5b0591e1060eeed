"""Handshakes, broadcasts, labels and queues: who moves with whom, and what goes between them."""

import pytest
from tests.model.world import World

from beeline import NetworkBuilder
from beeline.model.network import Channel, Receive, Rules
from beeline.model.types import BYTE, IntType
from beeline.records import replace


def pair(builder: NetworkBuilder, send: str, receive: str) -> None:
    """Two processes with one edge each."""
    builder.process("S").location("s").location("t").edge("s", "t", sync=send)
    builder.process("R").variable("got", 0, 9).location("s").location("t").edge("s", "t", sync=receive)


def test_a_handshake_moves_sender_and_receiver_together() -> None:
    builder = NetworkBuilder("handshake")
    builder.channel("c", fields=[(0, 9)])
    pair(builder, "c!7", "c?got")
    world = World(builder)
    assert world.movers() == ["S+R"]
    world.go("S+R")
    assert (world["S"], world["R"], world["R.got"]) == ("t", "t", "7")


def test_a_handshake_waits_for_its_partner() -> None:
    builder = NetworkBuilder("alone")
    builder.channel("c")
    builder.process("S").location("s").edge("s", "s", sync="c!")
    world = World(builder)
    assert world.movers() == []
    assert world.is_deadlock()


def test_nobody_shakes_hands_with_itself() -> None:
    builder = NetworkBuilder("self")
    builder.channel("c")
    builder.process("P").location("s").edge("s", "s", sync="c!").edge("s", "s", sync="c?")
    builder.start("P")
    assert World(builder).movers() == []
    builder.start("P")
    assert World(builder).movers() == ["P[0]+P[1]", "P[1]+P[0]"]


def test_each_pair_of_partners_is_a_step_of_its_own() -> None:
    builder = NetworkBuilder("choice")
    builder.channel("c")
    builder.process("S").location("s").location("t").edge("s", "t", sync="c!")
    builder.process("R").location("s").location("t").edge("s", "t", sync="c?").edge("s", "s", sync="c?")
    builder.start("S")
    builder.start("R")
    builder.start("R")
    assert World(builder).movers() == ["S+R[0]", "S+R[0]", "S+R[1]", "S+R[1]"]


def test_a_receiver_takes_only_messages_that_match() -> None:
    builder = NetworkBuilder("match")
    builder.channel("c", fields=[(0, 9), (0, 9)])
    builder.process("S").location("s").edge("s", "s", sync="c!1, 5").edge("s", "s", sync="c!2, 6")
    builder.process("R").variable("got", 0, 9).location("s").edge("s", "s", sync="c?==2, got")
    world = World(builder)
    assert world.movers() == ["S+R"]
    assert world.go("S+R")["R.got"] == "6"


def test_a_named_value_in_a_pattern_compares_instead_of_storing() -> None:
    builder = NetworkBuilder("named")
    builder.constant("ACK", 1)
    builder.channel("c", fields=[(0, 9)])
    builder.process("S").location("s").edge("s", "s", sync="c!0").edge("s", "s", sync="c!ACK")
    builder.process("R").location("s").location("t").edge("s", "t", sync="c?ACK")
    world = World(builder)
    assert world.movers() == ["S+R"]


def test_the_guard_of_a_receiver_counts() -> None:
    builder = NetworkBuilder("guard")
    builder.variable("open", 0, 1)
    builder.channel("c")
    builder.process("S").location("s").edge("s", "s", sync="c!")
    builder.process("R").location("s").edge("s", "s", guard="open", sync="c?")
    builder.process("O").location("s").location("t").edge("s", "t", effect="open = 1")
    world = World(builder)
    assert world.movers() == ["O"]
    assert world.go("O").movers() == ["S+R"]


@pytest.mark.parametrize(("receivers_first", "last"), [(False, "2"), (True, "1")])
def test_the_sender_acts_first_unless_the_rules_turn_it_round(receivers_first: bool, last: str) -> None:
    builder = NetworkBuilder("order")
    builder.rules = Rules(receivers_first=receivers_first)
    builder.variable("x", 0, 2)
    builder.channel("c")
    builder.process("S").location("s").location("t").edge("s", "t", sync="c!", effect="x = 1")
    builder.process("R").location("s").location("t").edge("s", "t", sync="c?", effect="x = 2")
    assert World(builder).go("S+R")["x"] == last


def test_channels_in_an_array_are_chosen_by_a_computed_index() -> None:
    builder = NetworkBuilder("array")
    builder.variable("i", 0, 2, initial=1)
    builder.channel("c", size=3)
    builder.process("S").location("s").edge("s", "s", sync="c[i]!")
    builder.process("R", parameters={"me": (0, 2)}).location("s").edge("s", "s", sync="c[me]?")
    for number in range(3):
        builder.start("R", me=number)
    builder.start("S")
    assert World(builder).movers() == ["S+R[1]"]


# Broadcast


def broadcast() -> NetworkBuilder:
    builder = NetworkBuilder("broadcast")
    builder.channel("all", broadcast=True, fields=[(0, 9)])
    builder.process("S").location("s").location("t").edge("s", "t", sync="all!4")
    return builder


def test_a_broadcast_never_waits() -> None:
    assert World(broadcast()).go("S")["S"] == "t"


def test_a_broadcast_takes_along_everybody_who_can() -> None:
    builder = broadcast()
    listener = builder.process("R", parameters={"wants": (0, 9)}).variable("got", 0, 9).location("s").location("t")
    listener.edge("s", "t", guard="wants != 0", sync="all?got")
    builder.start("S")
    for wants in (1, 0, 1):
        builder.start("R", wants=wants)
    world = World(builder)
    assert world.movers() == ["S+R[0]+R[2]"]
    world.go("S+R[0]+R[2]")
    assert [world[f"R[{i}]"] for i in range(3)] == ["t", "s", "t"]
    assert [world[f"R[{i}].got"] for i in range(3)] == ["4", "0", "4"]


def test_a_listener_with_two_ways_to_hear_a_broadcast_makes_two_steps() -> None:
    builder = broadcast()
    builder.process("R").location("s").location("t").edge("s", "t", sync="all?_").edge("s", "s", sync="all?_")
    builder.start("S")
    builder.start("R")
    builder.start("R")
    world = World(builder)
    assert world.movers() == ["S+R[0]+R[1]"] * 4
    assert world.targets("R[0]", "R[1]") == [("t", "t"), ("t", "s"), ("s", "t"), ("s", "s")]


# Labels


def labelled(guard: str = "") -> NetworkBuilder:
    builder = NetworkBuilder("labels")
    builder.process("A").location("s").location("t").edge("s", "t", label="go", guard=guard)
    builder.process("B").location("s").location("t").edge("s", "t", label="go")
    builder.process("C").location("s").location("t").edge("s", "t")
    return builder


def test_all_who_know_a_label_move_together() -> None:
    world = World(labelled())
    assert world.movers() == ["A+B", "C"]
    world.go("A+B")
    assert (world["A"], world["B"], world["C"]) == ("t", "t", "s")


def test_a_label_waits_until_everyone_who_knows_it_can() -> None:
    assert World(labelled(guard="C@t")).movers() == ["C"]
    assert World(labelled(guard="C@t")).go("C").movers() == ["A+B"]


def test_all_combinations_of_labelled_edges_are_steps() -> None:
    builder = NetworkBuilder("product")
    builder.process("A").location("s").location("t").edge("s", "t", label="go").edge("s", "s", label="go")
    builder.start("A")
    builder.start("A")
    builder.start("A")
    world = World(builder)
    assert len(world.movers()) == 8
    assert set(world.movers()) == {"A[0]+A[1]+A[2]"}


# Queues


def queue(capacity: int = 2) -> NetworkBuilder:
    builder = NetworkBuilder("queue")
    builder.channel("q", capacity, fields=[(0, 9)])
    return builder


def writing(builder: NetworkBuilder, *syncs: str) -> None:
    """A process that sends one message after the other."""
    writer = builder.process("W")
    for position in range(len(syncs) + 1):
        writer.location(f"w{position}")
    for position, sync in enumerate(syncs):
        writer.edge(f"w{position}", f"w{position + 1}", sync=sync)


def test_messages_come_out_in_the_order_they_went_in() -> None:
    builder = queue()
    writing(builder, "q!3", "q!1")
    builder.process("R").variable("got", 0, 9).location("r").edge("r", "r", sync="q?got")
    world = World(builder).go("W", "W")
    assert world["q"] == "[3, 1]"
    assert world.go("R")["R.got"] == "3"
    assert world.go("R")["R.got"] == "1"
    assert world["q"] == "[]"


def test_a_full_queue_makes_senders_wait() -> None:
    builder = queue(capacity=1)
    writing(builder, "q!1", "q!2")
    assert World(builder).go("W").movers() == []


def test_in_a_lossy_network_messages_to_a_full_queue_get_lost() -> None:
    builder = queue(capacity=1)
    builder.rules = Rules(lossy=True)
    writing(builder, "q!1", "q!2")
    world = World(builder).go("W", "W")
    assert (world["q"], world["W"]) == ("[1]", "w2")


def test_a_sorted_send_inserts_before_the_first_larger_message() -> None:
    builder = queue(capacity=4)
    writing(builder, "q!!5", "q!!2", "q!!5", "q!!3")
    assert World(builder).go("W", "W", "W", "W")["q"] == "[2, 3, 5, 5]"


def test_sorted_messages_are_compared_field_by_field() -> None:
    builder = NetworkBuilder("fields")
    builder.channel("q", 3, fields=[(0, 9), (-9, 9)])
    writing(builder, "q!!1, 5", "q!!1, -5", "q!!0, 9")
    assert World(builder).go("W", "W", "W")["q"] == "[(0, 9), (1, -5), (1, 5)]"


def test_a_receive_looks_at_the_first_message_only() -> None:
    builder = queue()
    writing(builder, "q!3", "q!1")
    builder.process("R").location("r").edge("r", "r", sync="q?==1")
    assert World(builder).go("W", "W").movers() == []


def test_a_receive_anywhere_takes_the_first_message_that_matches() -> None:
    builder = NetworkBuilder("anywhere")
    builder.channel("q", 3, fields=[(0, 9), (0, 9)])
    writing(builder, "q!3, 0", "q!1, 7", "q!1, 8")
    builder.process("R").variable("got", 0, 9).location("r").edge("r", "r", sync="q??==1, got")
    world = World(builder).go("W", "W", "W", "R")
    assert (world["q"], world["R.got"]) == ("[(3, 0), (1, 8)]", "7")


def test_a_receive_that_keeps_the_message_leaves_it_there() -> None:
    builder = queue()
    writing(builder, "q!3")
    reader = builder.process("R").variable("got", 0, 9).location("r").location("s")
    reader.edge("r", "s", sync="q?got")
    taking = reader.edges[0].sync
    assert isinstance(taking, Receive)
    reader.edges[0] = replace(reader.edges[0], sync=replace(taking, keep=True))
    world = World(builder).go("W", "R")
    assert (world["q"], world["R.got"]) == ("[3]", "3")


@pytest.mark.parametrize("capacity", [0, 1])
def test_a_message_is_sent_and_received_whole(capacity: int) -> None:
    for send, receive in (("q!5", "q?got, got"), ("q!5, 6", "q?got")):
        builder = NetworkBuilder("short")
        builder.channel("q", capacity, fields=[(0, 9), (0, 9)])
        writing(builder, send)
        builder.process("R").variable("got", 0, 9).location("r").edge("r", "r", sync=receive)
        world = World(builder)
        if capacity and send == "q!5, 6":
            world.go("W")
        assert world.errors() == ["channel"]


def test_of_a_message_that_stays_a_part_can_be_looked_at() -> None:
    builder = NetworkBuilder("short")
    builder.channel("q", 1, fields=[(0, 9), (0, 9)])
    writing(builder, "q!5, 6")
    builder.process("R").variable("got", 0, 9).location("r").edge("r", "r", sync="q?got")
    network = builder.build()
    reader = network.process("R")
    (edge,) = reader.edges
    assert isinstance(edge.sync, Receive)
    looking = replace(reader, edges=(replace(edge, sync=replace(edge.sync, keep=True)),))
    processes = tuple(looking if process is reader else process for process in network.processes)
    assert World(replace(network, processes=processes)).go("W", "R")["R.got"] == "5"


def test_a_message_field_wraps_or_fails_as_its_type_says() -> None:
    builder = NetworkBuilder("overflow")
    builder.channels.append(Channel("wraps", 1, (BYTE,)))
    builder.channels.append(Channel("fails", 1, (IntType(0, 9),)))
    builder.process("S").location("s").edge("s", "s", sync="wraps!257").edge("s", "s", sync="fails!10")
    world = World(builder)
    assert world.errors() == ["range"]
    assert world.go("S")["wraps"] == "[1]"


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("len(q)", [0, 1, 2]),
        ("empty(q)", [1, 0, 0]),
        ("nempty(q)", [0, 1, 1]),
        ("full(q)", [0, 0, 1]),
        ("nfull(q)", [1, 1, 0]),
        ("capacity(q)", [2, 2, 2]),
        ("q?[3]", [0, 1, 1]),
        ("q?[1]", [0, 0, 0]),
        ("q??[1]", [0, 0, 1]),
        ("q??[_]", [0, 1, 1]),
    ],
)
def test_questions_about_a_queue(question: str, answers: list[int]) -> None:
    builder = queue()
    builder.variable("answer", 0, 9)
    writing(builder, "q!3", "q!1")
    builder.process("A").location("a").edge("a", "a", effect=f"answer = {question}")
    world = World(builder)
    for answer in answers:
        assert world.go("A")["answer"] == str(answer)
        if "W" in world.movers():
            world.go("W")


def test_a_handshake_channel_is_always_empty_and_never_full() -> None:
    builder = NetworkBuilder("questions")
    builder.channel("c")
    builder.variable("x", 0, 9)
    builder.process("A").location("a").edge("a", "a", effect="x = empty(c) + 2 * nfull(c) + 4 * len(c) + 4 * full(c)")
    assert World(builder).go("A")["x"] == "3"
