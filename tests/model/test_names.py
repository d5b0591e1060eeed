"""Names: what they stand for in a network, and the nearest one for those that stand for nothing."""

import pytest

from beeline import NetworkBuilder
from beeline.model.expressions import At, Binary, Expression, Index, Instance, Literal, Numbered, Ref, Remote
from beeline.model.names import Resolver, unknown_name
from beeline.model.network import Network, Rules
from beeline.model.scope import ProcessScope
from beeline.model.source import ModelError
from beeline.model.syntax import parse_expression


def town(by_number: bool = False) -> Network:
    builder = NetworkBuilder("town")
    builder.rules = Rules(processes_by_number=by_number)
    builder.variable("bread", 0, 9)
    builder.enumeration("weather", ["sunny", "rainy"])
    builder.channel("street", 2)
    baker = builder.process("baker", parameters={"me": (0, 3)}).variable("flour", 0, 9).variable("bags", size=3)
    baker.location("asleep").location("awake").edge("asleep", "awake")
    builder.process("mayor").location("office")
    builder.start("baker", me=0)
    builder.start("baker", me=1)
    builder.start("mayor")
    return builder.build()


def resolved(text: str, network: Network | None = None) -> Expression:
    return Resolver(network or town()).resolve(parse_expression(text))


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("bread", Ref("bread")),
        ("sunny", Ref("sunny")),
        ("mayor@office", At(Instance("mayor"), "office")),
        ("mayor.office", At(Instance("mayor"), "office")),
        ("baker[1]@awake", At(Instance("baker[1]"), "awake")),
        ("baker[1].awake", At(Instance("baker[1]"), "awake")),
        ("baker[0].flour", Remote(Instance("baker[0]"), Ref("flour"))),
        ("baker[0]:flour", Remote(Instance("baker[0]"), Ref("flour"))),
        ("baker[0].bags[2]", Remote(Instance("baker[0]"), Index(Ref("bags"), Literal(2)))),
        ("baker[0].bags[bread]", Remote(Instance("baker[0]"), Index(Ref("bags"), Ref("bread")))),
        ("baker@awake", At(Numbered("baker", None), "awake")),
        ("1 + bread", Binary("+", Literal(1), Ref("bread"))),
    ],
)
def test_what_a_name_stands_for(text: str, expression: Expression) -> None:
    assert resolved(text) == expression


def test_processes_can_be_meant_by_their_numbers() -> None:
    network = town(by_number=True)
    assert resolved("baker[1]@awake", network) == At(Numbered("baker", Literal(1)), "awake")
    assert resolved("baker[bread]@awake", network) == At(Numbered("baker", Ref("bread")), "awake")


@pytest.mark.parametrize(
    ("text", "message", "remedy"),
    [
        ("bred", "no variable, channel or process called 'bred'", "did you mean 'bread'?"),
        ("wether == sunny", "no variable, channel or process called 'wether'", "did you mean 'weather'?"),
        ("weather == suny", "no variable, channel or process called 'suny'", "did you mean 'sunny'?"),
        ("len(streat)", "no variable, channel or process called 'streat'", "did you mean 'street'?"),
        ("bakr[0]@awake", "no process called 'bakr'", "did you mean 'baker'?"),
        ("baker[7]@awake", "no process called 'baker[7]'", "there are baker[0], baker[1], mayor"),
        ("baker[0]@awak", "no location or label called 'awak'", "did you mean 'awake'?"),
        ("baker[0].flower", "no local variable called 'flower'", "did you mean 'flour'?"),
        ("mayor", "'mayor' is a process", "say which location or variable, as in mayor@location"),
        ("count(3)", "no function called 'count'", "known: none"),
        ("xyzzy", "no variable, channel or process called 'xyzzy'", "known: baker, baker[0], baker[1], "),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_known_one(text: str, message: str, remedy: str) -> None:
    with pytest.raises(ModelError) as caught:
        resolved(text)
    assert caught.value.message == message
    assert caught.value.remedy.startswith(remedy)


def test_locals_are_seen_inside_their_process_only() -> None:
    network = town()
    inside = Resolver(network, ProcessScope(network.processes[0]))
    assert inside.resolve(parse_expression("flour + bread")) == Binary("+", Ref("flour"), Ref("bread"))
    with pytest.raises(ModelError, match="flour"):
        resolved("flour")


def test_a_quantified_name_is_seen_in_its_body_only() -> None:
    resolved("forall (i : 0..2) baker[0].bags[i] == 0")
    with pytest.raises(ModelError, match="'i'"):
        resolved("(forall (i : 0..2) i >= 0) && i")


def test_at_most_a_dozen_names_are_listed() -> None:
    error = unknown_name("thing", "qq", [f"name{i}" for i in range(50)])
    assert error.remedy.count(",") == 11
