"""What is asked: properties by name, by expression, and by default."""

import pytest

from beeline import ModelError, Network, NetworkBuilder, check
from beeline.model.expressions import Binary, Builtin, Literal, Ref, Unary
from beeline.model.network import Location, Process, Property
from beeline.properties import CLAIM, DEADLOCK, SAFETY, default_property, find_property, violation
from beeline.records import replace


def network(*invariants: str) -> Network:
    builder = NetworkBuilder("asked")
    builder.variable("x", 0, 3)
    builder.process("P").location("s").location("t").edge("s", "s", guard="x < 3", effect="x++")
    for position, text in enumerate(invariants):
        builder.invariant(f"i{position}", text)
    builder.goal("top", "x == 3")
    return builder.build()


def test_by_default_the_models_invariants_are_asked() -> None:
    assert default_property(network("x < 4")).name == "i0"
    both = default_property(network("x < 4", "x >= 0"))
    assert (both.name, both.kind, both.text) == ("invariants", "invariant", "i0 and i1")
    assert both.expression == Binary(
        "&&", Binary("<", Ref("x"), Literal(4)), Binary(">=", Ref("x"), Literal(0))
    )  # fmt: skip


def test_without_invariants_safety_is_asked() -> None:
    assert default_property(network()) == SAFETY
    assert find_property(network(), None) == SAFETY


def test_beside_a_monitor_the_claim_is_asked() -> None:
    watched = replace(network("x < 4"), monitor=Process("watch", (Location("w", end=True),), ()))
    assert default_property(watched) == CLAIM
    assert find_property(watched, "claim") == CLAIM


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("top", "goal"),
        ("i0", "invariant"),
        ("safety", "safety"),
        ("deadlock", "deadlock"),
        ("not deadlock", "deadlock"),
        ("A[] not deadlock", "deadlock"),
        ("E<> deadlock", "deadlock"),
        ("x < 3", "invariant"),
        ("A[] x < 3", "invariant"),
        ("A [ ] x < 3", "invariant"),
        ("invariant: x < 3", "invariant"),
        ("always: x < 3", "invariant"),
        ("E<> x == 3", "goal"),
        ("E < > x == 3", "goal"),
        ("goal: x == 3", "goal"),
        ("reach: x == 3", "goal"),
    ],
)
def test_the_forms_of_a_property(text: str, kind: str) -> None:
    assert find_property(network("x < 4"), text).kind == kind


def test_a_search_looks_for_the_violation() -> None:
    assert violation(find_property(network(), "x < 3")) == Unary("!", Binary("<", Ref("x"), Literal(3)))
    assert violation(find_property(network(), "E<> x == 3")) == Binary("==", Ref("x"), Literal(3))
    assert violation(DEADLOCK) is None


def test_a_property_of_the_models_own_comes_before_a_word() -> None:
    builder = NetworkBuilder("shadow")
    builder.variable("x", 0, 3)
    builder.process("P").location("s", end=True)
    builder.invariant("deadlock", "x == 0")
    assert find_property(builder.build(), "deadlock").kind == "invariant"


@pytest.mark.parametrize("text", ["x <", "y == 1", "P", "P@u", "x = 1", "_pid == 0"])
def test_what_means_nothing_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(ModelError) as caught:
        find_property(network(), text)
    assert caught.value.source.file == "--property"
    assert caught.value.source.line == 1


def test_a_property_given_as_an_object_is_checked_too() -> None:
    good = Property("mine", "goal", Binary("==", Ref("x"), Literal(2)))
    assert check(network(), good).verdict == "violated"
    with pytest.raises(ModelError, match="no variable called 'y'"):
        check(network(), Property("bad", "goal", Ref("y")))
    with pytest.raises(ModelError, match="larger expression"):
        check(network(), Property("bad", "goal", Unary("!", Builtin("deadlock"))))


@pytest.mark.parametrize("kind", ["ltl", "tctl"])
def test_what_cannot_be_checked_yet_is_said_so(kind: str) -> None:
    from beeline.checking import UnsupportedProperty

    with pytest.raises(UnsupportedProperty, match="cannot be checked yet"):
        check(network(), Property("later", kind, text="[] <> x"))


def test_a_property_without_a_value_is_a_violation_where_it_has_none() -> None:
    result = check(network(), "6 / (2 - x) > 0")
    assert (result.verdict, result.reason) == ("violated", "the property has no value: division by zero")
    assert result.trace is not None
    assert result.trace.final()["x"] == "2"


def test_a_property_may_ask_who_moved_last() -> None:
    builder = NetworkBuilder("last")
    builder.process("A").location("s").edge("s", "s")
    builder.process("B").location("s").location("t").edge("s", "t")
    assert check(builder, "_last == 0 || B@t").verdict == "holds"
    assert check(builder, "_last == 0").verdict == "violated"


def test_a_property_may_ask_who_can_move() -> None:
    assert check(network(), "enabled(0)").verdict == "violated"
    assert check(network(), "enabled(0) || x == 3").verdict == "holds"
