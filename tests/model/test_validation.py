"""A network that is not well formed is refused with a sentence, before anything runs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.networks import Sampler

from beeline import ModelError, Network, NetworkBuilder
from beeline.languages import load
from beeline.model.expressions import (
    At,
    Binary,
    Bind,
    Builtin,
    Call,
    ChannelInfo,
    Expression,
    Field,
    Index,
    Instance,
    Literal,
    Match,
    Numbered,
    Quantified,
    Ref,
    Remote,
)
from beeline.model.network import Channel, Edge, Function, Initial, Parameter, Receive, Send, Variable
from beeline.model.printer import show_network
from beeline.model.property import Goal
from beeline.model.statements import Assign, Declare, Do, If, Reset, Return, Start, Statement, While
from beeline.model.types import BYTE, CLOCK, INT, ArrayType, IntType, RecordType
from beeline.model.validation import MAX_RANGE, validate
from beeline.records import replace

PAIR = RecordType("pair", (("first", INT), ("second", INT)))
TWICE = Function("twice", (Parameter("n", INT),), INT, (Return(Binary("*", Literal(2), Ref("n"))),))
CLEAR = Function("clear", (Parameter("cell", INT, reference=True),), None, (Assign(Ref("cell"), Literal(0)),))


def sound() -> Network:
    builder = NetworkBuilder("sound")
    builder.variable("x", 0, 3)
    builder.variable("a", 0, 3, size=2)
    builder.variables.append(Variable("p", PAIR))
    builder.channel("c", fields=[(0, 3)])
    builder.functions.extend([TWICE, CLEAR])
    builder.process("P", parameters={"me": (0, 3)}).variable("own").location("s").location("t").edge("s", "t")
    builder.start("P", me=1)
    return builder.build()


def with_edge(**changes: Any) -> Network:
    network = sound()
    process = network.processes[0]
    return replace(network, processes=(replace(process, edges=(replace(process.edges[0], **changes),)),))


def refusal(network: Network) -> ModelError:
    with pytest.raises(ModelError) as caught:
        validate(network)
    return caught.value


def test_a_sound_network_is_accepted() -> None:
    validate(sound())


@pytest.mark.parametrize(
    ("guard", "message"),
    [
        (Ref("y"), "no variable called 'y'"),
        (Ref("a"), "'a' is used as a number but is of type int[0,3][2]"),
        (Ref("p"), "'p' is used as a number but is of type pair"),
        (Index(Ref("x"), Literal(0)), "'x' is of type int[0,3], not an array"),
        (Field(Ref("p"), "third"), "record pair has no field 'third'"),
        (Field(Ref("x"), "first"), "'x.first' is of type int[0,3], not a record"),
        (Index(Ref("a"), Ref("y")), "no variable called 'y'"),
        (Call("thrice", ()), "no function called 'thrice'"),
        (Call("twice", ()), "'twice' takes 1 arguments, not 0"),
        (Call("clear", (Literal(1),)), "argument 'cell' of 'clear' must be a variable"),
        (Call("clear", (Ref("a"),)), "argument 'cell' of 'clear' has another shape"),
        (At(Instance("Q"), "s"), "no instance called 'Q'"),
        (At(Numbered("Q", None), "s"), "no process called 'Q'"),
        (At(Instance("P"), "u"), "no location or label called 'u'"),
        (Remote(Instance("P"), Ref("theirs")), "no local of 'P' called 'theirs'"),
        (ChannelInfo("len", Ref("d")), "no variable called 'd'"),
        (Builtin("enabled", Literal(0)), "'enabled' can be asked in properties only, not inside the model"),
        (Builtin("deadlock"), "'deadlock' can be asked in properties only, not inside the model"),
        (Quantified("sum", "i", 0, MAX_RANGE, Ref("i")), f"'i' runs over more than {MAX_RANGE} values"),
        (Quantified("sum", "i", 0, 2, Ref("j")), "no variable called 'j'"),
    ],
)
def test_guards_that_mean_nothing(guard: Expression, message: str) -> None:
    assert refusal(with_edge(guard=guard)).message == message


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (Assign(Ref("y"), Literal(1)), "no variable called 'y'"),
        (Assign(Ref("c"), Literal(1)), "'c' cannot be assigned to"),
        (Assign(Ref("x"), Ref("y")), "no variable called 'y'"),
        (Assign(Ref("a"), Literal(1)), "a value of type int[0,3][2] can only be copied from a variable of that type"),
        (Assign(Ref("p"), Ref("x")), "a value of type pair can only be copied from a variable of that type"),
        (If(Ref("y"), ()), "no variable called 'y'"),
        (While(Literal(0), (Assign(Ref("y"), Literal(1)),)), "no variable called 'y'"),
        (If(Literal(1), (Declare("t", INT),), (Assign(Ref("t"), Literal(1)),)), "no variable called 't'"),
        (Declare("t", INT, Ref("y")), "no variable called 'y'"),
        (Return(), "'return' outside a function"),
        (Do(Call("thrice", ())), "no function called 'thrice'"),
        (Start("Q"), "no process called 'Q'"),
        (Start("P"), "'P' takes 1 arguments, not 0"),
        (Start("P", (Ref("y"),)), "no variable called 'y'"),
        (Reset(Ref("x"), Literal(0)), "'x' is no clock"),
    ],
)
def test_statements_that_mean_nothing(statement: Statement, message: str) -> None:
    assert refusal(with_edge(effect=(statement,))).message == message


@pytest.mark.parametrize(
    ("sync", "message"),
    [
        (Send(Ref("d")), "no variable called 'd'"),
        (Send(Ref("c"), (Literal(1), Literal(2))), "'c' carries 1 fields, not 2"),
        (Send(Ref("c"), (Ref("y"),)), "no variable called 'y'"),
        (Receive(Ref("c"), (Match(Ref("y")),)), "no variable called 'y'"),
        (Receive(Ref("c"), (Bind(Ref("y")),)), "no variable called 'y'"),
        (Receive(Ref("c"), (Bind(Ref("c")),)), "'c' cannot be assigned to"),
        (Receive(Ref("c"), (Bind(Ref("a")),)), "'a' is used as a number but is of type int[0,3][2]"),
    ],
)
def test_synchronisations_that_mean_nothing(sync: Send | Receive, message: str) -> None:
    assert refusal(with_edge(sync=sync)).message == message


def recursive(network: Network) -> Network:
    ping = Function("ping", (), INT, (Return(Call("pong", ())),))
    pong = Function("pong", (), INT, (Return(Call("ping", ())),))
    return replace(network, functions=(ping, pong))


MALFORMED: list[tuple[Callable[[Network], Network], str]] = [
    (lambda n: replace(n, processes=n.processes * 2), "two processes are called 'P'"),
    (lambda n: replace(n, initial=n.initial * 2), "two instances are called 'P'"),
    (lambda n: replace(n, variables=n.variables * 2), "two variables or channels are called 'x'"),
    (lambda n: replace(n, constants={"x": 1}), "two variables or channels are called 'x'"),
    (lambda n: replace(n, initial=(Initial("Q", "Q"),)), "no process called 'Q'"),
    (lambda n: replace(n, initial=(Initial("P", "P"),)), "'P' gets 0 arguments, 'P' takes 1"),
    (lambda n: replace(n, initial=(Initial("P", "P", (7,)),)), "argument 7 of 'P' is outside 0..3"),
    (lambda n: replace(n, variables=(Variable("big", ArrayType(BYTE, 1 << 21)),)), "variable 'big' has 2,097"),
    (lambda n: replace(n, variables=(Variable("v", IntType(0, 2**40)),)), "variable 'v' has no valid range 0.."),
    (lambda n: replace(n, channels=(Channel("c", 1, (IntType(5, 3),)),)), "a field of channel 'c' has no valid"),
    (lambda n: replace(n, channels=(Channel("c", fields=(PAIR,)),)), "channel 'c' has a field that is no scalar"),
    (recursive, "function 'pong' calls itself through 'ping'"),
    (lambda n: replace(n, properties=(Goal("q", expression=Ref("y")),)), "no variable called 'y'"),
    (
        lambda n: replace(n, properties=(Goal("q", expression=Builtin("pid")),)),
        "_pid has no meaning outside a process",
    ),
    (lambda n: with_process(n, edges=(Edge(0, 7),)), "an edge of 'P' leads nowhere"),
    (lambda n: with_process(n, initial=7), "process 'P' has no initial location"),
    (lambda n: with_process(n, locations=()), "process 'P' has no initial location"),
    (lambda n: with_process(n, parameters=(Variable("me", PAIR),)), "parameter 'me' of 'P' is no scalar"),
    (lambda n: with_process(n, variables=(Variable("me", INT),)), "two locals of 'P' are called 'me'"),
    (lambda n: with_process(n, provided=Ref("y")), "no variable called 'y'"),
]


def with_process(network: Network, **changes: Any) -> Network:
    return replace(network, processes=(replace(network.processes[0], **changes),))


@pytest.mark.parametrize(("spoil", "message"), MALFORMED)
def test_malformed_networks(spoil: Callable[[Network], Network], message: str) -> None:
    assert refusal(spoil(sound())).message.startswith(message)


def test_clocks_may_be_compared_and_reset() -> None:
    network = sound()
    timed = replace(network, variables=(*network.variables, Variable("t", CLOCK)))
    process = timed.processes[0]
    edge = replace(process.edges[0], guard=Binary("<", Ref("t"), Literal(3)), effect=(Reset(Ref("t"), Literal(0)),))
    validate(replace(timed, processes=(replace(process, edges=(edge,)),)))


@pytest.mark.parametrize("seed", range(30))
def test_random_networks_are_valid_and_can_be_printed(seed: int) -> None:
    network = Sampler(seed).network()
    validate(network)
    assert show_network(network).startswith("network random\n")


def test_whatever_a_file_makes_is_validated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only what the builder makes: a network put together by hand, and those of the other languages."""
    by_hand = tmp_path / "model.py"
    by_hand.write_text(
        "from beeline.model.network import Initial, Location, Network, Process\n"
        "network = Network('n', (Process('P', (Location('a'),), ()),), (Initial('P', 'x'), Initial('P', 'x')))\n"
    )
    with pytest.raises(ModelError, match="two instances are called 'x'"):
        load(by_hand)
    for name, package, text in (
        ("m.dve", "dve", "process P { state a; init a; } system async;"),
        ("m.xta", "uppaal", "process P() { state s; init s; } system P;"),
        ("m.pml", "promela", "active proctype P() { skip }"),
    ):
        asked: list[Network] = []
        monkeypatch.setattr(f"beeline.languages.{package}.elaborate.validate", asked.append)
        (tmp_path / name).write_text(text)
        load(tmp_path / name)
        assert len(asked) == 1
