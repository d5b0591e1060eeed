"""The language of --heuristic: what can be said, and what is said about mistakes."""

from __future__ import annotations

import pytest

from beeline import NetworkBuilder, _native
from beeline.compile.program import compile_network
from beeline.engine import Found
from beeline.heuristics import Context, HeuristicError, build
from beeline.model.source import ModelError
from beeline.properties import find_property


def queues() -> Context:
    """A sender and a receiver, who is slower."""
    builder = NetworkBuilder("queues")
    builder.variable("x", 0, 10, initial=4)
    builder.channel("q", 3, [(0, 1)])
    sender = builder.process("S")
    for name in ("idle", "busy", "done"):
        sender.location(name)
    sender.edge("idle", "busy", sync="q!1", effect="x = x - 1")
    sender.edge("busy", "idle", sync="q!0")
    sender.edge("idle", "done", guard="x == 0")
    receiver = builder.process("R")
    receiver.location("wait")
    receiver.edge("wait", "wait", sync="q?1")
    network = builder.build()
    asked = find_property(network, "E<> S.done && empty(q)")
    program = compile_network(network, asked.sought)
    return Context(network, program, _native.Program(program.tables), asked, asked.sought, Found.ANYTHING)


def value(text: str, context: Context) -> int | None:
    """What a heuristic says of the initial state."""
    assert context.program is not None and context.native is not None
    first = context.native.pack(context.program.tables["initial"])
    (estimate,) = build(text, context)
    return estimate.native.estimate(first)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("blind", 0),
        ("expr:x", 4),
        ("expr:2*x + len(q)", 8),
        ("expr: x > 3 ? 7 : 9", 7),
        ("expr:0 - x", 0),
        ("expr:x / len(q)", 0),
        ("3*expr:x", 12),
        ("max(expr:x, expr:5)", 5),
        ("min(expr:x, 2*expr:5)", 4),
        ("sum(expr:x, 2*expr:5, blind)", 14),
        ("max(sum(blind, expr:max(x, 1)), 2*min(expr:x))", 8),
        ("cache(expr:x)", 4),
        ("cache:10(sum(expr:x, expr:x))", 8),
        ("  max( blind ,expr:x )", 4),
        ("Hf", 1),
        ("Hf:0", 1),
        ("Hf:sum=1", 1),
        ("active", 1),
    ],
)
def test_what_is_written_is_what_is_computed(text: str, expected: int) -> None:
    assert value(text, queues()) == expected


def test_several_estimates_are_separated_by_commas() -> None:
    estimates = build("Hf, max(blind, expr:min(x, 2)) ,blind", queues())
    assert [str(estimate) for estimate in estimates] == ["Hf", "max(blind, expr:min(x, 2))", "blind"]


def test_promises_follow_from_the_parts() -> None:
    context = queues()

    def promises(text: str) -> str:
        (estimate,) = build(text, context)
        return "".join(name[0] for name in ("admissible", "consistent", "safe") if getattr(estimate.promises, name))

    assert promises("max(blind, Hf)") == "acs"
    assert promises("min(blind, Hf)") == "acs"
    assert promises("sum(blind, Hf)") == "s"
    assert promises("sum(Hf)") == "acs"
    assert promises("1*Hf") == "acs"
    assert promises("2*Hf") == "s"
    assert promises("cache(Hf)") == "s"
    assert promises("max(Hf, expr:x)") == "s"
    assert promises("Hf:1") == "s"


def test_what_a_combination_is_about_is_what_all_parts_are_about() -> None:
    context = queues()
    (both,) = build("max(active, Hf)", context)
    assert both.covers is Found.NOTHING
    (one,) = build("max(blind, Hf)", context)
    assert one.covers is Found.GOAL


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("hf", "did you mean Hf"),
        ("nothing-like-it", "there are"),
        ("", "not a heuristic"),
        ("max(", "not closed"),
        ("max)", "never opened"),
        ("max()", "not a heuristic"),
        ("0*blind", "between 1"),
        ("blind:3", "takes no option"),
        ("Hf:2;any;3", "takes 2 option"),
        ("Hf:depth=3", "no option 'depth'"),
        ("Hf:many", "whole number"),
        ("expr:", "needs an expression"),
        ("expr:enabled(0)", "which steps are possible"),
        ("expr:_last", "last"),
        ("cache(blind, blind)", "one heuristic"),
        ("cache:0(blind)", "at least one entry"),
        ("user", "written in Python"),
        ("hamming", "--target"),
        ("fsm", "--target"),
        ("deadlock-prone", "begins with 'danger'"),
    ],
)
def test_what_cannot_be_understood_is_explained(text: str, part: str) -> None:
    with pytest.raises((HeuristicError, ModelError), match=part):
        build(text, queues())


def test_unknown_names_in_expressions_are_found_with_their_place() -> None:
    with pytest.raises(ModelError, match="--heuristic"):
        build("expr:2*y", queues())


def test_estimates_of_networks_need_networks() -> None:
    for text in ("Hf", "active", "expr:1", "deadlock-prone", "hamming"):
        with pytest.raises(HeuristicError):
            build(text, Context())
