"""What is asked: properties by name, by expression, and by default."""

import pytest

from beeline import Limits, ModelError, Network, NetworkBuilder, check
from beeline.checking import check_all, leading
from beeline.model.expressions import Binary, Builtin, Literal, Ref, Unary
from beeline.model.network import Edge, Location, Process
from beeline.model.property import Claim, Goal, Unanswered
from beeline.properties import DEADLOCK, SAFETY, find_property, questions
from beeline.records import replace


def network(*invariants: str) -> Network:
    builder = NetworkBuilder("asked")
    builder.variable("x", 0, 3)
    builder.process("P").location("s").location("t").edge("s", "s", guard="x < 3", effect="x++")
    for position, text in enumerate(invariants):
        builder.invariant(f"i{position}", text)
    builder.goal("top", "x == 3")
    return builder.build()


def test_by_default_all_that_the_model_asks_is_asked() -> None:
    asked = network("x < 4", "x < 2", "x >= 0")
    assert [question.name for question in questions(asked)] == ["i0", "i1", "i2", "top"]
    answers = check_all(asked)
    assert [result.verdict for result in answers] == ["holds", "violated", "holds", "holds"]
    assert leading(answers) is answers[1]
    assert check(asked).property.name == "i1"


def test_a_model_that_asks_nothing_is_asked_for_safety() -> None:
    assert questions(replace(network(), properties=())) == (SAFETY,)


def test_a_lone_claim_is_called_by_that_word() -> None:
    claim = Claim("mine", watcher=Process("watch", (Location("w", end=True),), ()))
    watched = replace(network("x < 4"), properties=(claim,))
    assert find_property(watched, "claim") is claim
    assert find_property(watched, "mine") is claim


def test_the_verdict_is_about_the_question_as_asked() -> None:
    """A goal that is reached holds, with a witness; one that is not is violated, without."""
    reached, unreached = check(network(), "E<> x == 3"), check(network(), "E<> P@t")
    assert (reached.verdict, reached.reason, reached.trace is None) == ("holds", "goal reached", False)
    assert (unreached.verdict, unreached.reason, unreached.trace) == ("violated", "no such state is reachable", None)
    assert check(network(), "E<> P@t", limits=Limits(states=2)).verdict == "unknown"
    stuck, free = check(network(), "E<> deadlock"), check(network(), "A[] not deadlock")
    assert (stuck.verdict, free.verdict) == ("holds", "violated")


def test_a_failing_step_is_no_witness_of_a_goal() -> None:
    builder = NetworkBuilder("fails")
    builder.variable("x", 0, 3)
    builder.process("P").location("s").edge("s", "s", effect="x++").edge("s", "s", effect="x = 2 / (1 - x)")
    assert check(builder, "E<> x == 3").verdict == "holds"
    assert check(builder, "E<> x == 4").verdict == "violated"
    assert check(builder, "safety").verdict == "violated"


def test_a_goal_without_a_value_is_neither_reached_nor_ruled_out() -> None:
    result = check(network(), "E<> 6 / (2 - x) == 9")
    assert (result.verdict, result.reason) == ("unknown", "the property has no value: division by zero")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("top", "goal"),
        ("i0", "invariant"),
        ("safety", "safety"),
        ("deadlock", "deadlock"),
        ("not deadlock", "deadlock"),
        ("A[] not deadlock", "deadlock"),
        ("E<> deadlock", "goal"),
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
    assert find_property(network(), "x < 3").sought == Unary("!", Binary("<", Ref("x"), Literal(3)))
    assert find_property(network(), "E<> x == 3").sought == Binary("==", Ref("x"), Literal(3))
    assert DEADLOCK.sought is None


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
    good = Goal("mine", expression=Binary("==", Ref("x"), Literal(2)))
    assert check(network(), good).verdict == "holds"
    with pytest.raises(ModelError, match="no variable called 'y'"):
        check(network(), Goal("bad", expression=Ref("y")))
    with pytest.raises(ModelError, match="larger expression"):
        check(network(), Goal("bad", expression=Unary("!", Builtin("deadlock"))))


def test_what_cannot_be_checked_is_unknown_with_the_reason() -> None:
    result = check(network(), Unanswered("later", "[] <> x", reason="ltl later needs accepting cycles"))
    assert (result.verdict, result.reason) == ("unknown", "not checked: ltl later needs accepting cycles")


def test_a_claim_with_accepting_cycles_is_searched_for_them() -> None:
    places = (Location("w", accept=True), Location("bad", end=True))
    watcher = Process("watch", places, (Edge(0, 0), Edge(0, 1, Binary("==", Ref("x"), Literal(9)))))
    result = check(network(), Claim("mine", watcher=watcher))
    assert (result.verdict, result.reason) == ("violated", "acceptance cycle")


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
